"""Decimals of solutions near 0 were the middle of an enclosure that was wider than the solution itself."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, about, decimal_of, solve
from sau_solver.solving.values import ClosedForm


@pytest.mark.slow
@pytest.mark.parametrize(
    ("equation", "decimal"),
    [
        ("x=exp(0-7^4000)", 0.0),  # below the range of floats
        ("x=ln(2)-ln(2+1/10^100)", -5e-101),
        ("x=exp(1/10^150)-1", 1e-150),
        ("x=exp(0-100)", math.exp(-100)),
    ],
)
def test_decimals_of_tiny_solutions(equation: str, decimal: float) -> None:
    solved = solve(parse(equation), deadline=10)
    assert solved.outcome is Outcome.SOLVED
    assert decimal_of(solved.solutions[0]["x"]) == pytest.approx(decimal, rel=1e-14, abs=0)


@pytest.mark.slow
def test_a_number_beyond_the_range_of_floats_is_not_shown_as_infinity() -> None:
    for equation, shown in (("x=exp(1000)", "1.97007e+434"), ("3x=10^500", "3.33333e+499")):
        assert about(solve(parse(equation), deadline=10).solutions[0]["x"]) == shown


def test_digits_that_the_bounds_do_not_settle_are_not_shown() -> None:
    low, high = Fraction(1, 10**500), Fraction(5, 10**483)
    assert about(ClosedForm.between("root(x-exp(0-7^4000), 0)", low, high)) == "0"
    assert about(ClosedForm.between("tiny", high / 3, high / 3 + low)) == "1.66667e-483"
    assert about(ClosedForm.between("huge", 1 / high, 2 / high)) == ""
