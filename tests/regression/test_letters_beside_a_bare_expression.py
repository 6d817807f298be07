"""`1/2; xx=3` was read with an unknown xx beside the x of `x=1/2`, and printed as x times x."""

from __future__ import annotations

from sau_solver.equations.expressions import to_text
from sau_solver.equations.parser import parse


def test_letters_beside_a_bare_expression() -> None:
    equations = parse("1/2; xx=3")
    assert equations == parse("x=1/2; x*x=3")
    assert parse(to_text(equations)) == equations
