"""Steps of typed mathematics lost brackets, named roots r1 and r2, and dropped a root without saying why."""

from __future__ import annotations

import pytest

from sau_solver import load
from sau_solver.equations.notation import latex, mathml
from sau_solver.equations.parser import parse, parse_expression
from sau_solver.equations.readable import MIXED, readable

SOLVER = load()


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("x^2 = 9; x > 0", ["Drop x = −3: it does not meet x > 0."]),
        ("x^2=9, x>0, find 2x+1", ["Drop x = −3: it does not meet x > 0."]),
        ("9^9^9^9", ["Calculate 9^(9^(9⁹))."]),
        ("-51+(23-9)+-5", ["Calculate −51 + (23 − 9) + (−5).", "23 − 9 = 14"]),
        ("2*(3*4)", ["Calculate 2 × (3 × 4).", "3 × 4 = 12"]),
        ("half of 3/4", ["1/2 × 3/4 = 3/8", "Answer: 3/8."]),
        ("2 1/2 + 1 1/4", ["2 1/2 + 1 1/4 = 3 3/4"]),
        ("965/7", ["965 ÷ 7 = 965/7"]),
        ("sqrt(2)*sqrt(8)", ["√8 = 2√2", "√2 × √8 = 4", "Answer: 4."]),
        ("|x-3|=5", ["Solve |x − 3| = 5 for x.", "Check x = −2: |−2 − 3| = 5."]),
        ("2x+3", ["2x + 3 is already as simple as it can be."]),
        ("Factor x^2+1", ["x² + 1 cannot be factored with rational numbers."]),
        ("Convert 3/8 to a percent.", ["3 ÷ 8 = 0.375", "Answer: 37.5%."]),
        ("Ratio of 12 to 18", ["Divide both terms of 12:18 by 6: 2:3"]),
        ("Let i be x(24) for x(v) = 758 - 31*v", ["758 − 744 = 14"]),
    ],
)
def test_a_teacher_would_accept_the_steps(text: str, steps: list[str]) -> None:
    shown = [step.text for step in SOLVER.solve(text).steps]
    assert [step for step in shown if step in steps] == steps


def test_brackets_are_written_once() -> None:
    assert readable(parse("(1/4+1/6)*x=1")[0]) == "(1 ÷ 4 + 1 ÷ 6)x = 1"
    assert readable(parse("(1/3)*x*y=1")[0]) == "(1/3)xy = 1"
    assert readable(parse("5*x/0.5=20")[0]) == "5x/0.5 = 20"


def test_absolute_values_and_mixed_numbers_have_their_notation() -> None:
    expression = parse_expression("abs(x-3)+(5/2)")
    assert readable(expression, MIXED) == "|x − 3| + 2 1/2"
    assert latex(expression).startswith(r"\left|x-3\right|")
    shown = mathml(expression, style=MIXED)
    assert "<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>" in shown
    assert "<mo>|</mo>" in shown


def test_a_sum_after_a_plus_keeps_its_brackets_in_every_notation() -> None:
    expression = parse_expression("51+(23-9)")
    assert readable(expression) == "51 + (23 − 9)"
    assert latex(expression) == r"51+\left(23-9\right)"


def test_a_common_multiple_is_not_named_after_its_first_number() -> None:
    (asked,) = SOLVER.solve("What is the LCM of 4, 6 and 10?").asked
    assert asked.quantity == "LCM"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Write 3/8 as a decimal", "0.375"),
        ("2/3化成小数", "≈ 0.666667"),
        ("Convert 0.375 to a fraction.", "3/8"),
        ("把3/8化成百分数", "37.5%"),
        ("Simplify the ratio 12:18", "2:3"),
        ("1:2化成最简整数比", "1:2"),
    ],
)
def test_a_number_is_written_in_another_form(text: str, shown: str) -> None:
    solution = SOLVER.solve(text)
    assert (solution.display, solution.model) == (shown, "")
