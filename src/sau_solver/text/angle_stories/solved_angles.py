"""A story about angles with what it asks for: the fact that it needs, an equation if it has one, and calculations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.equations.expressions import number_text

AngleUnit = Literal["degrees", "percent", "sides", "minutes", "hours", "seconds", "turns"]

STRAIGHT = Fraction(180)
FULL = Fraction(360)
RIGHT = Fraction(90)


@dataclass(frozen=True, slots=True)
class Working:
    """One calculation: 180-48-65 is 67. `name` is the term of the angle that it gives: ord3, vertex, ∠A."""

    expression: str
    value: Fraction
    name: str = ""
    unit: AngleUnit = "degrees"


@dataclass(frozen=True, slots=True)
class AngleStory:
    """What a text about angles asks for, and how it is found."""

    reason: str  # the fact of geometry that the calculation needs; its sentence is the phrase angle_REASON
    asked: tuple[Working, ...]
    workings: tuple[Working, ...] = ()  # in the order of the steps
    values: tuple[tuple[str, object], ...] = ()  # that fill the sentence of the reason
    equation: str = ""  # in x, which is the angle called `unknown`
    unknown: str = ""

    @property
    def answers(self) -> tuple[Fraction, ...]:
        """The values asked for, in the order of the questions."""
        return tuple(one.value for one in self.asked)


def plain(value: Fraction) -> str:
    """Return a number as a term of an expression: 48, 27.5, (1/3)."""
    shown = number_text(value)
    return f"({shown})" if "/" in shown or value < 0 else shown
