"""Find the times of day and the durations of an English text: 9:15 am, half past seven, 2 hours and 20 minutes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.text.clock.clock_story import HOUR, NOON, ClockTime, Duration, Half
from sau_solver.text.numbers import NumberSlot

_HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NAMED = "|".join(_HOURS)
_PART = (
    r"(?:,? in the (?P<day>morning|afternoon|evening)| at (?P<night>night)|,? (?:that|this|the next) (?P<that>morning"
    r"|afternoon|evening)| (?P<noon>noon))?(?![a-z])"
)
_TIME = re.compile(
    r"(?<![\d:.,$/a-z-])(?:(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d)(?![\d:]))? ?(?P<half>[ap])\.? ?m(?![a-z])\.?"
    r"|(?P<plain>\d{1,2}):(?P<after>[0-5]\d)(?![\d:]|\.\d)"
    rf"|(?P<clock>\d{{1,2}}|{_NAMED}) ?o['’]?clock(?: (?P<clock_half>[ap])\.? ?m(?![a-z])\.?)?"
    rf"|(?:a )?(?P<shift>half past|quarter past|quarter after|quarter to|quarter of) (?P<shifted>\d{{1,2}}|{_NAMED})"
    r"(?: (?P<shift_half>[ap])\.? ?m(?![a-z])\.?)?"
    rf"|(?P<name>noon|midday|midnight)){_PART}"
)
_SHIFTS = {"half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15, "quarter of": -15}
_UNIT = re.compile(
    r"[ -]?(?:(?:of )?an )?(?P<hours>hours?|hrs?|h)(?![a-z])|[ -]?(?P<minutes>minutes?|mins?|min)(?![a-z])"
)
_AN_HOUR = re.compile(r"(?<![a-z])an hour(?P<half> and a half)?(?![a-z])")
_JOINED = re.compile(r"(?:,? and |,? ?)")


def english_times(plain: str) -> list[ClockTime] | None:
    """Return the times of day of a text in lower case; None if one of them is not possible."""
    times = []
    for found in _TIME.finditer(plain):
        time = _time(found)
        if time is None:
            return None
        times.append(time)
    return times


def _time(found: re.Match[str]) -> ClockTime | None:
    if found["name"]:
        return (
            ClockTime(*found.span(), 0, "am") if found["name"] == "midnight" else ClockTime(*found.span(), NOON, "pm")
        )
    named = found["hour"] or found["plain"] or found["clock"] or found["shifted"]
    hour = int(named) if named.isdigit() else _HOURS.index(named) + 1
    minute = int(found["minute"] or found["after"] or 0) + _SHIFTS.get(found["shift"], 0)
    half = _half(found, hour)
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return ClockTime(*found.span(), hour * HOUR + minute, half)


def _half(found: re.Match[str], hour: int) -> Half:
    letter = found["half"] or found["clock_half"] or found["shift_half"]
    if letter:
        return "am" if letter == "a" else "pm"
    part = found["day"] or found["that"]
    if found["noon"]:
        return "pm"
    if found["night"]:
        return "pm" if 6 <= hour < 12 else "am"
    if hour > 12 or not part:
        return ""
    return "am" if part == "morning" else "pm"


def english_durations(plain: str, numbers: Sequence[NumberSlot]) -> tuple[list[Duration], list[NumberSlot]] | None:
    """Return the durations of a text, and the numbers that belong to none; None if one is not in whole minutes."""
    found: list[tuple[Duration, bool]] = []  # with whether it ends in hours, which minutes may follow
    rest: list[NumberSlot] = []
    whole = [(match.start(), match) for match in _AN_HOUR.finditer(plain)]
    for number in numbers:
        if any(start <= number.start < match.end() for start, match in whole):
            continue
        unit = _UNIT.match(plain, number.end)
        if unit is None:
            rest.append(number)
            continue
        whole = [(start, match) for start, match in whole if not number.start <= start < unit.end()]
        minutes = number.value * (HOUR if unit["hours"] else 1)
        if minutes.denominator != 1 or minutes <= 0:
            return None
        found.append((Duration(number.start, unit.end(), int(minutes)), bool(unit["hours"])))
    found += [(Duration(start, one.end(), 90 if one["half"] else HOUR), not one["half"]) for start, one in whole]
    return _joined(plain, sorted(found, key=lambda one: one[0].start)), rest


def _joined(plain: str, found: Sequence[tuple[Duration, bool]]) -> list[Duration]:
    """Join hours with the minutes that follow them."""
    joined: list[Duration] = []
    open_hours = False
    for one, hours in found:
        last = joined[-1] if joined else None
        if last and open_hours and not hours and one.minutes < HOUR and _JOINED.fullmatch(plain, last.end, one.start):
            joined[-1] = Duration(last.start, one.end, last.minutes + one.minutes)
            open_hours = False
        else:
            joined.append(one)
            open_hours = hours
    return joined
