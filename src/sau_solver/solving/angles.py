"""Angles: degrees, unless pi is written in them.

sin(30), sin(30°) and sin(atan(0.75)) are in degrees, since atan gives degrees. sin(pi/6) and sin(pi*x) are in radians.
A pi inside another function, as in sin(asin(pi/4)), belongs to that function.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Equations, Expression, Function, Number, Operation

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

    def replace(node: Expression) -> Expression:
        if node in by:
            return by[node]
        match node:
            case Operation(operator, left, right):
                return Operation(operator, replace(left), replace(right))
            case Function(name, (angle,)) if name in CIRCULAR:
                changed = replace(angle)
                turned = in_radians(changed) and not in_radians(angle)
                return Function(name, (radians_of(changed) if turned else changed,))
            case Function(name, arguments):
                return Function(name, tuple(map(replace, arguments)))
        return node

    return tuple(Equation(replace(one.left), replace(one.right)) for one in equations)
