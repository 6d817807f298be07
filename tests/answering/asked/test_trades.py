"""Price times number sold: which factor is asked for, and which of two roots the text wants."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from sau_solver.text.wishes import Wish, wishes_of
from tests.answering.given_equations import asked, chosen

KITES = "A kite costs a shop $8 and sells for $20, 40 of them a week. Each dollar more means 2 kites fewer. "
RENT = "停车场有60个车位，每个每天收20元时全部停满，每涨1元就空出2个。"
CASES: list[tuple[Language, str, str, str, int]] = [
    ("en", KITES + "What price, as low as possible, gives $504?", "(20-8+x)*(40-2*x)=504", "20+x", 22),
    ("en", KITES + "The shop takes the lower of the two prices that give $504. What is the new price?",
     "(20-8+x)*(40-2*x)=504", "20+x", 22),
    ("en", KITES + "At a price above $24 the profit is $504. How many kites are sold?", "(20-8+x)*(40-2*x)=504",
     "40-2*x", 28),
    ("en", KITES + "With a rise as small as possible it earns $504. By how many dollars does it raise the price?",
     "(20-8+x)*(40-2*x)=504", "x", 2),
    ("zh", RENT + "要使每天收入1248元，且涨价尽量少，应涨多少元？", "(20+x)*(60-2*x)=1248", "x", 4),
    ("zh", RENT + "要使每天收入1248元，每个车位应涨多少元？（涨价不超过5元）", "(20+x)*(60-2*x)=1248", "x", 4),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "equation", "expression", "value"), CASES)
def test_the_factor_asked_for_is_found_with_the_value_of_the_root_that_is_wanted(
    language: Language, text: str, equation: str, expression: str, value: int
) -> None:
    assert [(one.unknown, one.answer) for one in asked(equation, text, language)] == [(expression, Fraction(value))]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A ball is 30t-5t^2 meters high after t seconds. When is it 25 m high for the first time?", 1),
        ("A ball is 30t-5t^2 meters high after t seconds. At what time is it 25 m high on its way down?", 5),
    ],
)
def test_the_way_up_comes_before_the_way_down(text: str, value: int) -> None:
    assert chosen("30*x-5*x^2=25", text, "en").answers == (Fraction(value),)


def test_a_text_that_names_both_ways_wishes_nothing() -> None:
    assert wishes_of("It passes the window on its way up and on its way down.", "en") == ()
    assert wishes_of("又要尽快清库存", "zh") == (Wish("number", True),)
