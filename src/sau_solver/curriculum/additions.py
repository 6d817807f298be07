"""Problems that a mixture learns from beside its corpora: generated ones, and changed copies of the learned ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from sau_solver.curriculum.augmentation import TRANSFORMATIONS, distractors
from sau_solver.curriculum.families import find_skill
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM, MixtureOptions
from sau_solver.problem import Problem

# Not `numbers`: a mixture compares texts without the spelling of their numbers, and would drop such a copy as repeated.
KINDS = tuple(name for name in TRANSFORMATIONS if name != "numbers")


def additions(mixture: MixtureOptions, learned: Sequence[Problem]) -> dict[str, Sequence[Problem]]:
    """Return the problems of the sources that a mixture makes, given the problems that it learns from its corpora.

    No family that is held out, no skill that School keeps for its transfer part, and no text of a problem that is not
    learned takes part in them.
    """
    made: dict[str, Sequence[Problem]] = {}
    for name in mixture.made:
        if name == CURRICULUM:
            every = generate(Choice(mixture.language, part="train"), mixture.generated_seed)
            learned_skills = (one for one in every if one.lesson and not find_skill(one.lesson.skill).transfer)
            made[name] = list(islice(learned_skills, mixture.generated))
        elif name == AUGMENTED:
            wanted = round(mixture.augmented * len(learned))
            made[name] = list(islice(copies(learned, mixture.generated_seed), wanted))
    return made


def copies(problems: Sequence[Problem], seed: int) -> Iterator[Problem]:
    """Yield changed copies in random order: one of each problem that has any, then a second one of each, and so on."""
    sentences = distractors(problems)
    order = list(range(len(problems)))
    Random(f"{seed}/order").shuffle(order)  # noqa: S311 (nothing secret)
    makers = [_copies_of(problems[place], sentences, f"{seed}/{place}") for place in order]
    while makers:
        left = []
        for maker in makers:
            if (copy := next(maker, None)) is not None:
                left.append(maker)
                yield copy
        makers = left


def _copies_of(problem: Problem, sentences: Sequence[str], seed: str) -> Iterator[Problem]:
    """Yield the copies that can be made of a problem, at most one of each kind, in random order."""
    rng = Random(seed)  # noqa: S311
    for name in rng.sample(KINDS, len(KINDS)):
        made = TRANSFORMATIONS[name](problem, sentences, rng)
        if made is not None:
            yield replace(made, id=f"{problem.id}+{name}", words=None)
