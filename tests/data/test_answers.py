"""Published answers are read as exact values; anything that is not a number gives no answer."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.answers import Answers, read_answers, read_value


@pytest.mark.parametrize(
    ("published", "value"),
    [
        ("180", "180"),
        (" -12 ", "-12"),
        ("2.14285714286", "214285714286/100000000000"),
        (Decimal("0.1"), "1/10"),
        (7, "7"),
        ("(11/20)", "11/20"),
        ("((4)/(7))", "4/7"),
        ("5%", "1/20"),
        ("12.5%", "1/8"),
        ("40 percent", "2/5"),
        ("1(1/2)", "3/2"),
        ("7((2)/(3))", "23/3"),
        ("3 1/2", "7/2"),
        ("-1(1/2)", "-3/2"),
        ("-(1/3)", "-1/3"),
        ("7 (colors)", "7"),
        ("57 ( science books)", "57"),
        ("8 (km/hour)", "8"),
        ("152/5 minutes", "152/5"),
        ("640 km/h", "640"),
        ("46.5°", "93/2"),
        ("80千米/小时", "80"),
        ("$4.50", "9/2"),
        ("-$0.5", "-1/2"),
        ("1,080", "1080"),
        ("x = 7", "7"),
        ("160/(1-20%)", "200"),
        ("(-10)^9", "-1000000000"),
        ("10^6", "1000000"),
        ("3.316E2", "1658/5"),
        ("1e+06", "1000000"),
        ("sqrt(49)/2", "7/2"),
    ],
)
def test_one_value_is_read_exactly(published: object, value: str) -> None:
    assert read_value(published) == Fraction(value)


@pytest.mark.parametrize(
    "published",
    [
        *("", "(C)", "monday", "ans_no_result", "sqrt(2)", "3+sqrt(5)", "4pi", "4 pi", "7n", "n*(n-1)/2", "9:55 am"),
        *(
            "6th",
            "[5, 6]",
            "1/0",
            "3:4",
            "0^(-1)",
            "9^9^9^9",
            "5 million",
            "3 dozen",
            "3万",
            "30x^5",
            "5 dollars and 20 cents",
        ),
        *("1" * 5000, "*".join(["9" * 90] * 10), "(" * 500 + "1" + ")" * 500, "28??", "5; ; 6"),
        *(None, True, {}, Decimal("NaN"), Decimal("1e999999"), 10**1000),
    ],
)
def test_anything_that_is_not_a_rational_number_gives_no_answer(published: object) -> None:
    assert read_answers(published) == Answers()


@pytest.mark.parametrize(
    ("published", "values", "alternatives"),
    [
        ("6; 9", [6, 9], []),
        ("{40;29}", [40, 29], []),
        ("22; 24； 26", [22, 24, 26], []),
        ("3.5;", [Fraction(7, 2)], []),
        ("11; 12 or -12; -11", [11, 12], [[-12, -11]]),
        ("{14; 6} or {-6; -14}", [14, 6], [[-6, -14]]),
        ("15 or 21 or 35", [15], [[21], [35]]),
        ("300/7 | 42.857", [Fraction(300, 7)], []),
        ("ln2 | 0.693", [Fraction(693, 1000)], []),
        ("4/3 or -3/4 | 1.333 or -0.75", [Fraction(4, 3)], [[Fraction(-3, 4)]]),
        ("a = 5.5; b = 5 | 11/2; 5", [Fraction(11, 2), 5], []),
        ("17 (years old); 12 (years old)", [17, 12], []),
        ("{9 hours; 18 hours}", [9, 18], []),
        ([5], [5], []),
        (["98"], [98], []),
        ([Decimal("127.0"), 339], [127, 339], []),
        ([[7, 5], [5, 7]], [7, 5], [[5, 7]]),
        ([], [], []),
        (["5", "monday"], [], []),
    ],
)
def test_several_values_and_alternative_solutions(
    published: object, values: list[Fraction | int], alternatives: list[list[Fraction | int]]
) -> None:
    assert read_answers(published) == Answers(tuple(values), tuple(map(tuple, alternatives)))  # type: ignore[arg-type]


@given(st.fractions(max_denominator=10**9))
def test_a_printed_fraction_is_read_back(value: Fraction) -> None:
    assert read_value(str(value)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_a_decimal_number_keeps_every_digit(value: Decimal) -> None:
    assert read_value(value) == read_value(f"{value:f}") == Fraction(value)


@given(st.text(max_size=60))
def test_no_text_raises_an_error(text: str) -> None:
    answers = read_answers(text)
    assert all(isinstance(value, Fraction) for value in answers.answers)
    assert answers.answers or not answers.alternatives


def test_the_noise_of_a_binary_float_is_rounded_away() -> None:
    assert read_value(Decimal("0.16699999999999998")) == Fraction(167, 1000)
