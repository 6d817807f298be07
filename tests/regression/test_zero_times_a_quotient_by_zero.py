"""Found by random equations: an expression that divides by zero has no value, even if it is multiplied by zero."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve


@pytest.mark.parametrize("text", ["x=0; z=0*x^(-1/1000)", "x=0; z=0*(1+x^(-1/1000))", "x=0; z=0*x^(-1/2)"])
def test_a_root_that_makes_a_power_undefined_is_none(text: str) -> None:
    assert solve(parse(text)).outcome is Outcome.NONE


def test_one_that_does_not_is_kept() -> None:
    solved = solve(parse("x=1; z=0*x^(-1/1000)"))
    assert solved.solutions == ({"x": Fraction(1), "z": Fraction(0)},)
