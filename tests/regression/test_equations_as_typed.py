"""What users typed and saw: superscripts as names, an expression solved for x, words as unknowns, a shell command."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver import load
from sau_solver.equations.parser import parse_statements
from sau_solver.errors import EquationError, InputError
from sau_solver.explaining.worked import work

SOLVER = load()


def roots(text: str) -> list[dict[str, str]]:
    return [{name: str(value) for name, value in root.items()} for root in work(text).solved.solutions]


def test_a_superscript_is_a_power() -> None:
    assert roots("x²=16") == [{"x": "-4"}, {"x": "4"}]
    assert {"x": "3", "y": "4"} in roots("x²+y²=25; xy=12")
    assert roots("x⁻¹=4") == [{"x": "1/4"}]


def test_a_power_after_a_product_of_letters_belongs_to_the_last() -> None:
    assert roots("x=2; y=3; z=xy²") == [{"x": "2", "y": "3", "z": "18"}]


@pytest.mark.parametrize("text", ["2x+3", "hello", "hello world"])
def test_an_expression_with_letters_is_no_equation(text: str) -> None:
    with pytest.raises(EquationError, match="no '='"):
        parse_statements(text)


def test_and_separates_equations() -> None:
    assert roots("x=1 and y=2") == [{"x": "1", "y": "2"}]


def test_equations_that_run_together_are_refused_with_a_hint() -> None:
    with pytest.raises(EquationError, match="3x=9; x=3"):
        parse_statements("3x=9 x=3")
    assert roots("2 x = 3 y = 12") == [{"x": "6", "y": "4"}]


def test_a_share_of_an_unknown_is_no_remainder() -> None:
    assert roots("25%x=40") == [{"x": "160"}]


@pytest.mark.parametrize("text", ["2x+3=11", "Solve 2x+3=11", "解方程：2x+3=11"])
def test_an_equation_in_the_box_is_solved(text: str) -> None:
    solution = SOLVER.solve(text)
    assert (solution.answers, solution.kind, solution.confidence) == ((Fraction(4),), "equation", 1.0)
    assert not solution.abstained
    assert solution.model == ""


def test_a_calculation_is_answered_in_the_language_of_the_reader() -> None:
    assert SOLVER.solve("3+5*2").steps[-1].text == "Answer: 13."
    assert SOLVER.solve("3+5*2", reader="zh").steps[-1].text == "答：13。"


def test_negative_numbers_are_no_foreign_language() -> None:
    assert SOLVER.solve("-51 + (23 - 9) + -5").answers == (Fraction(-42),)


def test_is_17_a_prime_number_is_answered() -> None:
    assert SOLVER.solve("Is 17 a prime number?").display == "yes"


def test_a_broken_formula_says_what_is_wrong() -> None:
    with pytest.raises(InputError, match=r"Expected a number, an unknown or '\('"):
        SOLVER.solve("3+*5")


def test_an_equation_with_very_long_numbers_is_solved_without_its_check() -> None:
    solution = SOLVER.solve("If (1/5)^n * (1/4)^18 = 1/(2*10^35), then n = ?")
    assert solution.answers == (Fraction(35),)
