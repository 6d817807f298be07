"""English texts that say to which place an answer is rounded."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.asked.nearest import to_nearest
from tests.answering.given_equations import asked, chosen


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x=10/7", "7 ties cost $10. How much is one tie? Round your answer to the nearest cent.", Fraction(143, 100)),
        (
            "x=100/7",
            "A rope of 100 feet is cut into 7 parts. How many feet, to the nearest tenth, is a part?",
            Fraction(143, 10),
        ),
        (
            "x=100/7",
            "A hiker walks 100 miles in 7 days. How many miles is that a day, to the nearest mile?",
            Fraction(14),
        ),
        ("x^2=50", "A square has an area of 50. How long is its side, to one decimal place?", Fraction(71, 10)),
        (
            "x=3/7",
            "3 of 7 tickets win. What percent of the tickets win? Round to the nearest percent.",
            Fraction(43, 100),
        ),
        (
            "x=3/7*100",
            "3 of 7 tickets win. What percent of the tickets win? Round to the nearest percent.",
            Fraction(43),
        ),
        (
            "x=2/3",
            "Find the probability of a red ball, which 2 of 3 balls are, to two decimal places.",
            Fraction(67, 100),
        ),
    ],
)
def test_an_answer_is_rounded_as_the_text_says(equations: str, text: str, answer: Fraction) -> None:
    found = asked(equations, text, "en")
    assert [(one.answer, one.rounding) for one in found] == [(answer, "nearest")]


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x=45/2", "Ann rounds 44 to the nearest ten and adds 5. Half of 45 is what number?", Fraction(45, 2)),
        ("x=7/2", "The nearest shop is 7 miles away. How many miles is half the way?", Fraction(7, 2)),
        ("x=1/30", "A bus needs 2 minutes for a mile. How many hours is that, to one decimal place?", Fraction(1, 30)),
        ("x=7/2", "Seven miles in two hours: how many miles an hour, to the nearest dollar?", Fraction(7, 2)),
    ],
)
def test_an_answer_that_the_text_does_not_round_is_exact(equations: str, text: str, answer: Fraction) -> None:
    assert chosen(equations, text, "en").answers == (answer,)


def test_a_half_is_rounded_away_from_zero() -> None:
    assert to_nearest(Fraction(5, 2), Fraction(1)) == 3
    assert to_nearest(Fraction(-5, 2), Fraction(1)) == -3


def test_an_instruction_is_no_second_thing_that_is_asked_for() -> None:
    text = "A rectangle of 30 square feet is 7 feet long. Find the width and round to the nearest tenth."
    assert chosen("7*x=30", text, "en").answers == (Fraction(43, 10),)
