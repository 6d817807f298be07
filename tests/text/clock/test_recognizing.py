"""Stories about times of day are recognized, and texts that only look like them are left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.clock_times import is_right
from sau_solver.problem import Language
from sau_solver.text.clock import clock_story

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


def rows(language: Language) -> list[dict[str, Any]]:
    text = (BENCHMARKS / "clock_times" / f"{language}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_story_for_development_has_its_answer(language: Language) -> None:
    stories = [row for row in rows(language) if row["kind"] == "story"]
    told = [(row, clock_story(row["text"], language)) for row in stories]
    assert [row["id"] for row, story in told if story is None or not is_right(row["answer"], story)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_near_miss_gets_a_wrong_answer(language: Language) -> None:
    misses = [row for row in rows(language) if row["kind"] == "near miss"]
    told = [(row, story) for row in misses if (story := clock_story(row["text"], language))]
    assert [row["id"] for row, story in told if not is_right(row["answer"], story)] == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("The train arrived at 1:40 pm. It left at 9:15 am. How long was the trip?", 265),
        ("The shop opens at 9:00. It is 8:20 now. How long until it opens?", 40),
        ("A course runs from half past two until 5 o'clock. How many hours does it last?", 150),
        ("Eva slept from 11 pm on Friday until 7:30 am on Saturday. How long did she sleep?", 510),
        ("A ship leaves at 9 am and arrives at 11 am the next day. How many hours does the voyage take?", 26 * 60),
    ],
)
def test_the_order_of_two_times_follows_from_the_words(text: str, minutes: int) -> None:
    story = clock_story(text, "en")
    assert story is not None
    assert story.end - story.start == minutes


@pytest.mark.parametrize(
    "text",
    [
        "A train leaves at 9:15 am and arrives at 1:40 pm. How long is the train?",
        "A shop opens at 9 am and closes at 6 pm. How many hours of the day is it not open?",
        "After the store closes at 9:00 pm, workers clean for 40 minutes. When do they leave?",
        "The film started at 7:15 pm, 20 minutes after Joe arrived. When did Joe arrive?",
        "School ends at 3:10 pm. Kim walks home in 20 minutes and reads for 45 minutes. When does she get home?",
        "A 45-minute lesson ends at 10:20. After a 10-minute break another one starts. When does it start?",
        "Ann arrives at 8:10 and Ben arrives at 8:25. How long does the walk take?",
        "It is 11:30. A cake bakes for 2 hours. When is it done?",  # in the morning or at night?
        "At 25:10 a bus leaves and takes 10 minutes. When does it arrive?",
    ],
)
def test_a_doubt_leaves_the_text_alone(text: str) -> None:
    assert clock_story(text, "en") is None


@pytest.mark.parametrize(
    ("text", "asked", "minutes"),
    [
        ("渡轮航行8小时后，在下午2时到岸。它是上午几时开的船？", "start", 6 * 60),
        ("爸爸下午5点下班，路上要40分钟，几点到家？", "end", 17 * 60 + 40),
        ("从北京到天津的火车9:20出发，路上用了半小时，什么时候到达天津？", "end", 9 * 60 + 50),
        ("手术八点半开始，做了一个半小时，几点结束？", "end", 10 * 60),
    ],
)
def test_chinese_durations_lead_to_the_time_asked_for(text: str, asked: str, minutes: int) -> None:
    story = clock_story(text, "zh")
    assert story is not None
    assert (story.asked, story.end if asked == "end" else story.start) == (asked, minutes)


@pytest.mark.parametrize(
    "text",
    [
        "小红下午4时30分放学，走20分钟到家，再写作业45分钟，她几时到家？",
        "电影晚上7时15分开始，小明提前20分钟到电影院，他几时到的？",
        "小明9点睡觉，第二天6点起床，睡了多长时间？",  # in the morning or in the evening?
        "汽车行了3时，9时到达，它几时出发？",
        "超市晚上9:30关门，早上8:00开门，超市关门多长时间？",
    ],
)
def test_a_doubt_leaves_a_chinese_text_alone(text: str) -> None:
    assert clock_story(text, "zh") is None


def test_a_long_text_is_left_alone() -> None:
    text = "A train leaves at 9:15 am and arrives at 1:40 pm. " + "It is a nice day. " * 100 + "How long is the trip?"
    assert clock_story(text, "en") is None
