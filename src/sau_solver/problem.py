"""Problem: one math word problem with its published labels, the same for all corpora."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.phrases import Language

__all__ = ["AskedFor", "Language", "Lesson", "Problem"]


@dataclass(frozen=True, slots=True)
class AskedFor:
    """One thing that a problem asks for, as its author labels it."""

    unknown: str  # an unknown or an expression of unknowns: "y", "x-y"; for a remainder the division: "130/12"
    answer: Fraction
    unit: str = ""
    quantity: str = ""  # in the words of the text: "rolls", "the larger number"
    rounding: str = ""  # "", "up", "down" or "remainder"


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a problem teaches (docs/curriculum.md), for School and for generated problems."""

    skill: str
    grade: int
    group: str = ""  # the contrast group of School, or the family of a generated problem
    contrast: str = ""  # how the problem differs from the others of its group
    unneeded: tuple[Fraction, ...] = ()  # numbers of the text that the answer does not need


@dataclass(frozen=True, slots=True)
class Problem:
    """A math word problem as a corpus publishes it.

    `equations` keeps the published notation, one string per equation; `sau_solver.equations.parser` parses it.
    `answers` contains every annotated value in the published order. If a corpus accepts several answers ("3 or 5"),
    `alternatives` contains the others, each as complete as `answers`. `asked` contains the values that the question
    asks for, if the corpus labels them; where `asks` is given, they follow from it.
    """

    id: str
    text: str
    language: Language
    equations: tuple[str, ...] = ()
    answers: tuple[Fraction, ...] = ()
    alternatives: tuple[tuple[Fraction, ...], ...] = ()
    words: tuple[str, ...] | None = None  # the published segmentation
    unknowns: tuple[str, ...] = ()  # declared by the corpus
    fold: int | None = None  # the published fold, 0 to 4
    split: str | None = None  # the published split: train, valid, dev, test
    kind: str | None = None  # the published type or label
    asked: tuple[Fraction, ...] = ()
    asks: tuple[AskedFor, ...] = ()  # how each answer follows from the unknowns, if the corpus says it
    lesson: Lesson | None = None

    def __post_init__(self) -> None:
        if self.asks and not self.asked:
            object.__setattr__(self, "asked", tuple(one.answer for one in self.asks))
