"""(x-1)^2 + abs(y-2) = 0 -> x-1 = 0 and y-2 = 0: a sum of nonnegative terms is 0 only if each term is 0."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.equations.expressions import Equation, Equations, Expression, Function, Number, Operation, unknowns_of

ZERO = Number(Fraction(0))


def taken_apart(equations: Equations) -> Equations:
    """Return the equations with each such sum replaced by one equation for each of its terms."""
    found: list[Equation] = []
    for equation in equations:
        parts = None
        if ZERO in (equation.left, equation.right):
            side = equation.left if equation.right == ZERO else equation.right
            parts = _parts(side) if isinstance(side, Operation) and side.operator == "+" else None
        several = parts is not None and len(unknowns_of(tuple(Equation(part, ZERO) for part in parts))) > 1
        found += [Equation(part, ZERO) for part in parts or ()] if several else [equation]
    return tuple(found)


def _parts(node: Expression) -> list[Expression] | None:
    """Return what must be zero for a sum of terms that are never negative; None if it is not such a sum."""
    match node:
        case Operation("+", left, right):
            first, second = _parts(left), _parts(right)
            return first + second if first is not None and second is not None else None
        case Operation("*", Number(value), right) if value > 0:
            return _parts(right)
        case Operation("*" | "/", left, Number(value)) if value > 0:
            return _parts(left)
        case Operation("^", base, Number(power)) if power > 0 and (
            power.numerator % 2 == 0 or power.denominator % 2 == 0
        ):
            return [base]
        case Function("abs", (argument,)):
            return [argument]
        case Number(value) if value > 0:
            return [node]
    return None
