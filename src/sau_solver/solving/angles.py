"""Angles: degrees, unless pi is written in them.

sin(30), sin(30°) and sin(atan(0.75)) are in degrees, since atan gives degrees. sin(pi/6) and sin(pi*x) are in radians.
A pi inside another function, as in sin(asin(pi/4)), belongs to that function.
"""

from __future__ import annotations

from sau_solver.equations.expressions import Expression, Function, Operation

CIRCULAR = ("sin", "cos", "tan")


def in_radians(angle: Expression) -> bool:
    """Return whether pi is written in an angle, outside of functions."""
    match angle:
        case Function("pi", ()):
            return True
        case Operation(_, left, right):
            return in_radians(left) or in_radians(right)
    return False
