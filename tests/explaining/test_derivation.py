"""Worked steps explain the moves of the solver in the given language and end with the check."""

from __future__ import annotations

import pytest
from hypothesis import given

from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse
from sau_solver.explaining.derivation import explain
from sau_solver.explaining.work import equations_in, value_equation
from sau_solver.problem import Language
from sau_solver.solving import solve
from tests.strategies import arithmetic, equation_lists, times


def steps(text: str, language: Language = "en") -> list[str]:
    equations = parse(text)
    return [str(step) for step in explain(equations, solve(equations), language)]


def test_a_quadratic_is_factored_where_it_has_rational_roots() -> None:
    assert steps("x*(50-2*x)=300") == [
        "Solve x(50 − 2x) = 300 for x.",
        "Expand the brackets: 50x − 2x² = 300.",
        "Bring all terms to one side: 2x² − 50x + 300 = 0.",
        "Divide both sides by 2: x² − 25x + 150 = 0.",
        "Factor: (x − 10)(x − 15) = 0.",
        "A product is zero only if one of its factors is zero: x − 10 = 0 or x − 15 = 0.",
        "So x = 10 or x = 15.",
        "Check x = 10: 10 × (50 − 2 × 10) = 300.",
        "Check x = 15: 15 × (50 − 2 × 15) = 300.",
    ]


def test_a_system_is_solved_by_substitution_in_chinese() -> None:
    assert steps("2*x+4*y=50; x+y=20", "zh") == [
        "解方程组：(1) 2x + 4y = 50，(2) x + y = 20。",
        "由 (2) 得 x = 20 − y。",
        "把 x = 20 − y 代入 (1)：2(20 − y) + 4y = 50。",
        "去括号：40 − 2y + 4y = 50。",
        "合并同类项：40 + 2y = 50。",
        "两边同减 40：2y = 10。",
        "两边同除以 2：y = 5。",
        "把 y = 5 代入 x = 20 − y：x = 20 − 5 = 15。",
        "解：x = 15，y = 5。",
        "检验 (1)：2 × 15 + 4 × 5 = 50。",
        "检验 (2)：15 + 5 = 20。",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x/5-5=x/7+5", "Multiply both sides by 35: 7x − 175 = 5x + 175."),
        ("(x^2-1)/(x-1)=0", "Drop x = 1: it makes a denominator zero."),
        ("(x^2-1)/(x-1)=0", "No denominator may be zero: x − 1 ≠ 0."),
        ("x^3-6*x^2+11*x-6=0", "Factor: (x − 2)(x − 3)(x − 1) = 0."),
        ("x^2+y^2=25; x^2-y^2=7", "Eliminate y: x⁴ − 32x² + 256 = 0."),
        ("x^2=-4", "No real number has the square −4."),
        ("x^2=x+1", "Put this into the formula: x = (1 − √5)/2 ≈ −0.618034 or x = (1 + √5)/2 ≈ 1.61803."),
        ("x+y=5", "There are infinitely many solutions: the equations leave an unknown free."),
        ("x+y=5; z=2", "All of them satisfy z = 2."),
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
@times(15)
def test_any_equations_can_be_explained(equations: Equations) -> None:
    solved = solve(equations, deadline=0.2)
    told = explain(equations, solved, "zh")
    assert str(told[0])
    for solution in solved.solutions:
        for name, value in solution.items():
            stated = value_equation(name, value)
            assert any(stated in alternatives for step in told for alternatives in equations_in(step.phrase)) or any(
                dict(step.phrase.values).get("value") == stated.right for step in told
            )
