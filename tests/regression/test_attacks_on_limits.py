"""Operations of the exact solver exceeded their limits or gave wrong answers for generated inputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sau_solver.equations.parser import parse_statements
from sau_solver.explaining.worked import work
from sau_solver.solving import Outcome, symbolic
from sau_solver.solving.budget import DECISION_SECONDS, limited
from sau_solver.solving.conditions import meets
from sau_solver.solving.whole_numbers import is_prime
from tests.regression.test_attacks_on_the_exact_path import PATIENCE, shown, solved


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    """Start SymPy before the tests, however long that takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symbolic, "START_SECONDS", PATIENCE)
        assert solved("2^x=8").outcome is Outcome.SOLVED
        yield


def test_a_thousand_proofs_that_a_number_is_prime_are_one() -> None:
    is_prime.cache_clear()
    assert solved("x=2^399-91; " + "; ".join(["is_prime(x)"] * 1_000)).outcome is Outcome.SOLVED
    assert is_prime.cache_info().misses == 1


def test_conditions_have_one_time_limit_together() -> None:
    text = "; ".join(["*".join(f"(x-{k})" for k in range(50)) + "=0", *(f"x!={k}/3+1/7" for k in range(900))])
    assert work(text).solved.outcome in (Outcome.SOLVED, Outcome.TOO_HARD)
    with limited(DECISION_SECONDS), limited(0):
        assert meets({}, parse_statements("x=1; 1<2").conditions[0]) is None


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("(x^0.5)^(7^4000)>0", True),
        ("(((x^0.5)^(7^1000))^(7^1000))^(7^1000)<0", False),
        ("*".join(f"{k}^(1/997)" for k in range(2, 200)) + ">1", True),
    ],
)
def test_bounds_of_huge_powers_do_not_overflow(condition: str, met: bool) -> None:
    assert solved(f"x=2; {condition}").outcome is (Outcome.SOLVED if met else Outcome.NONE)


# A number close to a root was taken for the root, and the root was dropped because that number is none.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x=exp(0-100)", "x=exp(-100)"),
        ("x=1+exp(0-100)", "x=exp(-100) + 1"),
        ("2^x=1+exp(0-100)", "x=ln(exp(-100) + 1)/ln(2)"),
        ("x=1/3+exp(0-300)", "x=exp(-300) + 1/3"),
    ],
)
def test_a_root_that_is_close_to_a_fraction_is_not_lost(text: str, expected: str) -> None:
    result = solved(text)
    assert (result.outcome, shown(result)) == (Outcome.SOLVED, expected)


@pytest.mark.parametrize("text", ["(2^x-1)/x=0", "x/(2^x-1)=0", "ln(x)/(x-1)=0"])
def test_a_root_that_makes_a_divisor_zero_is_still_none(text: str) -> None:
    assert solved(text).outcome is Outcome.NONE


def test_sympy_alone_does_not_prove_that_there_is_no_solution() -> None:
    result = solved("(2^x-1-exp(0-300))/x=0")  # SymPy finds none, but there is one near 7e-131
    assert (result.outcome, str(result.reason)) == (
        Outcome.TOO_HARD,
        "no solution was found, but there may be one",
    )
    assert solved("x^x=27").outcome is Outcome.PARTIAL


@pytest.mark.parametrize("text", ["x=ln(0-5)", "x*ln(0-1)=0", "x=asin(2)", "x=1/(sin(10)^2+cos(10)^2-1)"])
def test_a_constant_without_a_real_value_leaves_no_solution(text: str) -> None:
    assert solved(text).outcome is Outcome.NONE


# A value with pi that was put into an angle turned its degrees into radians.


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("x=pi; y=sin(x)", "y", 0.05480366514878953),
        ("y=sin(x)+cos(x); x=2*pi", "y", 1.1034357),
        ("x=pi/2; y=sin(pi*x/180)", "y", 0.0274121),
        ("asin(x)+pi=30", "x", 0.4517872),
    ],
)
def test_an_angle_in_degrees_stays_in_degrees(text: str, name: str, value: float) -> None:
    (solution,) = solved(text).solutions
    assert float(solution[name]) == pytest.approx(value, abs=1e-6)
