"""A screened text carries the story that rules understand, whatever kind it is; every kind is answered the same way."""

from __future__ import annotations

from typing import get_args

import pytest

from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.text.angle_stories import AngleStory
from sau_solver.text.calendar_days import CalendarStory
from sau_solver.text.clock import ClockStory
from sau_solver.text.common_stories import CommonStory
from sau_solver.text.digits import DigitStory
from sau_solver.text.known_stories import KnownStory, known_story
from sau_solver.text.screening import screen

CLOCK = "How many hours long is 7:45 AM to 2:30 PM?"
BUSES = (
    "Two buses leave the station together. One comes every 12 minutes, the other every 18 minutes. "
    "After how many minutes do they leave together again?"
)
DIGITS = "How many two-digit numbers have digits whose sum is 5?"
AUGUST = "How many days does August have?"
HEXAGON = "What is the sum of the interior angles of a hexagon?"
KINDS = [
    (CLOCK, ClockStory),
    (BUSES, CommonStory),
    (HEXAGON, AngleStory),
    (DIGITS, DigitStory),
    (AUGUST, CalendarStory),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_text_carries_its_story(text: str, kind: type[KnownStory]) -> None:
    screened = screen(text)
    assert isinstance(screened.story, kind)
    assert (screened.obstacle, screened.request) == ("", None)


@pytest.mark.parametrize("text", [text for text, _ in KINDS])
def test_a_text_that_is_taken_for_a_problem_of_a_model_has_no_story(text: str) -> None:
    assert screen(text, mathematics=False).story is None


def test_a_time_of_day_is_not_a_number_but_its_story_is_understood() -> None:
    assert screen(CLOCK, mathematics=False).obstacle == "no_number"
    assert screen(CLOCK).obstacle == ""


def test_an_obstacle_keeps_only_stories_about_multiples_from_being_answered() -> None:
    assert known_story(BUSES, "en", has_obstacle=True) is None
    assert known_story(CLOCK, "en", has_obstacle=True) is not None
    assert known_story(AUGUST, "en", has_obstacle=True) is not None
    assert known_story(HEXAGON, "en", has_obstacle=True) is not None


def test_a_text_that_names_the_common_divisor_is_mathematics() -> None:
    screened = screen("Find the greatest common divisor of 24 and 36.")
    assert screened.story is None
    assert screened.request is not None
    assert screened.request.kind == "gcd"


def test_every_kind_of_story_has_a_confidence() -> None:
    assert set(CONFIDENCES) == set(get_args(KnownStory))
