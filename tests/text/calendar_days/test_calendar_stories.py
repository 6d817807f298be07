"""Stories about the days of the calendar are answered; texts that leave a date or a count open are left alone."""

from __future__ import annotations

import json
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.text.calendar_days import CalendarStory, calendar_story

FOLDER = Path(__file__).parents[3] / "benchmarks" / "calendar"


def rows(part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def told(row: dict[str, Any]) -> CalendarStory | None:
    return calendar_story(row["text"], "zh" if row["language"] == "zh" else "en")


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
        ("development", "en"): (40, 40), ("development", "zh"): (40, 40),
        ("traps", "en"): (0, 32), ("traps", "zh"): (0, 31),
    }  # fmt: skip


@given(st.dates(date(1890, 1, 1), date(2110, 12, 31)), st.integers(1, 390))
def test_the_days_between_two_dates_are_those_of_the_calendar(first: date, days: int) -> None:
    last = first + timedelta(days)
    english = f"{first:%B} {first.day}, {first.year} to {last:%B} {last.day}, {last.year}"
    chinese = f"从{first.year}年{first.month}月{first.day}日到{last.year}年{last.month}月{last.day}日"
    both = calendar_story(f"How many days are there from {english}, both days included?", "en")
    neither = calendar_story(f"{chinese}，头尾都不算，一共有多少天？", "zh")
    assert both is not None
    assert both.answers == (Fraction(days + 1),)
    assert (neither.answers if neither else (0,)) == (days - 1,)


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [("February 20", "March 4", None), ("March 1", "March 4", 4), ("December 20", "January 10", 22),
     ("February 20", "February 28", 9), ("June 31", "July 4", None)],
)  # fmt: skip
def test_dates_without_a_year_must_not_depend_on_leap_years(first: str, last: str, days: int | None) -> None:
    story = calendar_story(f"How many days are there from {first} to {last}, both days included?", "en")
    assert (story.answers if story else ()) == (() if days is None else (Fraction(days),))


def test_it_must_be_said_which_days_count() -> None:
    assert calendar_story("How many days are there from March 3 to March 20?", "en") is None
    assert calendar_story("从3月3日到3月20日一共有多少天？", "zh") is None


def test_what_begins_and_ends_in_chinese_counts_both_days() -> None:
    story = calendar_story("学校今年暑假从7月1日开始，8月31日结束，暑假共有多少天？", "zh")
    assert story is not None
    assert story.answers == (Fraction(62),)


@pytest.mark.parametrize("words", ["from March 3 ", "both days included ", "a camp ", "and June, "])
def test_a_long_text_is_refused_quickly(words: str) -> None:
    assert calendar_story("How many days are there " + words * 25, "en") is None
    assert calendar_story("How many days are there " + words * 1000, "en") is None
