"""Stories about digits and calendars are solved without a model, with steps, units and their confidence."""

from __future__ import annotations

import pytest

from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.calendar_days import CalendarStory
from sau_solver.text.digits import DigitStory

SOLVER = Solver({})  # no model is needed


def solved(text: str, reader: Language | None = None) -> Solution:
    return SOLVER.solve(text, reader=reader)


def lines(solution: Solution) -> list[str]:
    return [str(step) for step in solution.steps]


def test_linear_equations_are_solved_as_in_school() -> None:
    solution = solved(
        "The tens digit of a two-digit number is 3 more than the ones digit. The sum of the digits is 11. "
        "What is the number?"
    )
    assert lines(solution) == [
        "Let x be the tens digit and y the ones digit. The number is 10x + y.",
        "Solve the equations (1) x = y + 3, (2) x + y = 11.",
        "Substitute x = y + 3 into (2): y + 3 + y = 11.",
        "Combine like terms: 2y + 3 = 11.",
        "Subtract 3 from both sides: 2y = 8.",
        "Divide both sides by 2: y = 4.",
        "Put y = 4 into x = y + 3: x = 4 + 3 = 7.",
        "Solution: x = 7, y = 4.",
        "Check (1): 4 + 3 = 7.",
        "Check (2): 7 + 4 = 11.",
        "So the number is 74.",
        "Answer: 74.",
    ]
    assert (solution.kind, solution.model, solution.abstained) == ("problem", "", False)
    assert solution.confidence == CONFIDENCES[DigitStory] < 1
    assert [one.unknown for one in solution.asked] == ["10*x+y"]


def test_a_reversed_number_has_its_own_expression() -> None:
    found = lines(
        solved("一个两位数，各位数字之和是6，如果交换十位数字与个位数字的位置，得到的新数比原数大18，那么新数是多少？")
    )
    assert found[:3] == [
        "设十位数字是 x，个位数字是 y，这个两位数就是 10x + y。",
        "数字交换位置后，新数是 10y + x。",
        "解方程组：(1) x + y = 6，(2) 10y + x = 10x + y + 18。",
    ]
    assert found[-3:] == ["所以这个数是 24。", "新数是 42。", "答：42。"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A two-digit multiple of 7 is less than 50, and the sum of its digits is 10. What is the number?",
         ["10x + y is divisible by 7: this leaves 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98.",
          "10x + y < 50: of these, this leaves 14, 21, 28, 35, 42, 49.",
          "x + y = 10: of these, this leaves 28.",
          "So the number is 28.", "Answer: 28."]),
        ("How many two-digit numbers are there?",
         ["There are 9 choices for the first digit, which is not 0, and then 10 for the next.", "9 × 10 = 90",
          "Answer: 90 numbers."]),
        ("What is the difference between the largest and the smallest three-digit numbers that can be made with the "
         "digits 6, 0 and 2, using each digit once?",
         ["For the largest number, write the largest digits first: 620.",
          "For the smallest number, write the smallest digits first, but not 0 in front: 206.", "620 − 206 = 414",
          "Answer: 414."]),
        ("用3、0、8这三个数字能组成多少个不同的三位数？",
         ["这些数是：308，380，803，830。", "一共有 4 个。", "答：4 个。"]),
        ("How many days are there from February 20, 2024 to March 4, 2024, including both days?",
         ["Both the first and the last day count.", "2024 is a leap year, so its February has 29 days.",
          "February: 29 − 20 + 1 = 10", "March: 4", "Together: 10 + 4 = 14", "Answer: 14 days."]),
        ("今天是4月19日，小美的生日是5月27日，再过多少天是小美的生日？",
         ["第一天不算，最后一天算。", "4月：30 − 19 = 11", "5月：27", "合起来：11 + 27 = 38", "答：38 天。"]),
        ("How many whole weeks and days are 45 days?",
         ["A week has 7 days.", "45 = 6 × 7 + 3", "Answer: 6 weeks and 3 days."]),
        ("2023年和2024年一共有多少天？",
         ["2023年是平年，二月有 28 天。", "2023年有 365 天。", "2024年是闰年，二月有 29 天。", "2024年有 366 天。",
          "合起来：365 + 366 = 731", "答：731 天。"]),
    ],
)  # fmt: skip
def test_steps_show_how_the_answer_is_found(text: str, expected: list[str]) -> None:
    assert lines(solved(text))[-len(expected) :] == expected


def test_the_steps_are_in_the_language_of_the_reader() -> None:
    solution = solved("How many days are there in June, July and August altogether?", reader="zh")
    assert lines(solution)[:4] == ["6月：30", "7月：31", "8月：31", "合起来：30 + 31 + 31 = 92"]
    assert (solution.unit, solution.confidence) == ("days", CONFIDENCES[CalendarStory])


def test_an_age_has_its_unit() -> None:
    solution = solved("爷爷的年龄是一个两位数，个位数字与十位数字的和是14，个位数字比十位数字大2，爷爷今年多少岁？")
    assert (solution.display, solution.unit) == ("68 岁", "岁")


def test_weeks_and_days_have_their_own_units() -> None:
    solution = solved("45天是几个星期零几天？")
    assert [(str(one.answer), one.unit, one.unknown) for one in solution.asked] == [
        ("6", "个星期", "floor(45/7)"),
        ("3", "天", "mod(45,7)"),
    ]
