"""What is known while a text about the calendar is read.

Both languages first write the text with a mark for each date <d>, month <m> and year <y>. What is left must match a
pattern from its first to its last character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sau_solver.text.calendar_days.calendar_story import (
    FIRST_YEAR,
    LAST_YEAR,
    CalendarStory,
    Day,
    Month,
    months_of,
)

UNKNOWN_YEAR = -1  # of a February that no year is named for


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with marks, and what the marks stand for, in the order of the text."""

    text: str
    dates: tuple[Day, ...] = ()
    months: tuple[Month, ...] = ()
    years: tuple[int, ...] = ()
    counted: int | None = None  # how many of the first and the last date the text counts, if it says so

    @property
    def is_possible(self) -> bool:
        """Whether all years are in the calendar."""
        years = [*self.years, *(day.year for day in self.dates), *(month.year for month in self.months)]
        return all(FIRST_YEAR <= year < LAST_YEAR for year in years if year > 0)

    def without(self, phrase: re.Pattern[str], counted: int) -> Marked:
        """Return the text without a phrase that says which days are counted."""
        text, found = phrase.subn("", self.text)
        if not found:
            return self
        dates = self.dates
        if len(dates) == 4 and text.count("<d>") == 2 and dates[:2] == dates[2:]:  # counting March 3 and March 20
            dates = dates[:2]
        return replace(self, text=text, dates=dates, counted=counted if self.counted in (None, counted) else -1)

    def span(self, counted: int | None) -> CalendarStory | None:
        """Return the story of the days between two dates; None if it is open which of both are counted."""
        if len(self.dates) != 2 or self.months or self.years or counted is None or counted < 0:
            return None
        return decided(CalendarStory("span", self.dates, counted))

    def lengths(self, months: tuple[Month, ...] = ()) -> CalendarStory | None:
        """Return the story of the days of some months; None if it needs to be known whether a year is a leap year."""
        months = months or self.months
        if self.dates or self.counted is not None or any(one.year == UNKNOWN_YEAR for one in months):
            return None
        plain = tuple(replace(one, year=max(one.year, 0)) for one in months)
        return decided(CalendarStory("lengths", months=plain)) if len(set(plain)) == len(plain) else None


def decided(story: CalendarStory) -> CalendarStory | None:
    """Return a story if its answer is known."""
    return story if story.is_decided else None


def in_weeks(marked: Marked, days: str) -> CalendarStory | None:
    """Return the question for the weeks and days of one month of the text, or of a number of days."""
    if not marked.months:
        return decided(CalendarStory("weeks", days=int(days)))
    inside = marked.lengths()
    return decided(CalendarStory("weeks", days=inside.values[0])) if inside and len(marked.months) == 1 else None


def month_of(month: int, year: int) -> Month:
    """Return a month; a February without a year may have 28 or 29 days."""
    return Month(month, year or (UNKNOWN_YEAR if month == 2 else 0))


def part_of_year(first: int, last: int, year: int, leap: bool | None) -> tuple[Month, ...]:
    """Return the months of a part of a year; without a year, it must not matter whether it is a leap year."""
    if year or leap is not None:
        return months_of(year, first, last, bool(leap))
    return tuple(month_of(month, 0) for month in range(first, last + 1))
