"""Explaining equations that the solver refused once repeated the elimination."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse
from sau_solver.explaining.derivation import explain
from sau_solver.solving import solve
from sau_solver.solving.outcomes import Reason
from sau_solver.solving.symbolic import SymbolicAnswer

HARD = [
    "x^13*y^14+x^7*y^9=x^12+y^30+3; x^29*y^3+x^11*y^17=x*y^21+7",
    "; ".join(f"a{k}^40+a{(k + 1) % 3}^39*a{k}=7" for k in range(3)),
]


class Fixed:
    """A symbolic solver that always gives the same answer."""

    def __init__(self, answer: SymbolicAnswer) -> None:
        self.answer = answer

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        return self.answer


@pytest.mark.parametrize("text", HARD)
def test_refused_equations_have_no_algebra_in_their_steps(text: str) -> None:
    equations = parse(text)
    refused = solve(equations, worker=Fixed(SymbolicAnswer(None, Reason("no_method"))))
    assert [str(step) for step in explain(equations, refused)][1:] == [
        "No solution was found within the limits: no method can solve these equations."
    ]


@pytest.mark.parametrize("text", HARD)
def test_what_sympy_solved_is_said_to_be_solved_symbolically(text: str) -> None:
    equations = parse(text)
    found = solve(equations, worker=Fixed(SymbolicAnswer([{"x": Fraction(1)}])))
    assert [str(step) for step in explain(equations, found)][1:3] == [
        "The equations were solved symbolically.",
        "Solution: x = 1.",
    ]
