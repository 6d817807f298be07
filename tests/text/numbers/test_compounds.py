"""A compound quantity is one number when a text is served, in the unit that the question needs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from sau_solver.text.language import detect_language
from sau_solver.text.numbers import find_numbers, joined, map_text, shown_words
from sau_solver.text.renumbering import renumbered
from sau_solver.text.screening import screen


def read(text: str) -> list[tuple[str, str]]:
    language: Language = detect_language(text)
    return [(str(number.value), number.unit) for number in joined(text, language, find_numbers(text, language))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A car drives 180 km in 2 hours 30 minutes. What is its speed?", [("180", ""), ("5/2", "hours")]),
        ("A film lasts 1 hour and 50 minutes. How many minutes do 3 films last?", [("110", "minutes"), ("3", "")]),
        ("A fence is 12 feet 6 inches long, each panel 30 inches. How many panels?", [("150", "inches"), ("30", "")]),
        ("一支钢笔2元5角，买4支要多少元？", [("1", ""), ("5/2", "元"), ("4", "")]),
        ("木料长2米4分米，锯成6段，每段长多少分米？", [("24", "分米"), ("6", "")]),
        ("直升机1小时48分飞行270千米，每小时飞行多少千米？", [("9/5", "小时"), ("270", "")]),
    ],
)
def test_a_compound_quantity_is_in_the_unit_that_is_named_elsewhere(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A runner finishes a race in 3 minutes 20 seconds. How many seconds is that?",  # only a conversion
        "A film of 2 hours 30 minutes is shown 4 times. How many hours and minutes is that?",  # both units are asked
        "He ran for 2 hours, 90 minutes less than she did in 5 days.",  # 90 minutes are more than an hour
        "小明跑了3圈，用了8分，得了25分，平均每圈多少分？",
        "A bag has 2 hours of music and 30 minutes of talk on 4 disks. How many minutes are on a disk?",
    ],
)
def test_other_numbers_stay_as_they_are(text: str) -> None:
    language = detect_language(text)
    assert joined(text, language, find_numbers(text, language)) == find_numbers(text, language)


def test_the_network_reads_a_number_and_its_unit() -> None:
    served = screen("A car drives 180 km in 2 hours 30 minutes. What is its speed?").mapped
    written = map_text("A car drives 180 km in 2.5 hours. What is its speed?")
    assert served.words == written.words
    assert shown_words(served) == shown_words(written)
    assert [number.text for number in served.numbers] == ["180", "2 hours 30 minutes"]


def test_a_corpus_is_read_with_both_numbers() -> None:
    assert [number.value for number in map_text("It takes 2 hours 30 minutes.").numbers] == [2, 30]


def test_another_value_is_written_with_the_unit() -> None:
    served = screen("A car drives 180 km in 2 hours 30 minutes. What is its speed?").mapped
    changed = renumbered(served, [Fraction(180), Fraction(3)])
    assert changed.text == "A car drives 180 km in 3 hours. What is its speed?"
    assert [changed.text[number.start : number.end] for number in changed.numbers] == ["180", "3 hours"]
