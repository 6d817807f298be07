"""Stories about common divisors and multiples are answered; texts that only look like them are left to the network."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sau_solver.text.common_stories import CommonStory, common_story

FOLDER = Path(__file__).parents[3] / "benchmarks" / "common_stories"
UNREAD = ("每隔3天", "电线杆")  # stories of the development file on which the recognizer is silent


def rows(part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def told(row: dict[str, Any]) -> CommonStory | None:
    return common_story(row["text"], "zh" if row["language"] == "zh" else "en")


@pytest.mark.parametrize(
    "row", [row for row in rows("development") if row["answers"]], ids=lambda row: row["text"][:40]
)
def test_a_story_of_the_development_file_gets_its_answers(row: dict[str, Any]) -> None:
    story = told(row)
    if any(words in row["text"] for words in UNREAD):
        assert story is None
    else:
        assert story is not None
        assert [str(answer) for answer in story.answers] == row["answers"]


@pytest.mark.parametrize("part", ["development", "validation", "traps"])
def test_a_near_miss_is_left_to_the_network(part: str) -> None:
    claimed = [row["text"] for row in rows(part) if not row["answers"] and told(row)]
    assert claimed == []


def test_no_answer_to_a_story_of_the_validation_file_is_wrong() -> None:
    stories = [(told(row), row) for row in rows("validation") if row["answers"]]
    wrong = [row["text"] for story, row in stories if story and [str(one) for one in story.answers] != row["answers"]]
    assert wrong == []


def test_the_files_have_as_many_texts_as_their_readme_says() -> None:
    counts = {}
    for part in ("development", "validation", "traps"):
        for language in ("en", "zh"):
            own = [row for row in rows(part) if row["language"] == language]
            counts[part, language] = (sum(bool(row["answers"]) for row in own), sum(not row["answers"] for row in own))
    assert counts == {
        ("development", "en"): (60, 60), ("development", "zh"): (60, 60),
        ("validation", "en"): (30, 30), ("validation", "zh"): (30, 30),
        ("traps", "en"): (0, 31), ("traps", "zh"): (0, 27),
    }  # fmt: skip


def test_two_questions_get_two_answers_in_their_order() -> None:
    story = common_story(
        "A florist has 30 roses and 45 tulips. She makes identical bouquets with no flowers left over. What is the "
        "greatest number of bouquets, and how many tulips are in each bouquet?",
        "en",
    )
    assert story is not None
    assert story.answers == (Fraction(15), Fraction(3))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Two ropes are 3 m and 80 cm long. They are cut into equal pieces with nothing left over. "
         "What is the greatest length of a piece?", "en"),
        ("两根绳子分别长3米和80厘米，剪成同样长的小段，没有剩余，每段最长是多少厘米？", "zh"),
        ("Two buses come every 12 minutes and every 2 hours. They leave together now. After how many minutes do they "
         "leave together again?", "en"),
    ],
)  # fmt: skip
def test_numbers_in_different_units_are_left_to_the_network(text: str, language: str) -> None:
    assert common_story(text, "zh" if language == "zh" else "en") is None


def test_a_long_text_is_not_searched() -> None:
    row = rows("development")[0]
    assert told(row) is not None
    assert common_story(row["text"] + " The station is old." * 100, "en") is None
