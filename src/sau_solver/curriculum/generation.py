"""A choice of skill, grade and part -> a sequence of exercises. The id of an exercise is enough to make it again.

The id `en-speed-3-17` names the language, the skill, the seed and the place in the sequence of that seed. Exercises for
training come from the part `train`, without the held-out families, and say so in their id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Literal

from sau_solver.curriculum.exercises import make_exercise
from sau_solver.curriculum.families import Family, families_of, find_skill, skills
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language
from sau_solver.problem import Problem

Part = Literal["all", "train", "held-out"]

MAX_SEED = 2**32 - 1
GRADES = range(1, 10)

_ID = re.compile(r"(en|zh)-([a-z-]+)-(\d{1,10})-(\d{1,12})(?:-(train|held-out))?")


@dataclass(frozen=True, slots=True)
class Choice:
    """What to generate: exercises of one skill of any grade, of every skill of a grade, or of every skill."""

    language: Language
    skill: str | None = None
    grade: int | None = None
    part: Part = "all"


def generate(choice: Choice, seed: int = 1, start: int = 0) -> Iterator[Problem]:
    """Return the exercises of a choice, without end, from a place in the sequence on."""
    if not 0 <= seed <= MAX_SEED:
        raise FamilyError(f"The seed must be between 0 and {MAX_SEED}, got {seed}.")
    return _sequence(choice, chosen_families(choice), seed, start)


def _sequence(choice: Choice, chosen: Sequence[Family], seed: int, start: int) -> Iterator[Problem]:
    place = start
    while True:
        skill = chosen[int(_random(seed, place).random() * len(chosen))].skill.name
        yield _exercise(choice, skill, seed, place)
        place += 1


def chosen_families(choice: Choice) -> tuple[Family, ...]:
    """Return the families of a choice; raise FamilyError if there are none."""
    names = skills() if choice.skill is None else (find_skill(choice.skill).name,)
    if choice.grade is not None and choice.grade not in GRADES:
        raise FamilyError(f"The grade must be between {GRADES[0]} and {GRADES[-1]}, got {choice.grade}.")
    found = tuple(
        family
        for name in names
        if choice.skill is not None or choice.grade in (None, skills()[name].grade)
        for family in _group(choice.language, choice.part, name)
    )
    if not found:
        raise FamilyError(
            f"There are no problems for this choice in the language {choice.language}. `sau generate --list` shows all."
        )
    return found


@cache
def families_by_skill(language: Language, part: Part = "all") -> Mapping[str, tuple[Family, ...]]:
    """Return the families of each skill that has some, in the order of the skills."""
    return {name: group for name in skills() if (group := _group(language, part, name))}


@cache
def _group(language: Language, part: Part, name: str) -> tuple[Family, ...]:
    """Return the families of a skill that belong to a part."""
    found = families_of(language, name)
    return tuple(family for family in found if part == "all" or family.held_out == (part == "held-out"))


def exercise_of(name: str) -> Problem:
    """Return the exercise with an id; raise FamilyError if there is none."""
    match = _ID.fullmatch(name)
    if match is None or int(match[3]) > MAX_SEED:
        raise FamilyError(f"There is no exercise {name!r}. An id looks like en-speed-3-17.")
    part: Part = "train" if match[5] == "train" else "held-out" if match[5] else "all"
    choice = Choice("en" if match[1] == "en" else "zh", find_skill(match[2]).name, part=part)
    chosen_families(choice)
    return _exercise(choice, match[2], int(match[3]), int(match[4]))


def _exercise(choice: Choice, skill: str, seed: int, place: int) -> Problem:
    group = _group(choice.language, choice.part, skill)
    rng = _random(choice.language, skill, seed, place)
    ending = "" if choice.part == "all" else f"-{choice.part}"
    made = make_exercise(group[int(rng.random() * len(group))], rng)
    return replace(made, id=f"{choice.language}-{skill}-{seed}-{place}{ending}")


def _random(*key: object) -> Random:
    return Random("/".join(map(str, key)))  # noqa: S311 (nothing secret)
