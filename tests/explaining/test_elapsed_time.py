"""Durations and times of day are shown as people say them, with steps that count on the clock."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.problem import Language
from sau_solver.solver import Solver
from sau_solver.text.clock import ClockStory

SOLVER = Solver({})  # no model is needed


def solved(text: str, reader: Language | None = None) -> dict[str, Any]:
    return SOLVER.solve(text, reader=reader).as_json()


def test_a_duration_counts_up_to_the_next_hour() -> None:
    found = solved("A train leaves at 9:15 am and arrives at 1:40 pm. How long is the trip?")
    assert found["steps"] == [
        "From 9:15 am to 10:00 am: 45 minutes",
        "From 10:00 am to 1:00 pm: 3 hours",
        "From 1:00 pm to 1:40 pm: 40 minutes",
        "Together: 45 minutes + 3 hours + 40 minutes = 4 hours 25 minutes",
        "Answer: 4 hours 25 minutes.",
    ]
    assert (found["answers"], found["unit"], found["display"]) == (["265"], "minutes", "4 hours 25 minutes")
    (asked,) = found["asked"]
    assert asked["question"] == "How long is the trip?"
    assert asked["unknown"] == "13:40-9:15"
    assert asked["display"] == "4 hours 25 minutes"


@pytest.mark.parametrize(
    ("question", "answer", "unit", "display"),
    [
        ("How many minutes does it last?", "150", "minutes", "150 minutes"),
        ("How many hours does it last?", "5/2", "hours", "2.5 hours"),
        ("How many hours and minutes does it last?", "150", "minutes", "2 hours 30 minutes"),
        ("How long is it in hours?", "5/2", "hours", "2.5 hours"),
    ],
)
def test_a_duration_has_the_unit_of_the_question(question: str, answer: str, unit: str, display: str) -> None:
    found = solved(f"A show begins at 6:30 pm and ends at 9:00 pm. {question}")
    assert (found["answers"], found["unit"], found["display"]) == ([answer], unit, display)


def test_a_whole_number_of_hours_is_in_hours() -> None:
    found = solved("A shop is open from 9 am to 6 pm. How long is it open?")
    assert (found["answers"], found["unit"], found["display"]) == (["9"], "hours", "9 hours")


def test_hours_that_are_no_short_decimal_are_shown_with_minutes() -> None:
    found = solved("A show begins at 6:30 pm and ends at 7:50 pm. How many hours does it last?")
    assert (found["answers"], found["display"]) == (["4/3"], "1 hour 20 minutes")


def test_a_time_of_day_is_in_hours_after_midnight() -> None:
    found = solved("A movie starts at 7:45 pm and lasts 2 hours 20 minutes. When does it end?")
    assert found["steps"] == [
        "2 hours after 7:45 pm it is 9:45 pm.",
        "20 minutes after 9:45 pm it is 10:05 pm.",
        "Answer: 10:05 pm.",
    ]
    assert found["answers"] == [str(Fraction(22 * 60 + 5, 60))]
    assert (found["unit"], found["display"]) == ("", "10:05 pm")


def test_midnight_divides_a_night() -> None:
    found = solved("一列客车22:15从北京开出，第二天6:30到达，行了多长时间？")
    assert found["steps"][:2] == ["从22:15到24:00：1小时45分", "从0:00到6:30：6小时30分"]
    assert (
        solved("A flight leaves at 11:30 pm and takes 2 hours. When does it arrive?")["display"]
        == "1:30 am the next day"
    )


def test_a_question_that_names_the_evening_has_an_hour_of_the_evening() -> None:
    found = solved("小虎要睡够10小时，早上7时起床，前一天晚上应该几时睡觉？")
    assert (found["answers"], found["display"]) == (["9"], "前一天晚上9时")


def test_several_durations_are_added_first() -> None:
    found = solved("演出晚上7:00开始，上半场45分钟，休息15分钟，下半场50分钟，演出几时几分结束？")
    assert found["steps"][0] == "合起来：45分钟 + 15分钟 + 50分钟 = 110分钟 = 1小时50分"
    assert found["display"] == "晚上8:50"


def test_the_steps_are_in_the_language_of_the_reader() -> None:
    text = "A movie starts at 7:45 pm and lasts 140 minutes. When does it end?"
    assert solved(text, "zh")["steps"] == [
        "140分钟 = 2小时20分",
        "晚上7:45再过2小时是晚上9:45。",
        "晚上9:45再过20分钟是晚上10:05。",
        "答：晚上10:05。",
    ]
    assert solved("电影19:45开始，片长2小时20分，几时结束？", "en")["display"] == "22:05"


def test_the_confidence_is_the_measured_precision() -> None:
    solution = SOLVER.solve("A shop is open from 9 am to 6 pm. How long is it open?")
    assert (solution.kind, solution.abstained, solution.model) == ("problem", False, "")
    assert solution.confidence == CONFIDENCES[ClockStory] < 1
