"""Constants of gold equations are known facts that the text calls for, or strange."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.data.known_constants import is_known_constant, strange_constants
from sau_solver.equations.parser import parse
from sau_solver.problem import Language


@pytest.mark.parametrize(
    ("value", "text", "language"),
    [
        ("2", "Ann and Bob share.", "en"),
        ("7", "How many in two weeks?", "en"),
        ("12", "five dozen eggs", "en"),
        ("1/60", "He walks for 40 minutes.", "en"),
        ("4", "She is paid each week. And in a month?", "en"),
        ("5", "They walk to school. How far in a week?", "en"),
        ("60", "他每小时走多少米？", "zh"),
        ("7", "一周练习几次？", "zh"),
    ],
)
def test_a_fact_is_known_if_the_text_speaks_of_it(value: str, text: str, language: Language) -> None:
    assert is_known_constant(Fraction(value), text, language)


@pytest.mark.parametrize(
    ("value", "text", "language"),
    [
        ("7", "How many apples are left?", "en"),
        ("237", "How many weeks?", "en"),
        ("4", "He works for a month.", "en"),
        ("7", "长方形的周长是多少？", "zh"),
        ("4", "马克有多少张罚单？", "zh"),
    ],
)
def test_other_constants_are_not(value: str, text: str, language: Language) -> None:
    assert not is_known_constant(Fraction(value), text, language)


@pytest.mark.parametrize(
    ("equation", "numbers", "strange"),
    [
        ("x=237/5", "5", ["237"]),
        ("x=200*25*0.01", "200 1/4", []),
        ("x=40*1.05", "40 1/20", []),
        ("x=450/90*100", "450 1/10", ["90"]),
        ("x=62/5", "5 31/50", []),
        ("x=(58+63+39)/3", "58 63 39", []),
        ("x=(58+63+39)/4", "58 63 39", ["4"]),
    ],
)
def test_numbers_of_the_text_and_counts_of_an_average_are_not_strange(
    equation: str, numbers: str, strange: list[str]
) -> None:
    values = [Fraction(number) for number in numbers.split()]
    assert strange_constants(parse(equation), values, "How much?", "en") == tuple(map(Fraction, strange))
