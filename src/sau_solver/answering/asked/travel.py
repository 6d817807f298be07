"""The equation of two travelers, (60+80)*x=420 -> the time x, and the distance of one traveler, such as 80*x."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk_equations
from sau_solver.text.asking import Thing

_TIME = re.compile(r"hours?|minutes?|seconds?|days?|h|小时|时|分钟?|秒|天")
_DISTANCE = re.compile(r"miles?|kilometers?|kilometres?|meters?|metres?|feet|km|m|千米|公里|米")


def travel_asked(things: Sequence[Thing], equations: Equations, name: str) -> list[Expression | None] | None:
    """Return the expression that each question asks for; None if the equation is not about two travelers.

    One question must ask for the time, which is the unknown, and the others for distances. The entry of a question is
    None if the equation does not answer it.
    """
    speeds = _speeds(equations, Unknown(name))
    timed = [bool(_TIME.fullmatch(thing.unit)) for thing in things]
    far = [bool(_DISTANCE.fullmatch(thing.unit)) for thing in things]
    if len(speeds) != 2 or timed.count(True) != 1 or far.count(True) != len(things) - 1:
        return None
    pick = {"larger": max(speeds), "smaller": min(speeds)}
    return [
        Unknown(name)
        if is_time
        else Operation("*", Number(pick[thing.relation]), Unknown(name))
        if thing.relation in pick
        else None
        for thing, is_time in zip(things, timed, strict=True)
    ]


def _speeds(equations: Equations, time: Unknown) -> list[Fraction]:
    """Return the two numbers that the time is multiplied by: 60 and 80 of (60+80)*x or of 60*x+80*x."""
    found: list[Fraction] = []
    for node in walk_equations(equations):
        if isinstance(node, Operation) and node.operator == "*" and time in (node.left, node.right):
            factor = node.left if node.right == time else node.right
            if isinstance(factor, Operation) and factor.operator in "+-":
                found += [one.value for one in (factor.left, factor.right) if isinstance(one, Number)]
            elif isinstance(factor, Number):
                found.append(factor.value)
    return found if len(equations) == 1 else []
