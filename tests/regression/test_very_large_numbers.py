"""Numbers beyond the range of floats, or too long for Python to print, end in an outcome, not in an error."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.data.checking import after_rounding
from sau_solver.equations.parser import parse
from sau_solver.explaining.derivation import explain
from sau_solver.solving import Outcome, decimal_of, solve


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("x=14^269", Outcome.SOLVED),
        ("x=0-14^269", Outcome.SOLVED),
        ("x=9^3000*9^3000*9^3000", Outcome.TOO_HARD),
        ("x-9^3000*9^3000=1-9^3000*9^3000", Outcome.SOLVED),
        ("x^2=14^500", Outcome.SOLVED),
        ("x^2-14^150*x=1; y=x", Outcome.SOLVED),
        ("x^2=3000000000000000000000000000000000000000^9", Outcome.SOLVED),
        ("x^3=2*3000000000000000000000000000000000000000^9", Outcome.SOLVED),
        ("x^2=2; y=x+(1/(3*10^400))^(0-1/2)", Outcome.SOLVED),
    ],
)
def test_very_large_numbers(text: str, outcome: Outcome) -> None:
    equations = parse(text)
    solved = solve(equations)
    assert solved.outcome is outcome
    assert explain(equations, solved, "en")


def test_the_check_of_a_root_that_no_float_can_hold_is_left_out() -> None:
    equations = parse("x^2=2*10^400; y^2=2")
    assert not [step for step in explain(equations, solve(equations), "en") if step.kind == "check"]


@pytest.mark.slow
def test_an_empty_answer_of_sympy_is_no_proof_that_there_is_no_solution() -> None:
    assert solve(parse("x^2-14^269*x=1; y=x")).outcome is Outcome.TOO_HARD
    assert solve(parse("2^x=-1")).outcome is Outcome.NONE


def test_a_decimal_past_the_range_of_floats_is_infinite() -> None:
    assert decimal_of(solve(parse("x=14^269")).solutions[0]["x"]) > 1e308
    assert decimal_of(solve(parse("x=0-14^269")).solutions[0]["x"]) < -1e308


def test_an_annotated_answer_past_the_range_of_floats_agrees_with_no_other() -> None:
    assert not after_rounding(Fraction(7), Fraction(10) ** 400)
