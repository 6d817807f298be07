"""A story about a common divisor or multiple is solved without a model, with steps, units and a confidence below 1."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.common_stories import CommonStory


def solved(text: str, reader: Language | None = None) -> Solution:
    return Solver({}).solve(text, reader=reader)


def test_buses_that_leave_together_again() -> None:
    solution = solved(
        "Two buses leave the station together. One comes every 12 minutes, the other every 18 minutes. "
        "After how many minutes do they leave together again?"
    )
    assert (solution.answers, solution.unit, solution.display) == ((Fraction(36),), "minutes", "36 minutes")
    assert (solution.kind, solution.model, solution.abstained) == ("problem", "", False)
    assert solution.confidence == CONFIDENCES[CommonStory] < 1
    assert [str(step) for step in solution.steps][1:] == [
        "12 = 2 × 2 × 3",
        "18 = 2 × 3 × 3",
        "The least common multiple of 12 and 18 is 2 × 2 × 3 × 3 = 36.",
        "Answer: 36 minutes.",
    ]
    assert [one.unknown for one in solution.asked] == ["lcm(12,18)"]


def test_squares_in_chinese() -> None:
    solution = solved("把长48厘米、宽36厘米的纸剪成同样大的正方形，没有剩余，正方形边长最大是多少厘米？")
    assert (solution.answers, solution.display) == ((Fraction(12),), "12 厘米")
    assert [str(step) for step in solution.steps] == [
        "边长要能同时整除 48 和 36，最长的边长就是它们的最大公因数。",
        "48 = 2 × 2 × 2 × 2 × 3",
        "36 = 2 × 2 × 3 × 3",
        "48 和 36 的最大公因数是 2 × 2 × 3 = 12。",
        "答：12 厘米。",
    ]


def test_the_steps_are_in_the_language_of_the_reader() -> None:
    solution = solved("一堆苹果，4个4个地数多1个，6个6个地数也多1个，这堆苹果至少有多少个？", reader="en")
    assert str(solution.steps[0]).startswith("Without the 1 left over, the number is divisible by 4 and 6.")
    assert "12 + 1 = 13" in [str(step) for step in solution.steps]


@pytest.mark.parametrize(
    ("text", "display", "lines"),
    [
        ("Hot dogs are sold in packs of 10. Buns are sold in packs of 8. What is the smallest number of packs of each "
         "that Maria must buy to have an equal number of hot dogs and buns?",
         "hot dogs: 4, buns: 5", ["40 ÷ 10 = 4", "40 ÷ 8 = 5"]),
        ("有56个苹果和40个橘子，装成同样的果盘，没有剩余，果盘数要最多，每盘有多少个苹果和多少个橘子？",
         "苹果 7 个，橘子 5 个", ["56 ÷ 8 = 7", "40 ÷ 8 = 5"]),
        ("A sheet of paper is 48 cm long and 36 cm wide. It is cut into squares of the same size, as large as "
         "possible, with no paper left over. How many squares are there?",
         "12 squares", ["48 ÷ 12 = 4", "36 ÷ 12 = 3", "4 × 3 = 12"]),
        ("Two ribbons, 24 inches and 36 inches long, are cut into pieces of equal length with no ribbon left over. "
         "The pieces are as long as possible. How many pieces are there in all?",
         "5 pieces", ["24 ÷ 12 = 2", "36 ÷ 12 = 3", "2 + 3 = 5"]),
        ("A red light blinks every 4 seconds and a blue light blinks every 6 seconds. They blink together now. "
         "How many times will they blink together in the next 65 seconds?",
         "5 times", ["65 = 5 × 12 + 5"]),
    ],
)  # fmt: skip
def test_what_follows_from_the_common_number_is_calculated(text: str, display: str, lines: list[str]) -> None:
    solution = solved(text)
    assert solution.display == display
    assert [str(step) for step in solution.steps][-len(lines) - 1 : -1] == lines


def test_a_story_among_many_texts_keeps_its_place() -> None:
    texts = ["96 apples and 72 pears go into identical baskets with nothing left over. What is the greatest number of "
             "baskets?", "Find the greatest common divisor of 24 and 36."]  # fmt: skip
    assert [one.answers for one in Solver({}).solve_many(texts)] == [(Fraction(24),), (Fraction(12),)]
