"""Worked steps explain the moves of the solver in the given language and end with the check."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse
from sau_solver.explaining.derivation import explain, value_text
from sau_solver.problem import Language
from sau_solver.solving import solve
from tests.strategies import arithmetic, equation_lists


def steps(text: str, language: Language = "en") -> list[str]:
    equations = parse(text)
    return [str(step) for step in explain(equations, solve(equations), language)]


def test_a_quadratic_is_solved_by_completing_the_square() -> None:
    assert steps("x*(50-2*x)=300") == [
        "Solve x*(50-2*x)=300 for x.",
        "Clear brackets and denominators and collect terms: x^2-25*x+150=0.",
        "Complete the square: (x-25/2)^2=25/4.",
        "Solution: x=10.",
        "Solution: x=15.",
        "Check: 10*(50-2*10)=300; left 300, right 300.",
        "Check: 15*(50-2*15)=300; left 300, right 300.",
    ]


def test_a_system_is_solved_by_substitution_in_chinese() -> None:
    assert steps("2*x+4*y=50; x+y=20", "zh") == [
        "解方程 2*x+4*y=50; x+y=20，求 x, y。",
        "由 x+y-20=0 得 x=-y+20。",
        "代入其余方程：y-5=0。",
        "由 y-5=0 得 y=5。",
        "解：x=15, y=5。",
        "检验：2*15+4*5=50；左边 50，右边 50。",
        "检验：15+5=20；左边 20，右边 20。",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x/5-5=x/7+5", "Divide by 2/35: x=175."),
        ("(x^2-1)/(x-1)=0", "Drop x=1: it makes a denominator zero."),
        ("(x^2-1)/(x-1)=0", "No denominator may be zero: x-1≠0."),
        ("x^3-6*x^2+11*x-6=0", "Factor: (x-2)*(x-3)*(x-1)=0."),
        ("x^2+y^2=25; x^2-y^2=7", "Eliminate y: x^4-32*x^2+256=0."),
        ("x^2=-4", "No real number has the square -4."),
        ("x^2=x+1", "Solution: x=(1+sqrt(5))/2 (≈1.61803)."),
        ("x+y=5", "There are infinitely many solutions: the equations leave an unknown free."),
        ("x+y=5; z=2", "All of them satisfy z=2."),
        ("2^x=8", "The equations were solved symbolically."),
        ("0=1", "There is no solution: the statement is false and contains no unknown."),
        ("9^9^9^9", "No solution was found within the limits: a power has thousands of digits."),
    ],
)
def test_each_move_of_the_solver_has_its_sentence(text: str, sentence: str) -> None:
    assert sentence in steps(text)


def test_a_chinese_reader_gets_chinese_reasons() -> None:
    assert steps("x^2=-4", "zh")[-1] == "无解：没有实数满足所有方程。"


@pytest.mark.slow
@given(equation_lists(arithmetic))
@settings(max_examples=60, deadline=None)
def test_any_equations_can_be_explained(equations: Equations) -> None:
    solved = solve(equations, deadline=0.2)
    told = [str(step) for step in explain(equations, solved, "zh")]
    assert told[0].startswith(("解", str(equations[0])))
    for solution in solved.solutions:
        assert any(value_text(value) in step for step in told for value in solution.values())
