"""The values that a story about the clock consists of: times of day, durations, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

HOUR = 60
NOON = 12 * HOUR
DAY = 24 * HOUR

Half = Literal["", "am", "pm"]
Form = Literal[":", "时", "点"]  # 9:15, 9时15分, 9点15分
ClockAsked = Literal["duration", "end", "start"]
ClockUnit = Literal["", "hours", "minutes", "both"]


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in a text, in minutes after midnight; without `half` the other half of the day may be meant."""

    start: int
    end: int
    minutes: int
    half: Half = ""
    form: Form = ":"

    @property
    def is_open(self) -> bool:
        """Whether nothing says which half of the day is meant: 9:15, but not 14:35, 0:10 or 9:15 am."""
        return not self.half and HOUR <= self.minutes < NOON + HOUR


@dataclass(frozen=True, slots=True)
class Duration:
    """A duration in a text, in minutes."""

    start: int
    end: int
    minutes: int


@dataclass(frozen=True, slots=True)
class ClockStory:
    """What a story asks. Times are minutes after midnight of the day on which it starts; `end` may be on the next day.

    `durations` are empty if the duration is asked; otherwise they lead from `start` to `end`, one after the other.
    """

    asked: ClockAsked
    start: int
    end: int
    durations: tuple[int, ...] = ()
    unit: ClockUnit = ""  # that the question names
    halves: bool = False  # the text writes times with am and pm, 上午 and 下午
    form: Form = ":"
    question: str = ""  # as quoted from the text
    half: Half = ""  # of the day that the question names: 晚上几时
