"""Answers are shown as a reader wants them: with sign, unit and the forms of numbers that the text uses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.asked import Asked
from sau_solver.explaining.formats import display, display_all, forms_of, value_with_unit


@pytest.mark.parametrize(
    ("value", "unit", "text", "shown"),
    [
        ("43/2", "dollars", "A pen costs $2.50.", "$21.50"),
        ("13", "dollars", "A pen costs $2.", "$13"),
        ("10/3", "dollars", "3 pens cost $10.", "10/3 (≈ 3.33333) dollars"),
        ("3300", "dollars", "She put $8,000 into two accounts.", "$3,300"),
        ("43/2", "元", "每本21.5元", "21.5 元"),
        ("13", "goats", "30 heads", "13 goats"),
        ("1", "boxes", "30 eggs", "1 box"),
        ("12/5", "hours", "A 4 hours, B 6 hours", "12/5 (= 2.4) hours"),
        ("12/5", "hours", "It takes 1.5 hours.", "2.4 hours"),
        ("5/2", "cups", "1 1/2 cups and 1 cup", "2 1/2 cups"),
        ("5/12", "", "1/4 and 1/3 of the cake", "5/12"),
        ("1/3", "", "one of 3", "1/3 (≈ 0.333333)"),
        ("8", "厘米", "长8厘米", "8 厘米"),
    ],
)
def test_a_value_is_shown_in_the_forms_of_the_text(value: str, unit: str, text: str, shown: str) -> None:
    assert value_with_unit(Fraction(value), unit, "en", forms_of(text)) == shown


@pytest.mark.parametrize(
    ("value", "share", "shown"), [("1/10", True, "10%"), ("10", False, "10%"), ("3/2", True, "150%")]
)
def test_per_cent_is_shown_as_per_cent_whatever_the_equations_compute(value: str, share: bool, shown: str) -> None:
    assert display(Asked("", "rate", "x", Fraction(value), "%", share=share), "en") == shown


def test_answers_are_named_where_there_are_several() -> None:
    sides = (Asked("", "长", "x", Fraction(8), "厘米"), Asked("", "宽", "y", Fraction(5), "厘米"))
    assert display_all(sides, "zh") == "长 8 厘米，宽 5 厘米"
    assert display_all((Asked("", "goats", "y", Fraction(13), "goats", of_several=True),), "en") == "goats: 13"
    assert display_all((Asked("", "marbles", "x", Fraction(52), "marbles"),), "en") == "52 marbles"


def test_values_of_a_chinese_problem_are_joined_in_the_language_of_the_reader() -> None:
    prices = (Asked("", "", "x", Fraction(80), "元"), Asked("", "", "y", Fraction(50), "元"))
    assert display_all(prices, "en") == "80 元 and 50 元"


def test_answers_of_two_solutions_are_alternatives() -> None:
    pairs = tuple(
        Asked("Q", "", unknown, Fraction(n)) for n, unknown in ((-13, "x"), (-11, "x+2"), (11, "x"), (13, "x+2"))
    )
    assert display_all(pairs, "zh") == "-13，-11；或 11，13"
    assert display_all(pairs, "en") == "-13 and -11; or 11 and 13"
    sides = tuple(Asked("Q", name, "xy"[n % 2], Fraction(n)) for n, name in enumerate(("length", "width") * 2, start=1))
    assert display_all(sides, "en") == "length: 1, width: 2; or length: 3, width: 4"


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=1000))
def test_an_exact_decimal_is_never_shown_as_rounded(value: Fraction) -> None:
    for text in ("", "1.5", "1/3", "1 1/2", "$5"):
        for unit in ("", "dollars", "元", "hours"):
            shown = value_with_unit(value, unit, "en", forms_of(text))
            if (value * 10**6).denominator == 1:
                assert "≈" not in shown
