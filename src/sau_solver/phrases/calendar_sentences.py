"""The sentences of steps about the days of the calendar by code, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

CALENDAR: Mapping[str, tuple[str, str]] = {
    "calendar_counted_2": ("Both the first and the last day count.", "首尾两天都算。"),
    "calendar_counted_1": (
        "The first day does not count, the last day does.",
        "第一天不算，最后一天算。",
    ),
    "calendar_counted_0": ("Neither the first nor the last day counts.", "首尾两天都不算。"),
    "calendar_leap": (
        "{year} is a leap year, so its February has 29 days.",
        "{year}年是闰年，二月有 29 天。",
    ),
    "calendar_common": (
        "{year} is not a leap year, so its February has 28 days.",
        "{year}年是平年，二月有 28 天。",
    ),
    "calendar_any_leap": ("In a leap year February has 29 days.", "闰年的二月有 29 天。"),
    "calendar_any_common": (
        "In a year that is not a leap year February has 28 days.",
        "平年的二月有 28 天。",
    ),
    "calendar_month": ("{month}: {days}", "{month}：{days}"),
    "calendar_total": ("Together: {sum} = {total}", "合起来：{sum} = {total}"),
    "calendar_year": ("{year} has {days} days.", "{year}年有 {days} 天。"),
    "calendar_week": ("A week has 7 days.", "一个星期有 7 天。"),
    "calendar_leap_rule": (
        "A year is a leap year if it is divisible by 4, but years divisible by 100 only if they are divisible by 400.",
        "能被 4 整除的年份是闰年，但整百年份要能被 400 整除才是闰年。",
    ),
    "calendar_these": ("These are {things}: {count}.", "它们是：{things}，共 {count} 个。"),
    "calendar_month_1": ("January", "1月"),
    "calendar_month_2": ("February", "2月"),
    "calendar_month_3": ("March", "3月"),
    "calendar_month_4": ("April", "4月"),
    "calendar_month_5": ("May", "5月"),
    "calendar_month_6": ("June", "6月"),
    "calendar_month_7": ("July", "7月"),
    "calendar_month_8": ("August", "8月"),
    "calendar_month_9": ("September", "9月"),
    "calendar_month_10": ("October", "10月"),
    "calendar_month_11": ("November", "11月"),
    "calendar_month_12": ("December", "12月"),
}
