"""Conditions beside equations (`x>0`, `is_digit(a)`, `n%7=0`) -> whether a solution meets them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from sau_solver.expressions import Condition, Expression, Function, Number, Operation, Unknown
from sau_solver.solving.polynomials import DividesByZeroError, NotPolynomialError, TooHardError, power_of_number
from sau_solver.solving.values import Value, decimal_of

_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class NotEvaluatedError(Exception):
    """The expression uses an unknown without a value, or a function that is not evaluated here."""


def meets(assignment: Mapping[str, Value], condition: Condition) -> bool:
    """Whether a solution meets a condition; one that cannot be evaluated is taken as met."""
    try:
        left, right = evaluate(condition.left, assignment), evaluate(condition.right, assignment)
    except NotEvaluatedError:
        return True
    match condition.relation:
        case "integer":
            return left.denominator == 1
        case "digit":
            return left.denominator == 1 and 0 <= left <= 9
        case "odd":
            return left % 2 == 1
        case "even":
            return left % 2 == 0
        case "prime":
            from flint import fmpz

            return left.denominator == 1 and bool(fmpz(left.numerator).is_prime())
        case relation:
            return _COMPARISONS[relation](left, right)


def with_remainders(assignment: Mapping[str, Value], conditions: tuple[Condition, ...]) -> Mapping[str, Value]:
    """The solution with unknowns that a condition defines, such as r in `r = s%9`."""
    extended = dict(assignment)
    for condition in conditions:
        if condition.relation == "=" and isinstance(condition.left, Unknown) and condition.left.name not in extended:
            try:
                extended[condition.left.name] = evaluate(condition.right, extended)
            except NotEvaluatedError:
                continue
    return extended


def evaluate(node: Expression, assignment: Mapping[str, Value]) -> Fraction:
    """The value of an expression; exact where the values are rational, else rounded as floats are."""
    match node:
        case Number(value):
            return value
        case Unknown(name) if name in assignment:
            known = assignment[name]
            return known if isinstance(known, Fraction) else _rounded(decimal_of(known))
        case Operation(sign, left, right):
            return _operate(sign, evaluate(left, assignment), evaluate(right, assignment))
        case Function("mod", (dividend, divisor)):
            return _operate("%", evaluate(dividend, assignment), evaluate(divisor, assignment))
    raise NotEvaluatedError


def _operate(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign in "/%" and right == 0:
        raise NotEvaluatedError
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "%":
            return left % right
    try:
        return power_of_number(left, right)
    except NotPolynomialError:
        return _rounded_power(left, right)
    except (TooHardError, DividesByZeroError):
        raise NotEvaluatedError from None


def _rounded_power(base: Fraction, exponent: Fraction) -> Fraction:
    try:
        power = float(base) ** float(exponent)
    except OverflowError:
        raise NotEvaluatedError from None
    if isinstance(power, complex):
        raise NotEvaluatedError
    return _rounded(power)


def _rounded(value: float) -> Fraction:
    if not math.isfinite(value):
        raise NotEvaluatedError
    return Fraction(value)
