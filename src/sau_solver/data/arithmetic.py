"""An expression without unknowns -> its exact value. `sau_solver.equations` parses; this only computes."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from sau_solver.equations import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.expressions import Expression, Number, Operation

MAX_POWER_DIGITS = 400  # of the value of a power


class NoValueError(ValueError):
    """No exact rational value: an unknown, a function, an irrational root, a division by zero."""


def evaluate_text(text: str) -> Fraction:
    """The exact value of an arithmetic expression; NoValueError where it does not read or has none."""
    try:
        return evaluate(parse_expression(text))
    except (EquationError, TooLargeError) as error:
        raise NoValueError(str(error)) from None


def evaluate(expression: Expression) -> Fraction:
    """The exact value of an expression tree. The parser's limit on depth bounds the recursion."""
    match expression:
        case Number(value):
            return value
        case Operation(operator, left, right):
            return _apply(operator, evaluate(left), evaluate(right))
        case _:
            raise NoValueError(f"{expression} has no rational value")


def _apply(operator: str, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right != 0:
            return left / right
        case "^":
            return _power(left, right)
    raise NoValueError("division by zero")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent == Fraction(1, 2):
        return _square_root(base)
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        raise NoValueError(f"{base} to the power {exponent} is not rational")
    digits = len(str(max(abs(base.numerator), base.denominator)))
    if digits * abs(exponent.numerator) > MAX_POWER_DIGITS:
        raise NoValueError(f"a power of more than {MAX_POWER_DIGITS} digits")
    return Fraction(base**exponent.numerator)


def _square_root(value: Fraction) -> Fraction:
    if value >= 0:
        top, bottom = isqrt(value.numerator), isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    raise NoValueError(f"the square root of {value} is not rational")
