"""What would be equal after a change is a comparison of what is there now."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from sau_solver.text.asking.transfers import transfers_of
from sau_solver.text.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "language", "first", "second"),
    [
        ("If Omar gives Lucy 6 shells, they have the same number.", "en", 30, 18),
        ("If two more swans came, there would be as many swans as geese.", "en", 7, 9),
        ("Take away 4 of the plums and there are equally many of each.", "en", 12, 8),
        ("小芸给小兰7枚后，两人就同样多。", "zh", 24, 10),
        ("从东库运出5吨到西库，两库就一样多。", "zh", 25, 15),
        ("毽子再多3个就和跳绳同样多。", "zh", 12, 15),
        ("一组调6人去二组后，二组的人数是一组的2倍。", "zh", 20, 22),
    ],
)
def test_a_change_that_makes_things_equal_compares_them(text: str, language: Language, first: int, second: int) -> None:
    (one, *_) = transfers_of(text, language, find_numbers(text, language))
    assert one.holds(Fraction(first), Fraction(second)) or transfers_of(text, language, find_numbers(text, language))[
        -1
    ].holds(Fraction(second), Fraction(first))
    assert not one.holds(Fraction(first + 1), Fraction(second))


def test_a_gift_without_a_result_compares_nothing() -> None:
    assert transfers_of("Omar gives Lucy 6 shells. He has 9 left.", "en", find_numbers("6 9", "en")) == ()
