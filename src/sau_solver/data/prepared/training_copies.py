"""Find the test problems that a training text nearly copies, to measure accuracy without them.

Texts are compared as sets of pairs of neighboring words, with one word for all numbers and without punctuation, by
their Jaccard similarity: shared pairs divided by all pairs. The similarity of two texts does not depend on other texts.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sau_solver.data.prepared.overlap import masked
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text

NEAR = 0.6  # from this similarity on, a training text is a near copy
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class LearnedText:
    """A problem that a model may have learned from; `is_learned` is only asked for a near copy, because it is slow."""

    problem: Problem
    is_learned: Callable[[], bool] = lambda: True


def pairs_of(problem: Problem) -> Pairs:
    """Return the pairs of neighboring words of a problem; a text of one word has a special pair."""
    words = masked(map_text(problem.text, problem.language))
    return frozenset(pairwise(words) if len(words) > 1 else ((word, "") for word in words))


def nearest_copies(tested: Sequence[Pairs], learned: Iterable[LearnedText], least: float = NEAR) -> list[float]:
    """Return for each tested text the similarity of the nearest learned text; 0 if it is below `least`."""
    best = [0.0] * len(tested)
    occurrences = Counter(pair for pairs in tested for pair in pairs)
    holding: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, pairs in enumerate(tested):
        for pair in _telling(pairs, occurrences, least):
            holding[pair].append(place)
    for text in learned:
        pairs = pairs_of(text.problem)
        found = {place for pair in _telling(pairs, occurrences, least) for place in holding.get(pair, ())}
        near = {place: one for place in found if (one := similarity(pairs, tested[place])) >= least}
        nearer = {place: one for place, one in near.items() if one > best[place]}
        if nearer and text.is_learned():
            for place, one in nearer.items():
                best[place] = one
    return best


def similarity(one: Pairs, other: Pairs) -> float:
    """Return the Jaccard similarity of two texts, 0 if both are empty."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _telling(pairs: Pairs, occurrences: Counter[tuple[str, str]], least: float) -> list[tuple[str, str]]:
    """Return the rarest pairs of a text. Two texts with the similarity `least` have at least one of these in common.

    Such texts share at least `least` of the pairs of each. With all pairs in one order, the first shared pair is then
    among the first pairs of both.
    """
    ordered = sorted(pairs, key=lambda pair: (occurrences[pair], pair))
    return ordered[: len(ordered) - math.ceil(least * len(ordered) - 1e-9) + 1]
