"""Questions for a ratio name two things, and say whether a part or a multiple is wanted."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from sau_solver.text.asking import Thing, read_questions


def only_thing(text: str, language: Language) -> Thing:
    (thing,) = read_questions(text, language).things
    return thing


@pytest.mark.parametrize(
    ("language", "text", "first", "second", "unit"),
    [
        ("en", "What percent of the tulips are red tulips?", "red tulips", "the tulips", "%"),
        ("en", "The shed's area is what fraction of the barn's area?", "The shed's area", "the barn's area", ""),
        ("en", "What share of the guests ate soup?", "ate soup", "the guests", ""),
        ("en", "How many times as heavy as a cat is a goat?", "a goat", "a cat", "times"),
        ("en", "How many times the height is the depth?", "the depth", "the height", "times"),
        ("en", "The truck weighs how many times what the van weighs?", "The truck", "what the van weighs", "times"),
        ("en", "What is the ratio of swans to geese?", "swans", "geese", ""),
        ("zh", "松树是柏树的几倍？", "松树", "柏树", "倍"),
        ("zh", "女工占全厂人数的百分之几？", "女工", "全厂人数", "%"),
        ("zh", "梨的重量是桃的几分之几？", "梨的重量", "桃", ""),
        ("zh", "鸽子与麻雀的只数比是几比几？", "鸽子", "麻雀", ""),
        ("zh", "求甲、乙两船的速度比。", "甲", "乙", ""),
        ("zh", "这杯糖水的含糖率是多少？", "糖", "全部", "%"),
    ],
)
def test_a_ratio_has_two_things(language: Language, text: str, first: str, second: str, unit: str) -> None:
    thing = only_thing(text, language)
    assert (thing.relation, thing.words, thing.other, thing.unit) == ("ratio", first, second, unit)


def test_an_order_may_ask_for_a_ratio_without_a_question_word() -> None:
    thing = only_thing("Two poles stand in the yard. Give them: short pole to long pole as a ratio.", "en")
    assert (thing.relation, thing.words, thing.other) == ("ratio", "short pole", "long pole")


def test_how_many_times_something_happens_is_no_ratio() -> None:
    assert only_thing("A bell rings every 6 minutes. How many times does it ring in 2 hours?", "en").relation == "value"
