"""A story about the days of the calendar -> its answers with steps: month by month, or by weeks."""

from __future__ import annotations

from calendar import isleap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby

from sau_solver.answering.asked import Asked
from sau_solver.answering.story_asked import values_asked
from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.text.asking import read_questions
from sau_solver.text.calendar_days.calendar_story import (
    WEEK,
    CalendarAsked,
    CalendarStory,
    Month,
    leap_years,
    spanned,
)
from sau_solver.text.numbers import MappedText

_UNITS: dict[Language, dict[CalendarAsked, tuple[str, ...]]] = {
    "en": {"weeks": ("weeks", "days"), "leap_years": ("leap years",), "months_with": ("months",)},
    "zh": {"weeks": ("个星期", "天"), "leap_years": ("个",), "months_with": ("个",)},
}
_DAYS: dict[Language, tuple[str, ...]] = {"en": ("days",), "zh": ("天",)}


def calendar_answer(
    story: CalendarStory, text: MappedText, step: StepWriter
) -> tuple[tuple[Asked, ...], tuple[Step, ...]]:
    """Return what the story of a text asks for, and the steps that lead there in the writer's language."""
    units = _UNITS[text.language].get(story.asked, _DAYS[text.language])
    found = values_asked(read_questions(text.text, text.language), list(zip(_texts(story), story.values, strict=True)))
    asked = tuple(replace(one, quantity="", unit=unit) for one, unit in zip(found, units, strict=True))
    steps = list(_steps(story, step))
    steps.append(step("answer", answer=display_all(asked, step.language, forms_of(text.text))))
    return asked, tuple(dict.fromkeys(steps))


def _texts(story: CalendarStory) -> tuple[str, ...]:
    """Return the expression of each value that is asked for."""
    match story.asked:
        case "weeks":
            return f"floor({story.days}/{WEEK})", f"mod({story.days},{WEEK})"
        case "days":
            return (f"{story.weeks}*{WEEK}+{story.days}",)
        case "span":
            return ("+".join(str(days) for _, days, _ in _parts(story)),)
        case "lengths":
            return ("+".join(str(month.days) for month in story.months),)
    return (str(story.values[0]),)


def _steps(story: CalendarStory, step: StepWriter) -> Iterator[Step]:
    match story.asked:
        case "span":
            yield from _spanning(story, step)
        case "lengths":
            yield from _adding(story.months, step)
        case "weeks":
            weeks, rest = story.values
            if len(story.months) == 1:
                yield from _adding(story.months, step)
            yield step("calendar_week")
            if rest:
                yield step("euclid", one=story.days, divisor=WEEK, quotient=weeks, rest=rest)
            else:
                yield _calculation(f"{story.days} ÷ {WEEK}", weeks, step)
        case "days":
            yield step("calendar_week")
            yield _calculation(f"{story.weeks} × {WEEK} + {story.days}", story.values[0], step)
        case "leap_years":
            found = leap_years(story.years)
            yield step("calendar_leap_rule")
            yield step("calendar_these", things=tuple(found), count=len(found))
        case "months_with":
            months = tuple(_name(month) for month in range(1, 13) if Month(month).days == story.days)
            yield step("calendar_these", things=months, count=len(months))


def _parts(story: CalendarStory) -> list[tuple[date, int, str]]:
    """Return the days that are counted of each month from the first date to the last, with their calculation."""
    first, last = spanned(story.dates)[0]
    if (first.year, first.month) == (last.year, last.month):
        shown = f"{last.day} − {first.day}" + {0: " − 1", 1: "", 2: " + 1"}[story.counted]
        return [(first, story.values[0], shown)]
    length = Month(first.month, first.year).days
    both = story.counted == 2
    parts = [(first, length - first.day + both, f"{length} − {first.day}" + " + 1" * both)]
    year, month = first.year, first.month
    while True:
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
        if (year, month) == (last.year, last.month):
            break
        parts.append((date(year, month, 1), Month(month, year).days, ""))
    none = story.counted == 0
    parts.append((last, last.day - none, f"{last.day} − 1" if none else ""))
    return [part for part in parts if part[1]]


def _spanning(story: CalendarStory, step: StepWriter) -> Iterator[Step]:
    yield step(f"calendar_counted_{story.counted}")
    parts = _parts(story)
    first, last = story.dates
    named = first.year or last.year
    for day, days, shown in parts:
        if named and day.month == 2 and len(parts) > 1 and day != parts[-1][0]:
            yield _february(day.year, step)
        yield step("calendar_month", month=_name(day.month), days=f"{shown} = {days}" if shown else days)
    if len(parts) > 1:
        yield step("calendar_total", sum=" + ".join(str(days) for _, days, _ in parts), total=story.values[0])


def _adding(months: Sequence[Month], step: StepWriter) -> Iterator[Step]:
    """Yield the days of each month, or of each whole year, and their sum."""
    shown: list[int] = []
    for year, same in groupby(months, key=lambda month: month.year):
        own = list(same)
        if any(month.month == 2 for month in own):
            february = "calendar_any_leap" if own[0].leap else "calendar_any_common"
            yield _february(year, step) if year else step(february)
        if len(own) == 12 and year:
            shown.append(sum(month.days for month in own))
            yield step("calendar_year", year=year, days=shown[-1])
            continue
        for month in own:
            shown.append(month.days)
            yield step("calendar_month", month=_name(month.month), days=month.days)
    if len(shown) > 1:
        yield step("calendar_total", sum=" + ".join(map(str, shown)), total=sum(shown))


def _february(year: int, step: StepWriter) -> Step:
    return step("calendar_leap" if isleap(year) else "calendar_common", year=year)


def _name(month: int) -> Phrase:
    return Phrase.of(f"calendar_month_{month}")


def _calculation(operation: str, value: int, step: StepWriter) -> Step:
    return step("calculation", meaning="", operation=operation, value=value, unit="")
