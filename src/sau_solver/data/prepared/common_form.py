"""Gold equations of any corpus -> the one form in which a mixture teaches them.

The unknowns are what is asked for (asked.py). One equation `expression = x` becomes `x = expression`, so that its tree
is the bare arithmetic. Numbers are those of the text, where annotators wrote them in another way:
- a quotient in brackets, which is read as one number because Chinese corpora write (1/2) so, is a division where it is
  no number of the text: (174/3) of 174 kilometres in 3 hours;
- 62 where the text has 62 %, and no other notation of normal_form.py explains it, is a hundred times that.
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
    """The equations to learn for a problem."""
    known = frozenset(number.value for number in text.numbers)
    divided = tuple(_divided(equation, known) for equation in problem.equations)
    if divided != problem.equations:
        statements = statements_of(replace(problem, equations=divided))
    equations = _with_percents(over_requested_unknowns(problem, statements), text, known)
    if len(equations) == 1 and isinstance(equations[0].right, Unknown) and not isinstance(equations[0].left, Unknown):
        return (Equation(equations[0].right, equations[0].left),)
    return equations


def _divided(equation: str, known: frozenset[Fraction]) -> str:
    """The equation with quotients that are steps of the solution written as divisions: (174/(3)) is no literal.

    A step divides a number of the text, or does not come out as a reduced fraction; 3/4 alone may be a constant.
    """

    def divide(match: re.Match[str]) -> str:
        above, below = int(match[1]), int(match[2])
        is_step = (above > 1 and above in known) or gcd(above, below) > 1
        return f"({above}/({below}))" if is_step and Fraction(above, below) not in known else match[0]

    return _QUOTIENT.sub(divide, equation)


def _with_percents(equations: Equations, text: MappedText, known: frozenset[Fraction]) -> Equations:
    """The equations with 62 written as 62 % times 100, where the text has the percentage and not the number."""
    percents: dict[Expression, Expression] = {
        Number(100 * number.value): Operation("*", Number(number.value), _HUNDRED)
        for number in text.numbers
        if _PERCENT.search(number.text) and 100 * number.value not in known and number.value != 1
    }
    if not percents:
        return equations
    folded = normal_form(equations, tuple(known), "folded")  # 62*0.01 is 62 %, not 62 at all
    return replaced(folded, percents)
