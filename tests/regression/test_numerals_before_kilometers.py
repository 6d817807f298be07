"""The 千 of 千米 was taken for a part of the numeral before it, so 三点五千米 gave 3 and 5."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.text.numbers import map_text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("全长三点五千米", ["3.5"]),
        ("十九分之十二千米", ["12/19"]),
        ("一又二分之一千克", ["3/2"]),
        ("重三点五千克，功率二点二千瓦", ["3.5", "2.2"]),
        ("两千米", ["2"]),
        ("二十千米", ["20"]),
        ("走了三千五百米", ["3500"]),
        ("三千人走了五千米", ["3000", "5"]),
        ("3.5千米", ["3.5"]),
    ],
)
def test_numerals_before_units_with_thousand(text: str, values: list[str]) -> None:
    assert [number.value for number in map_text(text, "zh").numbers] == list(map(Fraction, values))
