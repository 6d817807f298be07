"""log(x) + log(x+3) = 1 -> x*(x+3) = 10: equations that are sums of logarithms, without logarithms."""

from __future__ import annotations

import math
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Operation, unknowns_of
from sau_solver.solving.exact_values import exact_value

MAX_POWER = 20


def without_logarithms(node: Expression, name: str) -> Expression:
    """Return an expression that vanishes where a sum of logarithms does, and perhaps outside of its domain.

    Other expressions, and single logarithms, stay as they are.
    """
    terms: list[tuple[Fraction, Expression]] = []
    if not _collected(node, Fraction(1), terms):
        return node
    logarithms = [(k, one) for k, one in terms if isinstance(one, Function) and _has(one, name)]
    rest = [(k, one) for k, one in terms if not _has(one, name)]
    if len(logarithms) < 2 or len(logarithms) + len(rest) < len(terms):
        return node
    bases = {(one.name, one.arguments[1:]) for _, one in logarithms}
    scale = math.lcm(*(k.denominator for k, _ in logarithms))
    if len(bases) != 1 or any(_has(argument, name) for _, extra in bases for argument in extra):
        return node
    ((kind, extra),) = bases
    base = extra[0] if extra else Number(Fraction(10)) if kind == "log" else Function("exp", (Number(Fraction(1)),))
    sides: list[Expression] = [Number(Fraction(1)), Number(Fraction(1))]
    for k, one in logarithms:
        power = abs(k * scale)
        if power > MAX_POWER:
            return node
        sides[k < 0] = Operation("*", sides[k < 0], Operation("^", one.arguments[0], Number(power)))
    constant: Expression = Number(Fraction(0))
    for k, term in rest:
        constant = Operation("-", constant, Operation("*", Number(k * scale), term))
    value = exact_value(constant, {}).rational
    other = Operation("^", base, constant if value is None else Number(value))
    return Operation("-", sides[0], Operation("*", other, sides[1]))


def _collected(node: Expression, factor: Fraction, terms: list[tuple[Fraction, Expression]]) -> bool:
    """Collect the terms of a sum with their rational factors; return whether that is possible."""
    match node:
        case Operation("+" | "-" as sign, left, right):
            return _collected(left, factor, terms) and _collected(right, factor if sign == "+" else -factor, terms)
        case Operation("*", Number(value), right):
            return _collected(right, factor * value, terms)
        case Operation("*" | "/" as sign, left, Number(value)) if value:
            return _collected(left, factor * value if sign == "*" else factor / value, terms)
        case Function("ln" | "log", _):
            terms.append((factor, node))
            return True
    terms.append((factor, node))
    return not unknowns_of((Equation(node, node),))


def _has(node: Expression, name: str) -> bool:
    return name in unknowns_of((Equation(node, node),))
