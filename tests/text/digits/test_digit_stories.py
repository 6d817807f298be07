"""Stories about the digits of a number are answered; texts with a word that is not understood are left alone."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.text.digits import DigitStory, digit_story

FOLDER = Path(__file__).parents[3] / "benchmarks" / "digits"


def rows(part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def told(row: dict[str, Any]) -> DigitStory | None:
    return digit_story(row["text"], "zh" if row["language"] == "zh" else "en")


@pytest.mark.parametrize(
    "row", [row for row in rows("development") if row["answers"]], ids=lambda row: row["text"][:40]
)
def test_a_story_of_the_development_file_gets_its_answers(row: dict[str, Any]) -> None:
    story = told(row)
    assert story is not None
    assert [str(answer) for answer in story.answers] == row["answers"]


@pytest.mark.parametrize("part", ["development", "validation", "traps"])
def test_a_near_miss_is_left_alone(part: str) -> None:
    assert [row["text"] for row in rows(part) if not row["answers"] and told(row)] == []


def test_the_files_have_as_many_texts_as_their_readme_says() -> None:
    counts = {}
    for part in ("development", "traps"):
        for language in ("en", "zh"):
            own = [row for row in rows(part) if row["language"] == language]
            counts[part, language] = (sum(bool(row["answers"]) for row in own), sum(not row["answers"] for row in own))
    assert counts == {
        ("development", "en"): (61, 60), ("development", "zh"): (60, 60),
        ("traps", "en"): (0, 31), ("traps", "zh"): (0, 30),
    }  # fmt: skip


@given(st.integers(10, 99))
def test_the_sum_and_the_difference_of_two_digits_give_the_number(number: int) -> None:
    tens, ones = divmod(number, 10)
    compared = f"{abs(tens - ones)} {'more' if tens > ones else 'less'} than" if tens != ones else "equal to"
    english = f"The sum of the digits of a two-digit number is {tens + ones}. The tens digit is {compared} the ones digit. What is the number?"  # fmt: skip # noqa: E501
    story = digit_story(english, "en")
    assert story is not None
    assert story.answers == (Fraction(number),)
    relation = f"比个位数字{'大' if tens > ones else '小'}{abs(tens - ones)}" if tens != ones else "等于个位数字"
    chinese = f"一个两位数，两个数字的和是{tens + ones}，十位数字{relation}，这个两位数是多少？"
    found = digit_story(chinese, "zh")
    assert found is not None
    assert found.answers == (Fraction(number),)


@given(st.integers(0, 20))
def test_the_numbers_with_a_digit_sum_are_those_that_a_count_finds(total: int) -> None:
    story = digit_story(f"各位数字之和是{total}的三位数有多少个？", "zh")
    expected = sum(sum(map(int, str(number))) == total for number in range(100, 1000))
    assert (story.answers if story else (0,)) == (expected,)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The sum of the digits of a two-digit number is 9. If the digits are reversed, the number increases by 27. "
         "Ann is happy. Find the number.", "en"),
        ("一个两位数，十位数字比个位数字大3，两个数字的和是11，小明很高兴，这个两位数是多少？", "zh"),
    ],
)  # fmt: skip
def test_a_word_that_is_not_understood_leaves_the_text_to_the_network(text: str, language: str) -> None:
    assert digit_story(text, "zh" if language == "zh" else "en") is None


@pytest.mark.parametrize("total", [9, 19])
def test_several_or_no_numbers_are_no_answer(total: int) -> None:
    assert digit_story(f"The sum of the digits of a two-digit number is {total}. Find the number.", "en") is None


def test_a_number_and_its_reversal_are_two_answers() -> None:
    story = digit_story(
        "The sum of the digits of a two-digit number is 12. The number formed by interchanging the digits is 54 more "
        "than the original number. Find the original number and its reversal.",
        "en",
    )
    assert story is not None
    assert story.answers == (Fraction(39), Fraction(93))


def test_two_digits_of_three_change_places() -> None:
    story = digit_story(
        "一个三位数，各位数字之和是9，百位数字是2，把百位数字与十位数字对调，新数比原数大180，求原数。", "zh"
    )
    assert story is not None
    assert story.answers == (Fraction(243),)


def test_what_is_said_after_a_change_is_not_said_of_the_original_number() -> None:
    """Nobody knows whether the tens digit is that of the new number."""
    text = (
        "The sum of the digits of a two-digit number is 12. If the digits are reversed, {}. Find the original number."
    )
    assert digit_story(text.format("the tens digit is 6 more than the ones digit"), "en") is None
    assert digit_story(text.format("the new number is 54 more than the original number"), "en") is not None


@pytest.mark.parametrize("words", ["the digits ", "sum of ", "and ", "is ", "if digits are reversed, ", "plus 1 "])
def test_a_long_text_is_refused_quickly(words: str) -> None:
    assert digit_story("The sum of the digits of a two-digit number is " + words * 40, "en") is None
    assert digit_story("A two-digit number. " + words * 1000, "en") is None
