"""Steps are not worked out for equations that the solver refused: showing them once repeated the elimination."""

from __future__ import annotations

import pytest

from sau_solver.equations.parser import parse
from sau_solver.explaining.moves import explain
from sau_solver.solving import Outcome, Reason, Solved


@pytest.mark.parametrize(
    "text",
    [
        "x^13*y^14+x^7*y^9=x^12+y^30+3; x^29*y^3+x^11*y^17=x*y^21+7",
        "; ".join(f"a{k}^40+a{(k + 1) % 3}^39*a{k}=7" for k in range(3)),
    ],
)
def test_refused_equations_have_no_algebra_in_their_steps(text: str) -> None:
    equations = parse(text)
    steps = explain(equations, Solved(Outcome.TOO_HARD, reason=Reason("many_cases")), "en")
    assert [str(step) for step in steps[1:]] == [
        "No solution was found within the limits: the system has too many cases."
    ]
    by_sympy = explain(equations, Solved(Outcome.SOLVED), "en")
    assert [str(step) for step in by_sympy[1:]] == ["The equations were solved symbolically."]
