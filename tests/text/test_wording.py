"""Bounds that a text sets: a negation turns them around, and a bound is found once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from sau_solver.text.wording import Bound, cues_of

AT_MOST, AT_LEAST = True, False


@pytest.mark.parametrize(
    ("language", "text", "upper"),
    [
        ("en", "More than half of them are red.", AT_LEAST),
        ("en", "No more than half of them are red.", AT_MOST),
        ("en", "The share must not be more than half.", AT_MOST),
        ("en", "Fewer than half of them are red.", AT_MOST),
        ("en", "Not less than half of them are red.", AT_LEAST),
        ("zh", "红球超过一半。", AT_LEAST),
        ("zh", "红球不超过一半。", AT_MOST),
        ("zh", "红球不能多于一半。", AT_MOST),
        ("zh", "红球不到一半。", AT_MOST),
        ("zh", "红球不少于一半。", AT_LEAST),
    ],
)
def test_half_is_a_bound_in_the_direction_of_its_words(language: Language, text: str, upper: bool) -> None:
    assert cues_of(text, language).bounds == (Bound(upper, Fraction(50), percent=True),)


@pytest.mark.parametrize(
    ("language", "text", "upper"),
    [
        ("en", "The water never falls below 20 cm.", AT_LEAST),
        ("en", "The water must not fall below 20 cm.", AT_LEAST),
        ("en", "The water is below 20 cm.", AT_MOST),
        ("en", "The load may not be more than 20 kg.", AT_MOST),
        ("en", "The load is more than 20 kg.", AT_LEAST),
        ("zh", "水深不能低于20厘米。", AT_LEAST),
        ("zh", "水深低于20厘米。", AT_MOST),
    ],
)
def test_a_negated_bound_is_no_second_bound(language: Language, text: str, upper: bool) -> None:
    (bound,) = cues_of(text, language).bounds
    assert (bound.upper, bound.limit, bound.percent) == (upper, Fraction(20), False)
