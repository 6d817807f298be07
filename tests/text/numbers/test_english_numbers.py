"""find_numbers reads the numbers of English texts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sau_solver.text.numbers import find_numbers


def read(text: str) -> dict[str, str]:
    return {slot.text: str(slot.value) for slot in find_numbers(text, "en")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$4.50 and 48,000 and .5", {"4.50": "9/2", "48,000": "48000", ".5": "1/2"}),
        (
            "25%, 30 %, 40 percent, 50 per cent",
            {"25%": "1/4", "30 %": "3/10", "40 percent": "2/5", "50 per cent": "1/2"},
        ),
        ("3 1/2 cups, 1/4 cup, 1 / 3 cup, 3½", {"3 1/2": "7/2", "1/4": "1/4", "1 / 3": "1/3", "3½": "7/2"}),
        ("2 and a half hours", {"2 and a half": "5/2"}),
        ("three and half hours", {"three and half": "7/2"}),
        ("2 and a half of them", {"2 and a half": "5/2"}),
        ("21 and half their number", {"21": "21", "half": "1/2"}),
        ("twenty-one and half of the rest", {"twenty-one": "21", "half": "1/2"}),
        ("2.5 million, 3 hundred", {"2.5 million": "2500000", "3 hundred": "300"}),
        ("20-foot board, 3kg, 5th day", {"20": "20", "3": "3", "5": "5"}),
        ("-5 degrees; is -34; 10-7; 12 - 8", {"-5": "-5", "-34": "-34", "10": "10", "7": "7", "12": "12", "8": "8"}),
        ("1/2/2010", {"1": "1", "2": "2", "2010": "2010"}),
        ("the ratio of 5:12", {"5": "5", "12": "12"}),
        ("4 dozen", {"4": "4", "dozen": "12"}),
    ],
)
def test_digits(text: str, found: dict[str, str]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-five", "25"),
        ("Twenty Five", "25"),
        ("one hundred and five", "105"),
        ("a hundred and twenty-one", "121"),
        ("nineteen hundred", "1900"),
        ("two thousand five hundred and six", "2506"),
        ("two million", "2000000"),
        ("three million four hundred thousand", "3400000"),
        ("zero", "0"),
        ("two thirds", "2/3"),
        ("three-quarters", "3/4"),
        ("a third", "1/3"),
        ("one fifth", "1/5"),
        ("one - third", "1/3"),
        ("one-half", "1/2"),
        ("half", "1/2"),
        ("two and a half", "5/2"),
        ("three and three quarters", "15/4"),
        ("twice", "2"),
        ("double", "2"),
        ("triple", "3"),
        ("thrice", "3"),
        ("dozen", "12"),
        ("twenty percent", "1/5"),
    ],
)
def test_number_words(text: str, value: str) -> None:
    assert read(text) == {text: value}
    assert read(f"There are {text}, he said.") == {text: value}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("five and six", {"five": "5", "six": "6"}),
        ("one two three", {"one": "1", "two": "2", "three": "3"}),
        ("seven quarters and two third graders", {"seven": "7", "two": "2"}),
        ("a third of the rest, a third number", {"a third": "1/3"}),
        ("one apple, this one, each one, one of them, one another, the other one", {"one": "1"}),
    ],
)
def test_a_chain_that_is_not_one_number_is_split(text: str, found: dict[str, str]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "someone, everyone, none, tonight, often, weight, canine, attention, bone, sixteenths of",
        "the first, second and third day",
        "at 12:30 or 8:05 am",
        "an mp3 player, a 3D film, x^2, H1N1",
        "a dog, an hour, the hundreds, dozens, the ten's digit",
    ],
)
def test_words_and_names_contain_no_number(text: str) -> None:
    assert read(text) == {}


NAMES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
SMALL = NAMES.split()
DECADES = "- - twenty thirty forty fifty sixty seventy eighty ninety"
TENS = DECADES.split()


def spell(number: int, joint: str) -> str:
    """Spell a number, independently of the code under test."""
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= size:
            rest = f" {spell(number % size, joint)}" if number % size else ""
            return f"{spell(number // size, joint)} {name}{rest}"
    if number >= 100:
        rest = f"{joint}{spell(number % 100, joint)}" if number % 100 else ""
        return f"{SMALL[number // 100]} hundred{rest}"
    if number >= 20:
        return TENS[number // 10] + (f"-{SMALL[number % 10]}" if number % 10 else "")
    return SMALL[number]


@settings(deadline=None)
@given(st.integers(0, 10**15 - 1), st.sampled_from([" ", " and "]))
def test_spelled_numbers_are_read_back(number: int, joint: str) -> None:
    assert read(spell(number, joint)) == {spell(number, joint): str(number)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The scale of the map is 1:50,000.", [1, 50000]),
        ("a 1:20 plan of the house", [1, 20]),
        ("at a scale of 1:25", [1, 25]),
        ("The bus leaves at 1:20 p.m.", []),
        ("Everything is a third off the price.", [Fraction(1, 3)]),
    ],
)
def test_scales_are_numbers_and_times_are_not(text: str, values: list[Fraction | int]) -> None:
    assert [number.value for number in find_numbers(text, "en")] == values
