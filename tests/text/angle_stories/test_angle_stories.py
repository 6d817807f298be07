"""Stories about angles are answered; texts that only look like them are left to the network."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.problem import Language
from sau_solver.text.angle_stories import AngleStory, angle_story
from sau_solver.text.angle_stories.angle_terms import AngleWords
from sau_solver.text.angle_stories.chinese_angle_words import CHINESE_ANGLES
from sau_solver.text.angle_stories.english_angle_words import ENGLISH_ANGLES

FOLDER = Path(__file__).parents[3] / "benchmarks" / "angles"


def rows(part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def told(row: dict[str, Any]) -> AngleStory | None:
    return angle_story(row["text"], "zh" if row["language"] == "zh" else "en")


def answers(text: str, language: Language = "en") -> list[str]:
    story = angle_story(text, language)
    return [str(value) for value in story.answers] if story else []


@pytest.mark.parametrize(
    "row", [row for row in rows("development") if row["answers"]], ids=lambda row: row["text"][:40]
)
def test_a_story_of_the_development_file_gets_its_answers(row: dict[str, Any]) -> None:
    story = told(row)
    assert story is not None
    assert list(story.answers) == [Fraction(answer) for answer in row["answers"]]


@pytest.mark.parametrize("part", ["development", "traps"])
def test_a_near_miss_is_left_to_the_network(part: str) -> None:
    assert [row["text"] for row in rows(part) if not row["answers"] and told(row)] == []


def test_the_files_have_as_many_texts_as_their_readme_says() -> None:
    counts = Counter((part, row["language"], bool(row["answers"])) for part in ("development", "traps")
                     for row in rows(part))  # fmt: skip
    assert counts == {
        ("development", "en", True): 72, ("development", "en", False): 71,
        ("development", "zh", True): 73, ("development", "zh", False): 71,
        ("traps", "en", False): 26, ("traps", "zh", False): 26,
    }  # fmt: skip


@pytest.mark.parametrize("words", [ENGLISH_ANGLES, CHINESE_ANGLES], ids=["en", "zh"])
def test_only_whole_terms_are_groups_of_the_scanner(words: AngleWords) -> None:
    assert all(re.compile(pattern).groups == 0 for pattern, _ in words.terms)


@given(st.integers(1, 178), st.integers(1, 178))
def test_the_third_angle_of_a_triangle(one: int, other: int) -> None:
    found = answers(f"Two angles of a triangle are {one}° and {other}°. What is the third angle?")
    assert found == ([str(180 - one - other)] if one + other < 180 else [])


@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 50))
def test_the_angles_of_a_triangle_in_a_ratio_add_up(one: int, two: int, three: int) -> None:
    story = angle_story(f"三角形三个内角的度数比是{one}:{two}:{three}，这三个内角各是多少度？", "zh")
    assert story is not None
    if len(story.answers) == 1:
        assert one == two == three
    else:
        assert sum(story.answers) == 180
        assert story.answers[0] * two == story.answers[1] * one


@given(st.integers(3, 60))
def test_the_sides_of_a_polygon_are_found_from_its_angles(sides: int) -> None:
    (total,) = answers(f"What is the sum of the interior angles of a polygon with {sides} sides?")
    text = f"The sum of the interior angles of a polygon is {total}°. How many sides does it have?"
    assert answers(text) == [str(sides)]


@given(st.integers(1, 89), st.integers(2, 9), st.integers(1, 60))
def test_two_angles_with_a_known_sum_meet_their_relation(shift: int, factor: int, start: int) -> None:
    text = f"Two angles are supplementary and one is {shift}° more than {factor} times the other. Find the two angles."
    story = angle_story(text, "en")
    assert story is not None
    assert sum(story.answers) == 180
    assert max(story.answers) == factor * min(story.answers) + shift


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("One angle of an isosceles triangle is 50°. Find the other two angles.", "en", []),
        ("等腰三角形的一个角是50°，另外两个角各是多少度？", "zh", []),
        ("Each interior angle of a regular polygon is 100°. How many sides does it have?", "en", []),
        ("The largest angle of a triangle is 50° and the smallest is 40°. How large is the middle angle?", "en", []),
        ("Through how many degrees does the hour hand turn from 9:00 am to 10:00 pm?", "en", []),
        ("Through how many degrees does the hour hand turn from 9:00 to 22:00?", "en", ["390"]),
        ("The minute hand moves from 15 to 30. Through how many degrees does it turn?", "en", []),
        ("The minute hand moves from 11 to 2. Through how many degrees does it turn?", "en", ["90"]),
        ("How many degrees are three right angles?", "en", ["270"]),
        ("A triangle has a right angle and an angle of 35°. Find the third angle.", "en", ["55"]),
        ("The sum of the angles of any triangle is 180 degrees. In triangle ABC, angle A is 50 degrees and angle B is "
         "60 degrees. How large is angle C?", "en", ["70"]),
        ("The sum of the angles of any triangle is 200 degrees. In triangle ABC, angle A is 50 degrees and angle B is "
         "60 degrees. How large is angle C?", "en", []),
        ("△ABC中，∠A：∠B：∠C=2：3：4，求∠B的度数。", "zh", ["60"]),
        ("一个多边形的内角和是外角和的3倍，这个多边形是几边形？", "zh", ["8"]),
        ("Two angles of a quadrilateral are 80° and 95°, and the other two are equal. How large is each of the equal "
         "angles?", "en", ["185/2"]),
    ],
)  # fmt: skip
def test_what_is_certain_is_answered_and_what_is_not_is_left(text: str, language: Language, found: list[str]) -> None:
    assert answers(text, language) == found


def test_two_questions_get_two_answers_in_their_order() -> None:
    text = "What is the sum of the interior angles of a regular hexagon, and how large is each interior angle?"
    assert answers(text) == ["720", "120"]


def test_a_long_text_is_not_searched() -> None:
    row = rows("development")[0]
    assert told(row) is not None
    assert angle_story(row["text"] + " The garden is old." * 100, "en") is None
