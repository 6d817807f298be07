"""Find the times of day and the durations of a Chinese text: 上午9:15, 下午3时20分, 八点半, 2小时20分, 一个半小时."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.text.clock.clock_story import HOUR, ClockTime, Duration, Form, Half
from sau_solver.text.numbers import NumberSlot
from sau_solver.text.numbers.chinese_forms import numbers_in

_MORNING = "凌晨|清晨|早晨|早上|上午"
_EVENING = "下午|傍晚|晚上|夜里|夜间|深夜|晚间|夜晚"
_NUMERALS = "[一二两三四五六七八九十]{1,3}"
_TIME = re.compile(
    rf"(?:(?P<day>{_MORNING}|{_EVENING}|中午|半夜|[早晚])的?)?\s?(?<![\d:：.+比])(?:(?P<hour>\d{{1,2}})[:：](?P<minute>[0-5]\d)(?![\d:：])"
    rf"|(?P<named>\d{{1,2}}|{_NUMERALS})(?P<form>时|点钟?)(?![间候刻\d]{{1,2}}[间候刻表]|[间候])"
    rf"(?:(?P<minutes>\d{{1,2}}|{_NUMERALS}|零[一二三四五六七八九])分(?!钟|之)|(?P<half>半)(?!小时)|(?P<quarter>[一三])刻|整)?)"
)
_DURATION = re.compile(
    rf"(?<![\d:：.])(?P<hours>\d{{1,2}}(?:\.\d)?|{_NUMERALS}|半|[\d一二两三]个半)个?(?:小时|钟头)(?P<half>半)?(?:(?P<more>\d{{1,2}}|{_NUMERALS})分钟?)?"
    rf"|(?<![\d:：.])(?P<minutes>\d{{1,3}}|{_NUMERALS})分钟|(?P<quarter>[一三])刻钟"
)
_SPENT = tuple("了用花需要过共行")
_NIGHTS = ("夜里", "半夜", "深夜", "夜间", "晚上", "晚")


def chinese_times(text: str) -> list[ClockTime] | None:
    """Return the times of day of a text; None if one is not possible, or may be a duration such as 行了3时."""
    times = []
    for found in _TIME.finditer(text):
        if found["named"] and text[: found.start()].endswith(_SPENT) and not found["day"]:
            return None
        time = _time(found)
        if time is None:
            return None
        times.append(time)
    return times


def _time(found: re.Match[str]) -> ClockTime | None:
    hour = _whole(found["hour"] or found["named"])
    minute = _whole((found["minute"] or found["minutes"] or "0").lstrip("零") or "0")
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    minute += 30 if found["half"] else {"一": 15, "三": 45}.get(found["quarter"] or "", 0)
    form: Form = ":" if found["hour"] else "时" if found["form"] == "时" else "点"
    day = found["day"]
    if not day or hour > 12:
        return ClockTime(*found.span(), hour * HOUR + minute, "", form)
    half: Half
    if day == "中午":
        half, hour = ("am", hour) if hour in (10, 11) else ("pm", hour % 12 + 12)
    elif hour == 12:
        half, hour = ("am", 0) if day in _NIGHTS or day == "凌晨" else ("pm", 12)
    elif day in ("半夜", "夜里", "深夜") and hour < 6:
        half = "am"
    elif re.fullmatch(f"{_EVENING}|半夜|晚", day):
        half, hour = "pm", hour + 12
    else:
        half = "am"
    return ClockTime(*found.span(), hour * HOUR + minute, half, form)


def chinese_durations(
    text: str, numbers: Sequence[NumberSlot], times: Sequence[ClockTime]
) -> tuple[list[Duration], list[NumberSlot]] | None:
    """Return the durations of a text outside its times, and the numbers that belong to none; None if one is odd."""
    durations = []
    for found in _DURATION.finditer(text):
        if any(one.start < found.end() and found.start() < one.end for one in times):
            continue
        minutes = _minutes(found)
        if minutes is None or minutes <= 0:
            return None
        durations.append(Duration(*found.span(), minutes))
    rest = [
        number
        for number in numbers
        if number.text != "一" and not any(one.start <= number.start < one.end for one in durations)
    ]
    return durations, rest


def _minutes(found: re.Match[str]) -> int | None:
    if found["quarter"]:
        return 15 if found["quarter"] == "一" else 45
    if found["minutes"]:
        return _whole(found["minutes"])
    hours = numbers_in(found["hours"])
    more = _whole(found["more"]) if found["more"] else 0
    if len(hours) != 1 or more is None:
        return None
    minutes = hours[0][2] * HOUR + more + (30 if found["half"] else 0)
    return int(minutes) if minutes.denominator == 1 else None


def _whole(surface: str) -> int | None:
    found = numbers_in(surface)
    return int(found[0][2]) if len(found) == 1 and found[0][2].denominator == 1 else None
