"""Figures with a known sum of their angles, and an angle of a figure as a multiple of one unknown plus a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.text.angle_stories.solved_angles import FULL, RIGHT, STRAIGHT, plain


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure whose angles have a known sum."""

    reason: str
    size: int  # the number of angles; 0 if the text must say it
    total: Fraction
    isosceles: bool = False
    twice: bool = False  # it has each of its angles twice; `size` counts two of them


def figure_of(kind: str) -> Figure | None:
    """Return the figure of a term without its `F.`; None if its angles have no sum that everybody knows."""
    if sides := re.fullmatch(r"r?poly(\d+)", kind):
        size = int(sides[1])
        reason = "quadrilateral" if size == 4 else "polygon"
        return Figure(reason, size, STRAIGHT * (size - 2)) if size > 2 else None
    return {
        "tri": Figure("triangle", 3, STRAIGHT),
        "rtri": Figure("right_triangle", 2, RIGHT),
        "itri": Figure("isosceles", 3, STRAIGHT, isosceles=True),
        "irtri": Figure("isosceles_right", 2, RIGHT),
        "etri": Figure("equilateral", 3, STRAIGHT),
        "para": Figure("parallelogram", 2, STRAIGHT, twice=True),
        "rhom": Figure("parallelogram", 2, STRAIGHT, twice=True),
        "itrap": Figure("isosceles_trapezoid", 2, STRAIGHT, twice=True),
        "lines": Figure("crossing", 2, STRAIGHT, twice=True),
        "compl": Figure("complementary", 2, RIGHT),
        "suppl": Figure("supplementary", 2, STRAIGHT),
        "straight": Figure("straight", 0, STRAIGHT),
        "right": Figure("right", 0, RIGHT),
        "turn": Figure("full_turn", 0, FULL),
        "circle": Figure("full_circle", 0, FULL),
    }.get(kind)


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle of a figure: factor · x + constant. `times` is how often the figure has it."""

    name: str
    factor: Fraction
    constant: Fraction
    times: int = 1

    @property
    def term(self) -> str:
        """The angle as a term of an equation: 50, x, 3*x, (3*x+20)."""
        if not self.factor:
            return plain(self.constant)
        multiple = "x" if self.factor == 1 else f"{plain(self.factor)}*x"
        if not self.constant:
            return multiple
        sign = "+" if self.constant > 0 else "-"
        return f"({multiple}{sign}{plain(abs(self.constant))})"
