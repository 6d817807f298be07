"""Which of several things with one unknown a superlative means."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answering.given_equations import asked

SISTERS = "Four sisters were born three years apart. Their ages add up to 66 years. How old is the {} sister?"


@pytest.mark.parametrize(("named", "age"), [("oldest", 21), ("second oldest", 18), ("second youngest", 15)])
def test_a_second_superlative_means_the_next_one(named: str, age: int) -> None:
    (entry,) = asked("(x+3)+x+(x-3)+(x-2*3)=66", SISTERS.format(named), "en")
    assert entry.answer == Fraction(age)


def test_for_both_to_have_the_same_does_not_ask_for_both() -> None:
    text = (
        "Ottilie and Rashid have saved $84 together. Ottilie has three times as much as Rashid. How many dollars would "
        "Ottilie have to give Rashid for both to have the same?"
    )
    (entry,) = asked("x+3*x=84", text, "en")
    assert entry.answer == Fraction(21)


def test_centimetres_long_is_no_long_thing() -> None:
    text = (
        "How many centimetres long would the first piece be with a board of 3.5 m sawn by the same rules? Three pieces "
        "came from a board that was 2.7 m long: one piece, another of double its length, and a last one exceeding the "
        "first by 30 cm."
    )
    (entry,) = asked("x+2*x+(x+30)=3.5*100", text, "en")
    assert entry.answer == Fraction(80)
