"""Words of Chinese stories about common divisors and multiples, and what several rules need."""

from __future__ import annotations

import re

from sau_solver.text.common_stories.told_stories import Ask, Told, all_asks

TIME = r"(秒钟?|分钟|分|个?小时|时|天|日|个?星期|周|个?月|年)"
LENGTH = r"(厘米|分米|毫米|千米|公里|米|cm|dm|mm|m)"
MEASURE = r"[个只朵块支枝本名人辆颗粒件条张根棵盒瓶把双包袋份副套面束盆筐箱位片头架斤束枚]"
MOST = re.compile(r"最[多大长高]|尽(?:可能|量)地?[多大长]")
LEAST = re.compile(r"至少|最[少小短]|起码|尽(?:可能|量)[少小短]")
NOTHING_LEFT = re.compile(
    r"[没不无][许能可]?[允]?[有再]?(?:任何)?(?:剩余|浪费|多余)|没有?剩|不剩|无剩余|正好|恰好|刚好|整块|[没不]能?有?余|全部[用分装打摆]|都[分装摆用放]完"
    r"|不多不少|一个不多"
)
AGAIN = re.compile(r"又|再|下[一]?[1]?次|第[1一2二]次|重合|下回|会同时|才能?同时|能同时|将同时|首次")
ASKED = re.compile(r"多少|几(?!何)")


def asked_clause(ask: str) -> str:
    """Return the clause of a question that has 多少 or 几."""
    return next((part for part in re.split(r"[，,。？！?!；;]", ask) if ASKED.search(part)), ask)


_UNITS = {
    "分": "分钟",
    "时": "小时",
    "个小时": "小时",
    "秒钟": "秒",
    "日": "天",
    "个月": "月",
    "个星期": "周",
    "星期": "周",
    "公里": "千米",
    "cm": "厘米",
    "dm": "分米",
    "mm": "毫米",
    "m": "米",
}


def full_unit(name: str) -> str:
    """Return the usual form of a unit: 分钟 for 分, 厘米 for cm."""
    return _UNITS.get(name, name)


def is_rectangle(story: Told) -> bool:
    """Return whether the facts are the length and the width of a rectangle."""
    if len(story.facts) != 2:
        return False
    first, second = story.lead(0), story.after(0, 100)
    return bool(
        (
            re.search(r"长(?:是|为|有)?\s*$", first)
            and re.fullmatch(rf"\s*{LENGTH}?\s*[，、,和]?\s*宽(?:是|为|有)?\s*", second)
        )
        or (
            re.search(r"宽(?:是|为|有)?\s*$", first)
            and re.fullmatch(rf"\s*{LENGTH}?\s*[，、,和]?\s*长(?:是|为|有)?\s*", second)
        )
        or (re.search(r"长[和、]?宽分别[是为]?\s*$", first) and re.fullmatch(rf"\s*{LENGTH}?\s*[，、,和]\s*", second))
    )


_LENGTH_TAIL = re.compile(rf"\s*{LENGTH}")


def length_unit(story: Told) -> str | None:
    """Return the unit of length that all facts have, or an empty string if they have none; None if units differ."""
    return story.unit(_LENGTH_TAIL, full_unit)


def asks_length(clause: str, unit: str) -> bool:
    """Return whether a clause asks for a length in this unit, or in no unit."""
    asked = re.search(rf"(?:多少|几)\s*{LENGTH}", clause)
    return (
        full_unit(asked[1]) == unit if asked else bool(re.search(r"长[^，]{0,6}(?:多少|几)(?![段根条块个张])", clause))
    )


def of_squares(asks: list[str], unit: str | None) -> tuple[Ask, ...]:
    """Return what questions about the sides or the number of squares ask for; nothing if one asks for more."""

    def asked(ask: str) -> Ask | None:
        clause = asked_clause(ask)
        if unit is not None and asks_length(clause, unit):
            return Ask("common")
        return Ask("product") if re.search(r"(?:多少|几)[个块张片幅]", clause) else None

    return () if unit is None else all_asks(asks, asked)
