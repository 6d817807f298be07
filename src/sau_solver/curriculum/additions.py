"""Problems that a mixture adds to its corpora: generated problems, and changed copies of training problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from sau_solver.curriculum.augmentation import TRANSFORMATIONS, distractors
from sau_solver.curriculum.families import find_skill
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM, MixtureOptions
from sau_solver.data.prepared.parallel_map import ONE_PROCESS, ParallelMap
from sau_solver.problem import Problem

# Not `numbers`: a mixture compares texts without the spelling of their numbers, and would drop such a copy as repeated.
KINDS = tuple(name for name in TRANSFORMATIONS if name != "numbers")

_PLACES = 100  # exercises that are made at a time


def additions(
    mixture: MixtureOptions, learned: Sequence[Problem], parallel: ParallelMap = ONE_PROCESS
) -> dict[str, Sequence[Problem]]:
    """Return the problems of the sources that a mixture makes, given the problems that it learns from its corpora.

    They use no held-out families, no skills of School's transfer part, and no texts outside of the training problems.
    """
    made: dict[str, Sequence[Problem]] = {}
    for name in mixture.made:
        if name == CURRICULUM:
            made[name] = _generated(mixture, parallel)
        elif name == AUGMENTED:
            wanted = round(mixture.augmented * len(learned))
            made[name] = list(islice(copies(learned, mixture.generated_seed, parallel), wanted))
    return made


def _generated(mixture: MixtureOptions, parallel: ParallelMap) -> list[Problem]:
    """Return generated problems, without the skills that School keeps for its transfer part."""
    made: list[Problem] = []
    choice, place = Choice(mixture.language, part="train"), 0
    while missing := mixture.generated - len(made):
        # Some of these places have a skill that is left out. Further places replace them in the next turn.
        ranges = [range(place, place + missing)[start : start + _PLACES] for start in range(0, missing, _PLACES)]
        place += missing
        for own in parallel.map(_exercises, (choice, mixture.generated_seed), ranges, together=1):
            made += own
    return made


def _exercises(what: tuple[Choice, int], places: range) -> list[Problem]:
    choice, seed = what
    every = islice(generate(choice, seed, places.start), len(places))
    return [one for one in every if one.lesson and not find_skill(one.lesson.skill).transfer]


def copies(problems: Sequence[Problem], seed: int, parallel: ParallelMap = ONE_PROCESS) -> Iterator[Problem]:
    """Yield changed copies in random order: one of each problem that has any, then a second one of each, and so on."""
    sentences = distractors(problems)
    order = list(range(len(problems)))
    Random(f"{seed}/order").shuffle(order)  # noqa: S311 (nothing secret)
    for number in range(len(KINDS)):
        asked = [(problems[place], f"{seed}/{place}") for place in order]
        left = []
        for place, copy in zip(order, parallel.map(_copy, (sentences, number), asked), strict=True):
            if copy is not None:
                left.append(place)
                yield copy
        order = left


def _copy(shared: tuple[Sequence[str], int], asked: tuple[Problem, str]) -> Problem | None:
    """Return the copy with a number of a problem; those before it are made again, which is rarely needed."""
    (sentences, number), (problem, seed) = shared, asked
    return next(islice(_copies_of(problem, sentences, seed), number, None), None)


def _copies_of(problem: Problem, sentences: Sequence[str], seed: str) -> Iterator[Problem]:
    """Yield the copies that can be made of a problem, at most one of each kind, in random order."""
    rng = Random(seed)  # noqa: S311
    for name in rng.sample(KINDS, len(KINDS)):
        made = TRANSFORMATIONS[name](problem, sentences, rng)
        if made is not None:
            yield replace(made, id=f"{problem.id}+{name}", words=None)
