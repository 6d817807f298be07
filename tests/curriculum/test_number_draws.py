"""Numbers of a family: what a specification means, and how numbers stand in equations."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sau_solver.curriculum.formulas import Value
from sau_solver.curriculum.number_draws import (
    EquationPattern,
    Kind,
    draw_numbers,
    equation_number,
    read_conditions,
    read_numbers,
)
from sau_solver.errors import FamilyError


def no_price(word: str) -> tuple[Value, Value]:
    raise AssertionError(word)


def drawn(text: str, where: str = "", tries: int = 300) -> list[dict[str, Value]]:
    draws = read_numbers(text)
    conditions = read_conditions(where, [draw.letter for draw in draws])
    found = (draw_numbers(draws, conditions, Random(seed), no_price) for seed in range(tries))
    return [values for values in found if values is not None]


def test_a_range_gives_every_number_of_it() -> None:
    assert {values["a"] for values in drawn("a: 4..9")} == set(range(4, 10))


def test_a_range_may_have_a_step_and_use_earlier_numbers() -> None:
    for values in drawn("a: 20..60 by 5; b: 2..a-1"):
        assert values["a"] % 5 == 0
        assert 2 <= values["b"] < values["a"]


def test_per_cent_discounts_and_tenths_are_shares_of_one() -> None:
    for values in drawn("p: 10%..40% by 5%; q: 12%, 15%; z: 8折, 85折; c: 2成"):
        assert values["p"] in [Fraction(one, 20) for one in range(2, 9)]
        assert values["q"] in (Fraction(12, 100), Fraction(15, 100))
        assert values["z"] in (Fraction(8, 10), Fraction(85, 100))
        assert values["c"] == Fraction(1, 5)


def test_values_of_a_list_and_computed_ones() -> None:
    for values in drawn("f: 1/2, 2/3; a: 6..12; c = a*f", "whole(c)"):
        assert values["c"] == values["a"] * values["f"]
        assert values["c"].denominator == 1


def test_a_try_that_meets_no_condition_gives_nothing() -> None:
    assert drawn("a: 2..5", "a > 9") == []
    assert drawn("a: 2..5; b: 9..a") == []  # an empty range
    assert drawn("a: 8..9; b: 10..a by 5") == []  # an empty range with a step
    assert drawn("a: 1..1; b: 1.5..a") == []  # an empty range of decimals
    assert drawn("a: 2..5; b = a/(a-a)") == []  # a division by zero


@pytest.mark.parametrize("text", ["a 2..5", "a: two", "a: 2..5; a: 3..4", "b = a+1", "aa: 2..3"])
def test_a_specification_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(FamilyError):
        read_numbers(text)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (12, "plain", "12"),
        (Fraction(5, 2), "plain", "2.5"),
        (Fraction(2, 3), "fraction", "(2/3)"),
        (Fraction(1, 4), "percent", "25%"),
        (Fraction(85, 100), "discount", "0.85"),
        (-5, "plain", "(-5)"),
        (Fraction(1, 3), "plain", "(1/3)"),
    ],
)
def test_numbers_in_equations(value: Value, kind: Kind, text: str) -> None:
    assert equation_number(value, kind) == text


def test_an_equation_is_written_with_its_numbers() -> None:
    pattern = EquationPattern("x = (a+b) * c", ["a", "b", "c"])
    assert pattern.write({"a": "3", "b": "4", "c": "25%"}) == "x=(3+4)*25%"
    assert pattern.computed is not None
    assert EquationPattern("x+y=s", ["s"]).computed is None


@pytest.mark.parametrize("text", ["x=a*d", "x", "a*b="])
def test_an_equation_of_other_letters_is_refused(text: str) -> None:
    with pytest.raises(FamilyError):
        EquationPattern(text, ["a", "b"])
