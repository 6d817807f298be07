"""The text of a problem -> the story of the clock that it tells, or None if a number or a word leaves a doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sau_solver.problem import Language
from sau_solver.text.clock.chinese_clock import chinese_durations, chinese_times
from sau_solver.text.clock.chinese_clock_words import ChineseClockWords
from sau_solver.text.clock.clock_story import DAY, HOUR, NOON, ClockStory, ClockTime, Duration
from sau_solver.text.clock.clock_words import ClockQuestion, ClockWords, Direction
from sau_solver.text.clock.english_clock import english_durations, english_times
from sau_solver.text.clock.english_clock_words import EnglishClockWords
from sau_solver.text.numbers import find_numbers
from sau_solver.text.numbers.digits import ascii_digits
from sau_solver.text.numbers.english_text import lower

MAX_DURATIONS = 4
MAX_STORY = 600  # characters; a longer text tells more than this module understands
EVENING = 18 * HOUR

# Roles of the first and the second time of a text that tells what happens in its order.
_CHRONOLOGICAL = (("start", "end"), ("start", ""), ("", "end"), ("now", "end"), ("now", "start"), ("now", ""), ("", ""))

_WORDS: Mapping[Language, ClockWords] = {"en": EnglishClockWords(), "zh": ChineseClockWords()}


@dataclass(frozen=True, slots=True)
class _Read:
    """The times and durations of a text, and its question."""

    text: str  # in lower case, with ASCII digits
    language: Language
    times: list[ClockTime]
    durations: list[Duration]
    question: ClockQuestion

    @property
    def words(self) -> ClockWords:
        return _WORDS[self.language]


def clock_story(text: str, language: Language) -> ClockStory | None:
    """Return the story of a text that asks for a duration or a time of day, if its times and durations decide it.

    There are either two times and the question is for the duration between them, or one time with durations and the
    question is for the time at their other end. Any other number, or a word that may change the calculation, gives
    None.
    """
    if len(text) > MAX_STORY:
        return None
    read = _read(text, language)
    if read is None:
        return None
    if read.question.duration:
        return _interval(read) if len(read.times) == 2 and not read.durations else None
    return _shifted(read) if len(read.times) == 1 and 1 <= len(read.durations) <= MAX_DURATIONS else None


def _read(text: str, language: Language) -> _Read | None:
    plain = lower(ascii_digits(text))
    times = english_times(plain) if language == "en" else chinese_times(plain)
    if not times or len(times) > 2:
        return None
    words = _WORDS[language]
    question = words.question(plain, text)
    if question is None:
        return None
    numbers = [
        one
        for one in find_numbers(text, language)
        if not any(time.start <= one.start < time.end for time in times)
        and not (one.text.lower() == "half" and plain[: one.start].endswith(("first ", "second ")))
    ]
    found = english_durations(plain, numbers) if language == "en" else chinese_durations(plain, numbers, times)
    if found is None or found[1] or words.is_doubtful(plain, question, len(found[0])):
        return None
    return _Read(plain, language, times, found[0], question)


def _interval(read: _Read) -> ClockStory | None:
    """Return the story whose question is how long it takes from one time to another."""
    first, second = read.times
    text, words = read.text, read.words
    next_day = words.goes_to_next_day(text)
    if next_day is None:
        return None
    if not words.is_span(text, first, second):
        roles = words.role(text, first, 0, second.start), words.role(text, second, first.end, len(text))
        sure = not (first.is_open or second.is_open or next_day)
        if roles[1] == "now" or (roles == ("end", "start") and sure and first.minutes > second.minutes):
            first, second = second, first  # it arrives at 1:40 pm, having left at 9:15 am
        elif (
            roles not in _CHRONOLOGICAL and not (sure and first.minutes < second.minutes and roles[0] != roles[1])
        ) or (roles == ("", "") and first.minutes >= second.minutes):
            return None
    ends = _in_order(first, second, next_day)
    return None if ends is None else _story(read, "duration", *ends)


def _in_order(first: ClockTime, second: ClockTime, next_day: bool) -> tuple[int, int] | None:
    """Return the minutes of two times, with the halves of the day and the midnight that lie between them."""
    start, end = first.minutes, second.minutes
    if second.is_open and (first.is_open or first.half):
        if first.is_open and next_day:
            return None
        if not first.is_open or end <= start:
            end = start + (end - start) % NOON
    elif first.is_open and second.half:
        start = end - (end - start) % NOON
        if start < 0:
            start, end = start + DAY, end + DAY
    later = end > second.minutes + NOON  # on the next day already
    if end <= start:
        late = first.half == "pm" and second.half == "am" if first.half else start >= EVENING and end <= NOON
        if not (next_day or late):
            return None
        end += DAY
    elif next_day and not later:
        end += DAY
    return (start, end) if end - start > 0 and (end >= DAY or not next_day) else None


def _shifted(read: _Read) -> ClockStory | None:
    """Return the story whose question is the time at the other end of its durations."""
    (time,) = read.times
    direction = _direction(read)
    if len(read.durations) > 1 and not _is_chain(read):
        return None
    if direction is None or read.words.goes_to_next_day(read.text) is None:
        return None
    total = sum(one.minutes for one in read.durations)
    start, end = (
        (time.minutes, time.minutes + total) if direction == "forward" else (time.minutes - total, time.minutes)
    )
    if total >= DAY or (time.is_open and not _is_same_half(start, end, read.language)):
        return None
    if start < 0:
        start, end = start + DAY, end + DAY
    asked = end if direction == "forward" else start
    if read.question.half and read.question.half != ("am" if asked % DAY < NOON else "pm"):
        return None
    return _story(read, "end" if direction == "forward" else "start", start, end)


def _is_chain(read: _Read) -> bool:
    """Return whether several durations stand on one side of the time, and the question is about all of them."""
    (time,) = read.times
    sides = {one.start < time.start for one in read.durations}
    return len(sides) == 1 and read.words.is_about_all(read.question)


def _is_same_half(start: int, end: int, language: Language) -> bool:
    """Return whether two times without am and pm are surely in one half of the day; Chinese texts count to 24."""
    if language == "zh":
        return start >= 0 and end < DAY
    return start >= HOUR and end < NOON + HOUR


def _direction(read: _Read) -> Direction | None:
    (time,) = read.times
    words, question = read.words, read.question
    named = words.relation(read.text, time, read.durations)
    if named == "odd":
        return None
    role = words.role(read.text, time, 0, len(read.text))
    if named:
        return named if named == "backward" or question.role != "start" else None
    match question.role:
        case "end":
            return "forward" if role != "end" or words.travels_after(read.text, time, question) else None
        case "start" if words.is_departure(question):
            return "backward" if words.departs_for(read.text, time, question) else None
        case "start":
            return "backward" if role != "start" else None
    return "forward" if role == "now" else None


def _story(read: _Read, asked: str, start: int, end: int) -> ClockStory:
    question = read.question
    return ClockStory(
        asked="duration" if asked == "duration" else "end" if asked == "end" else "start",
        start=start,
        end=end,
        durations=tuple(one.minutes for one in read.durations),
        unit=question.unit,
        halves=any(time.half for time in read.times),
        form=read.times[0].form,
        question=question.quoted,
        half=question.half,
    )
