"""A solution of a problem's equations -> the value that is asked for: an unknown, a difference, or a rounded value."""

from __future__ import annotations

import math
from fractions import Fraction

from sau_solver.equations.parser import parse_expression
from sau_solver.errors import SauError
from sau_solver.problem import AskedFor, Problem
from sau_solver.solving import Assignment, Solved, Value
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate


def value_asked_for(asked: AskedFor, solution: Assignment) -> Value:
    """Return the value that a solution gives to what is asked."""
    if asked.rounding == "remainder":  # 130/12 asks for what is left of 130 after groups of 12
        over, _, under = asked.unknown.rpartition("/")
        return _rational(over, solution) % _rational(under, solution)
    value = evaluate(parse_expression(asked.unknown), solution, exact=True)
    if asked.rounding and isinstance(value, Fraction):
        return Fraction(math.ceil(value) if asked.rounding == "up" else math.floor(value))
    return value


def gives_what_is_asked(problem: Problem, solved: Solved) -> bool:
    """Return whether one solution gives the labeled value of every thing that is asked for.

    A label that cannot be read, or that names an unknown which the equations lack, has no value.
    """
    return any(all(_is_given(asked, solution) for asked in problem.asks) for solution in solved.solutions)


def _is_given(asked: AskedFor, solution: Assignment) -> bool:
    try:
        return value_asked_for(asked, solution) == asked.answer
    except (SauError, NotEvaluatedError, ZeroDivisionError):
        return False


def _rational(text: str, solution: Assignment) -> Fraction:
    return Fraction(str(evaluate(parse_expression(text), solution, exact=True)))
