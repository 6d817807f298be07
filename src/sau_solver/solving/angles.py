"""Angles: degrees, unless pi is written in them.

sin(30), sin(30°) and sin(atan(0.75)) are in degrees, since atan gives degrees. sin(pi/6) and sin(pi*x) are in radians.
A pi inside another function, as in sin(asin(pi/4)), belongs to that function.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Function, Number, Operation, replaced

CIRCULAR = ("sin", "cos", "tan")


def in_radians(angle: Expression) -> bool:
    """Return whether pi is written in an angle, outside of functions."""
    match angle:
        case Function("pi", ()):
            return True
        case Operation(_, left, right):
            return in_radians(left) or in_radians(right)
    return False


def radians_of(degrees: Expression) -> Expression:
    """Return an angle in degrees as one in radians: pi*angle/180."""
    return Operation("/", Operation("*", Function("pi", ()), degrees), Number(Fraction(180)))


def substituted(equations: Equations, by: Mapping[Expression, Expression]) -> Equations:
    """Return the equations with some expressions replaced by others; angles in degrees stay in degrees.

    After x=pi, sin(x) is the sine of pi degrees, while sin(pi) would be that of pi radians.
    """
    return replaced(equations, by, _in_degrees_as_before)


def _in_degrees_as_before(before: Function, after: Function) -> Function:
    if after.name not in CIRCULAR or in_radians(before.arguments[0]) or not in_radians(after.arguments[0]):
        return after
    return Function(after.name, (radians_of(after.arguments[0]),))
