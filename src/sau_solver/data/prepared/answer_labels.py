"""Problems with answers only -> equations to learn from: the most likely of all trees that give the answer.

The trees come from the beam of a trained network and from a bounded search over the numbers of the text
(`answer_trees`). The network says how likely it would write each of them. Trees that mean the same, such as a*(1+b) and
a+a*b, are counted together. A problem gets a label if the network finds one meaning much more likely than all others
that give the answer, and not too unlikely on the whole. Without a network, it gets one if the simplest tree is unique
and uses all numbers of the text. Problems of a split `test` never get a label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from sau_solver.answering.candidates import Candidate, SymbolicLimits, evaluate_candidates
from sau_solver.answering.protocols import is_accepted
from sau_solver.answering.ranking import log_sum
from sau_solver.data.checking import after_rounding
from sau_solver.data.prepared.answer_trees import ROUNDED, Bounds, answer_trees, shadow_numbers, simplest
from sau_solver.data.prepared.examples import TextView, first_slots, mapped
from sau_solver.equations.expressions import Equations
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.models.base import Predictor
from sau_solver.problem import Problem
from sau_solver.solving import close, decimal_of, solve
from sau_solver.text.numbers import MappedText

_TOGETHER = 256  # problems that are searched at a time
_FIRST_TWO = Bounds(plain_operators=3, trees=2)
_LIMITS = SymbolicLimits(seconds=0.1, candidates=0)  # equations of school problems need no symbolic solver


@runtime_checkable
class TreeScorer(Predictor, Protocol):
    """A network that can tell the probability of any tree."""

    def log_probabilities(self, texts: Sequence[MappedText], trees: Sequence[Sequence[Uet]]) -> list[list[float]]:
        """Return for each text the log-probabilities of the given trees."""
        ...


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """What a label needs.

    beam         candidates of the network that are compared with the answer
    share        the least probability of the label's meaning, among all trees that give the answer
    probability  the least probability of the label's meaning, among all trees
    """

    beam: int = 20
    share: float = 0.9
    probability: float = 1e-4

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise InputError(f"beam must be at least 1, got {self.beam}.")
        for name in ("share", "probability"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} must be between 0 and 1, got {getattr(self, name)}.")


@dataclass(frozen=True, slots=True)
class Label:
    """The equations found for a problem; `log_probability` is that of their meaning, None without a network."""

    id: str
    equations: tuple[str, ...]
    log_probability: float | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """Trees that give the answer and mean the same, the most probable first, and their probability together."""

    trees: tuple[Uet, ...]
    log_probability: float
    in_beam: bool  # the network itself proposed one of them


def unambiguous_labels(problems: Iterable[Problem], view: TextView) -> Iterator[Label]:
    """Yield labels for the problems whose simplest tree is the only one and uses all numbers of the text but ones."""
    for problem in filter(is_learnable, problems):
        text = mapped(problem, view)
        numbers = _numbers(text)
        first_two = answer_trees(numbers, problem.answers[0], bounds=_FIRST_TWO) if len(problem.answers) == 1 else []
        found = simplest(first_two)
        if found and {numbers[slot] for slot in found.tree.slots()} | {1} >= set(numbers):
            yield _label(problem, found.tree.equations(numbers))


def likely_labels(
    problems: Sequence[Problem],
    predictor: Predictor,
    view: TextView,
    options: LabelOptions = LabelOptions(),  # noqa: B008  # frozen
) -> Iterator[Label | None]:
    """Yield for each problem the equations that a trained network finds likely and that give the answer, or None."""
    if not isinstance(predictor, TreeScorer):
        raise InputError(f"Labels need a model that scores trees, such as sau, got {predictor.name}.")
    for start in range(0, len(problems), _TOGETHER):
        some = problems[start : start + _TOGETHER]
        for problem, text, found in meanings(some, predictor, view, options.beam):
            best = chosen(found, options)
            if best is None:
                yield None
            else:
                yield _label(problem, best.trees[0].equations(_numbers(text)), best.log_probability)


def chosen(found: Sequence[Meaning], options: LabelOptions) -> Meaning | None:
    """Return the most probable meaning if it is probable enough, alone and compared with the others."""
    if not found:
        return None
    share = found[0].log_probability - log_sum([one.log_probability for one in found])
    likely = found[0].log_probability >= math.log(options.probability or 1e-300)
    return found[0] if likely and share >= math.log(options.share or 1e-300) else None


def meanings(
    problems: Sequence[Problem], predictor: TreeScorer, view: TextView, beam: int
) -> Iterator[tuple[Problem, MappedText, list[Meaning]]]:
    """Yield each problem, its text, and what the trees that give its answer mean, the most probable first."""
    texts = [mapped(problem, view) for problem in problems]
    right = [
        {first_slots(one.tree, tuple(_numbers(text))): one.log_probability for one in candidates}
        for text, candidates in zip(texts, _right_candidates(problems, texts, predictor, beam), strict=True)
    ]
    searched = [
        [tree for tree in _searched(problem, text) if tree not in own]
        for problem, text, own in zip(problems, texts, right, strict=True)
    ]
    scores = predictor.log_probabilities(texts, searched)
    for problem, text, own, trees, logs in zip(problems, texts, right, searched, scores, strict=True):
        yield problem, text, _grouped(own | dict(zip(trees, logs, strict=True)), frozenset(own), _numbers(text))


def _right_candidates(
    problems: Sequence[Problem], texts: Sequence[MappedText], predictor: Predictor, beam: int
) -> Iterator[list[Candidate]]:
    """Yield the candidates of each problem whose answer a reader accepts; none for a problem that is not learned."""
    learnable = list(map(is_learnable, problems))
    chosen_texts = [text for text, learned in zip(texts, learnable, strict=True) if learned]
    predicted = iter(predictor.predict(chosen_texts, beam) if chosen_texts else [])
    for problem, text, learned in zip(problems, texts, learnable, strict=True):
        candidates = evaluate_candidates(text, next(predicted), _LIMITS, problem.text) if learned else ()
        yield [one for one in candidates if one.tree.slots() and _is_right(problem, one)]


def _is_right(problem: Problem, candidate: Candidate) -> bool:
    if is_accepted(problem, candidate.answers):
        return True
    if not len(candidate.values) == len(problem.answers) == 1:
        return False
    value, answer = candidate.values[0], problem.answers[0]
    return close(value, answer, ROUNDED) and after_rounding(value, answer)


def _searched(problem: Problem, text: MappedText) -> list[Uet]:
    if not is_learnable(problem) or len(problem.answers) != 1:
        return []
    return [one.tree for one in answer_trees(_numbers(text), problem.answers[0])]


def _grouped(logs: dict[Uet, float], in_beam: frozenset[Uet], numbers: list[Fraction]) -> list[Meaning]:
    shadows = shadow_numbers(numbers)
    groups: dict[str, list[Uet]] = {}
    for tree in sorted(logs, key=lambda tree: -logs[tree]):
        groups.setdefault(_meaning(tree, shadows), []).append(tree)
    found = [
        Meaning(tuple(trees), log_sum([logs[tree] for tree in trees]), not in_beam.isdisjoint(trees))
        for trees in groups.values()
    ]
    return sorted(found, key=lambda one: -one.log_probability)


def _meaning(tree: Uet, shadows: Sequence[Fraction]) -> str:
    """Return what a tree gives with other numbers; equations without a solution mean only themselves."""
    solved = solve(tree.equations(shadows), _LIMITS.seconds)
    values = sorted(decimal_of(value) for solution in solved.solutions for value in solution.values())
    return " ".join(f"{value:.9e}" for value in values) or str(tree)


def is_learnable(problem: Problem) -> bool:
    """Return whether a problem may get a label: it has an answer and no equations, and is not for testing."""
    return bool(problem.answers) and not problem.equations and problem.split != "test"


def reader_accepts(problem: Problem, text: MappedText, tree: Uet) -> bool:
    """Return whether a tree gives the annotated answer, as a reader takes it from the equations, or rounded."""
    (candidate,) = evaluate_candidates(text, [Candidate(tree, 0.0)], _LIMITS, problem.text)
    return _is_right(problem, candidate)


def _numbers(text: MappedText) -> list[Fraction]:
    return [number.value for number in text.numbers]


def _label(problem: Problem, equations: Equations, log_probability: float | None = None) -> Label:
    return Label(problem.id, tuple(map(str, equations)), log_probability)
