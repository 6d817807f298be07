"""What a story asks about the calendar, with its answer: days from date to date, lengths of months, leap years."""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

WEEK = 7
FIRST_YEAR, LAST_YEAR = 1583, 9999  # of the Gregorian calendar, and of Python's dates
COMMON, LEAP = 2023, 2024  # stand for a year that the text does not name
MAX_SPAN = 400  # days that steps count month by month
MAX_YEARS = 120  # among which leap years are listed

# What is asked for.
#   span         days from the first to the last date, of which `counted` are counted: none, the last one or both
#   lengths      days of all `months` together
#   weeks        whole weeks of `days`, and the days that are left
#   days         days of `weeks` and `days`
#   leap_years   leap years from the first to the last of `years`
#   months_with  months that have `days` days
CalendarAsked = Literal["span", "lengths", "weeks", "days", "leap_years", "months_with"]


@dataclass(frozen=True, slots=True)
class Day:
    """A date; year 0 if the text does not name it."""

    month: int
    day: int
    year: int = 0


@dataclass(frozen=True, slots=True)
class Month:
    """A month of a year. Without a year it is any February of a leap year, or of a common one."""

    month: int
    year: int = 0
    leap: bool = False

    @property
    def days(self) -> int:
        """The number of its days."""
        return monthrange(self.year or (LEAP if self.leap else COMMON), self.month)[1]


@dataclass(frozen=True, slots=True)
class CalendarStory:
    """One question about the calendar."""

    asked: CalendarAsked
    dates: tuple[Day, ...] = ()
    counted: int = 2  # of the first and the last date
    months: tuple[Month, ...] = ()
    years: tuple[int, ...] = ()
    days: int = 0
    weeks: int = 0

    @property
    def answers(self) -> tuple[Fraction, ...]:
        """The values asked for; two for weeks and days."""
        return tuple(map(Fraction, self.values))

    @property
    def values(self) -> tuple[int, ...]:
        """The values asked for, as whole numbers."""
        match self.asked:
            case "span":
                first, last = spanned(self.dates)[0]
                return ((last - first).days - 1 + self.counted,)
            case "lengths":
                return (sum(month.days for month in self.months),)
            case "weeks":
                return divmod(self.days, WEEK)
            case "days":
                return (self.weeks * WEEK + self.days,)
            case "months_with":
                return (sum(Month(month).days == self.days for month in range(1, 13)),)
        return (len(leap_years(self.years)),)

    @property
    def is_decided(self) -> bool:
        """Whether everything that the answer depends on is known and possible."""
        if self.asked == "span":
            spans = spanned(self.dates)
            return bool(spans) and len({last - first for first, last in spans}) == 1 and 0 < self.values[0] <= MAX_SPAN
        if self.years and max(self.years) - min(self.years) > MAX_YEARS:
            return False
        return all(value > 0 for value in self.values[:1])


def spanned(dates: Sequence[Day]) -> list[tuple[date, date]]:
    """Return the first and the last date in every kind of year that they may be in; nothing if a date is impossible.

    If only the first date has a year, the last one is in the same year or at the beginning of the next.
    """
    first, last = dates
    if last.year and not first.year:
        first = Day(first.month, first.day, last.year)
    found = []
    for year in (first.year,) if first.year else (COMMON - 1, COMMON, LEAP):
        later = last.year or year + ((last.month, last.day) < (first.month, first.day))
        try:
            found.append((date(year, first.month, first.day), date(later, last.month, last.day)))
        except ValueError:
            return []
    return found if all(one < other for one, other in found) else []


def leap_years(years: Sequence[int]) -> list[int]:
    """Return the leap years from the first to the last of some years."""
    return [year for year in range(min(years), max(years) + 1) if isleap(year)]


def months_of(year: int, first: int = 1, last: int = 12, leap: bool = False) -> tuple[Month, ...]:
    """Return the months of a year from one to another."""
    return tuple(Month(month, year, leap) for month in range(first, last + 1))
