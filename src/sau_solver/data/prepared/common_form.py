"""Rewrite the gold equations of any corpus in the common form that a mixture teaches.

The unknowns become the requested quantities (`requested_unknowns`). A single equation `expression = x` becomes
`x = expression`, so that its tree is the bare arithmetic. Numbers become those of the text:
- A quotient in brackets is parsed as one number, because Chinese corpora write (1/2) for a half. If the text does not
  contain that number, it becomes a division, such as (174/3) for 174 kilometers in 3 hours.
- If the text has 62 %, then 62 in an equation becomes 62 % times 100, unless a notation of normal_form explains it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import gcd

from sau_solver.data.labels import statements_of
from sau_solver.data.prepared.requested_unknowns import over_requested_unknowns
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Statements,
    Unknown,
    replaced,
)
from sau_solver.equations.normal_form import normal_form
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText

_QUOTIENT = re.compile(r"(?<![\d.)%A-Za-z])\(\ *([0-9]+)\ */\ *(0*[1-9][0-9]*)\ *\)")
_PERCENT = re.compile(r"[%％]|per\s?cent|百分之", re.IGNORECASE)
_HUNDRED = Number(Fraction(100))


def common_form(problem: Problem, text: MappedText, statements: Statements) -> Equations:
    """Return the equations that a model learns for a problem."""
    known = frozenset(number.value for number in text.numbers)
    divided = tuple(_divided(equation, known) for equation in problem.equations)
    if divided != problem.equations:
        statements = statements_of(replace(problem, equations=divided))
    equations = _with_percents(over_requested_unknowns(problem, statements), text, known)
    if len(equations) == 1 and isinstance(equations[0].right, Unknown) and not isinstance(equations[0].left, Unknown):
        return (Equation(equations[0].right, equations[0].left),)
    return equations


def _divided(equation: str, known: frozenset[Fraction]) -> str:
    """Write the quotients that are steps of the solution as divisions, (174/(3)), so that they do not parse as numbers.

    A step divides a number of the text, or is not a reduced fraction. Otherwise 3/4 may be a constant.
    """

    def divide(match: re.Match[str]) -> str:
        above, below = int(match[1]), int(match[2])
        is_step = (above > 1 and above in known) or gcd(above, below) > 1
        return f"({above}/({below}))" if is_step and Fraction(above, below) not in known else match[0]

    return _QUOTIENT.sub(divide, equation)


def _with_percents(equations: Equations, text: MappedText, known: frozenset[Fraction]) -> Equations:
    """Replace 62 by 62 % times 100 if the text contains the percentage and not the number."""
    percents: dict[Expression, Expression] = {
        Number(100 * number.value): Operation("*", Number(number.value), _HUNDRED)
        for number in text.numbers
        if _PERCENT.search(number.text) and 100 * number.value not in known and number.value != 1
    }
    if not percents:
        return equations
    folded = normal_form(equations, tuple(known), "folded")  # so that 62*0.01 is 62 % and not a 62
    return replaced(folded, percents)
