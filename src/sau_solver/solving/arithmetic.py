"""Expressions and values of their unknowns -> the value of the expression."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Unknown
from sau_solver.solving.budget import CHEAP_BITS, MAX_RATIONAL_BITS, MAX_WHOLE, is_over
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import power_of_number
from sau_solver.solving.values import Value, decimal_of


class NotEvaluatedError(Exception):
    """The expression has an unknown without a value, an unsupported function, or no exact value within the limits."""


def evaluate(node: Expression, assignment: Mapping[str, Value], exact: bool = False) -> Fraction:
    """Return the value of an expression; irrational values are rounded to floats, or refused if `exact`."""
    match node:
        case Number(value):
            return value
        case Unknown(name) if name in assignment:
            known = assignment[name]
            return known if isinstance(known, Fraction) else _rounded(decimal_of(known), exact)
        case Operation(sign, left, right):
            return _operate(sign, evaluate(left, assignment, exact), evaluate(right, assignment, exact), exact)
        case Function("mod", (dividend, divisor)):
            return _operate("%", evaluate(dividend, assignment, exact), evaluate(divisor, assignment, exact), exact)
        case Function(name, arguments) if name in _FUNCTIONS:
            values = [evaluate(argument, assignment, exact) for argument in arguments]
            if name != "abs" and name not in _ROUNDING and not all(_is_whole(value) for value in values):
                raise NotEvaluatedError
            try:
                return Fraction(_FUNCTIONS[name](*values))
            except TypeError:  # the wrong number of arguments
                raise NotEvaluatedError from None
    raise NotEvaluatedError


def _is_whole(value: Fraction) -> bool:
    return value.denominator == 1 and 0 <= value <= MAX_WHOLE


def _integers(function: Callable[..., int]) -> Callable[..., int]:
    return lambda *values: function(*(value.numerator for value in values))


def divides_by_zero(node: Expression, assignment: Mapping[str, Value]) -> bool:
    """Return whether the expression divides by exactly 0 or raises 0 to a negative power."""
    if isinstance(node, Function):
        return any(divides_by_zero(argument, assignment) for argument in node.arguments)
    if not isinstance(node, Operation):
        return False
    if divides_by_zero(node.left, assignment) or divides_by_zero(node.right, assignment):
        return True
    if node.operator not in ("/", "^"):
        return False
    try:
        right = evaluate(node.right, assignment, exact=True)
        if node.operator == "/":
            return right == 0
        return right < 0 and evaluate(node.left, assignment, exact=True) == 0
    except NotEvaluatedError:
        return False


def _operate(sign: str, left: Fraction, right: Fraction, exact: bool) -> Fraction:
    if sign in "/%" and right == 0:
        raise NotEvaluatedError
    if sign != "^":
        _expect_room(sign, left, right)
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
        return _rounded_power(left, right, exact)
    except (TooHardError, DividesByZeroError):
        raise NotEvaluatedError from None


def _expect_room(sign: str, left: Fraction, right: Fraction) -> None:
    """Raise NotEvaluatedError before an operation whose result may be too long, or if no time is left."""
    one, other = (max(value.numerator.bit_length(), value.denominator.bit_length()) for value in (left, right))
    bits = one + other
    if bits <= CHEAP_BITS:
        return
    if sign in "+-" and left.denominator == right.denominator == 1:
        bits = max(one, other)
    if bits > MAX_RATIONAL_BITS or is_over():
        raise NotEvaluatedError


def _rounded_power(base: Fraction, exponent: Fraction, exact: bool) -> Fraction:
    try:
        power = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError):  # beyond the range of floats, or rounded to 0
        raise NotEvaluatedError from None
    if isinstance(power, complex):
        raise NotEvaluatedError
    return _rounded(power, exact)


def _rounded(value: float, exact: bool) -> Fraction:
    if exact or not math.isfinite(value):
        raise NotEvaluatedError
    return Fraction(value)


_ROUNDING = ("floor", "ceiling")
_FUNCTIONS: dict[str, Callable[..., Fraction | int]] = {
    "abs": abs, "floor": math.floor, "ceiling": math.ceil, "factorial": _integers(math.factorial),
    "comb": _integers(math.comb), "perm": _integers(math.perm), "gcd": _integers(math.gcd), "lcm": _integers(math.lcm),
}  # fmt: skip
