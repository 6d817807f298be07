"""An expression without unknowns -> its exact value, as labels and answers need it."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.equations.expressions import Expression
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.arithmetic import NotEvaluatedError
from sau_solver.solving.arithmetic import evaluate as evaluate_at


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
    try:
        return evaluate_at(expression, {}, exact=True)
    except NotEvaluatedError:
        raise NoValueError(f"{expression} has no rational value") from None
