"""x^2%4 is the remainder of x^2, as in programming languages. It was read as x^(2%4), and x%(2+3) as a percentage."""

from __future__ import annotations

import pytest

from sau_solver.explaining.worked import work
from sau_solver.solving import Outcome


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x=2^3%5", "3"), ("x=2*5%3", "1"), ("x=17%5*2", "4"), ("x=20%7%4", "2"), ("x=7%2^2", "3"), ("x=1+17%5", "3"),
        ("x=25%*80", "20"), ("25%x=5", "20"), ("25%(x+1)=5", "19"), ("x=100*(1+5%)(1-5%)", "399/4"), ("x=50%", "1/2"),
    ],
)  # fmt: skip
def test_a_remainder_is_that_of_everything_that_is_multiplied(text: str, value: str) -> None:
    assert [str(solution["x"]) for solution in work(text).solved.solutions] == [value]


@pytest.mark.parametrize("text", ["x=3; x^2%4=1", "x=10; x%(2+3)=0", "n=4; 2n%7=1"])
def test_a_condition_on_a_remainder_is_met(text: str) -> None:
    assert work(text).solved.outcome is Outcome.SOLVED
