"""Join the two numbers of a compound quantity when a text is served: 2 hours 30 minutes is one number, 5/2 hours.

Networks read one number with a unit far better than two (EXPERIMENTS.md, 2026-11-18). The value is in the smaller unit
if only that one is named elsewhere, in the question or in the text (150 minutes), and otherwise in the larger one.
Corpora are not read so: their gold equations compute with both numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from sau_solver.problem import Language
from sau_solver.text.numbers.english_text import lower
from sau_solver.text.numbers.mapped import NumberSlot

_EN = (
    ("hours?|hrs?|h", "minutes?|mins?", 60), ("minutes?|mins?", "seconds?|secs?", 60),
    ("m|meters?|metres?", "cm|centimeters?|centimetres?", 100), ("feet|foot|ft", "inch(?:es)?", 12),
    ("yards?", "feet|foot", 3), ("yards?", "inch(?:es)?", 36), ("pounds?|lbs?", "ounces?|oz", 16),
    ("kg|kilograms?", "g|grams?", 1000), ("l|liters?|litres?", "ml|milliliters?|millilitres?", 1000),
    ("km|kilometers?|kilometres?", "m|meters?|metres?", 1000), ("dollars?", "cents?", 100),
)  # fmt: skip
_ZH = (
    ("小时", "分钟?", 60), ("分钟?", "秒钟?", 60), ("米", "厘米", 100), ("米", "分米", 10), ("分米", "厘米", 10),
    ("元", "角", 10), ("千克", "克", 1000), ("公斤", "克", 1000), ("吨", "千克", 1000), ("升", "毫升", 1000),
    ("千米", "米", 1000), ("公里", "米", 1000),
)  # fmt: skip
_SENTENCE = {"en": re.compile(r"[^.?!]++[.?!]?+"), "zh": re.compile("[^，。？?；]++[，。？?；]?+")}
# A question that only converts the quantity, which networks have learned to do with two numbers.
_CONVERSION = {
    "en": re.compile(
        r"\b(?:is|was) (?:that|this|it)\b|\b(?:does|did) [a-z' ]{0,80}\b(?:last|run|take)\b(?!.*\b(?:each|all|total))"
    ),
    "zh": re.compile("合(?:多少|几)|等于多少"),
}
_ARTICLES = ("一", "one", "One")
_TIME = re.compile(r"\d[:：][0-5]\d|\d\s?[时点]|\bo['’]clock|\d ?[ap]\.?m\b")


@dataclass(frozen=True, slots=True)
class _Pair:
    """A larger and a smaller unit, and how many of the smaller one make the larger one."""

    between: re.Pattern[str]  # the larger unit and what may stand before the second number
    after: re.Pattern[str]  # the smaller unit
    larger: re.Pattern[str]  # the larger unit anywhere
    smaller: re.Pattern[str]
    counted_larger: re.Pattern[str]  # the larger unit after digits
    counted_smaller: re.Pattern[str]
    count: int


@cache
def _pairs(language: Language) -> tuple[_Pair, ...]:
    found = []
    for big, small, count in _ZH if language == "zh" else _EN:
        if language == "zh":
            patterns = [
                f"({big})零?",
                f"({small})(?!之)",
                _alone(big),
                _alone(small),
                rf"\d(?:{big})",
                rf"\d(?:{small})",
            ]
        else:
            alone = [rf"(?<![a-z])(?:{unit})(?![a-z])" for unit in (big, small)]
            counted = [rf"\d[ -]?(?:{unit})(?![a-z])" for unit in (big, small)]
            patterns = [rf"[ -]?({big})(?: and | )", rf"[ -]?({small})(?![a-z])", *alone, *counted]
        between, after, *others = map(re.compile, patterns)
        found.append(_Pair(between, after, others[0], others[1], others[2], others[3], count))
    return tuple(found)


def _alone(unit: str) -> str:
    """Return the pattern of a Chinese unit that is not the end of another one: 米, but not that of 厘米."""
    return rf"(?<![千厘分毫平立方公])(?:{unit})" if len(unit) == 1 else unit


def joined(text: str, language: Language, numbers: Sequence[NumberSlot]) -> list[NumberSlot]:
    """Return the numbers of a text, with one number for each compound quantity.

    Nothing is joined in a conversion, or if other quantities of the text or the question need both units, or if the
    text has times of day, whose hours and minutes are counted one by one.
    """
    plain = lower(text)
    if _TIME.search(plain):
        return list(numbers)
    found = {
        place: pair
        for place in range(len(numbers) - 1)
        if (pair := _pair_at(plain, language, numbers[place], numbers[place + 1]))
    }
    found = {place: pair for place, pair in found.items() if place - 1 not in found and place + 1 not in found}
    counted = sum(number.text not in _ARTICLES for number in numbers)
    if not found or counted - len(found) < 2:
        return list(numbers)
    ends = {place: _end(plain, numbers[place + 1], pair) for place, pair in found.items()}
    rest = _without(plain, [(numbers[place].start, end) for place, end in ends.items()])
    sentences = [sentence.strip() for sentence in _SENTENCE[language].findall(rest)]
    question = " ".join(one for one in sentences if one.endswith(("?", "？"))) or sentences[-1]
    made: list[NumberSlot] = []
    for place, number in enumerate(numbers):
        if place - 1 in found:
            continue
        if (pair := found.get(place)) is None:
            made.append(number)
            continue
        smaller = _is_smaller(pair, question, rest)
        if smaller is None or (smaller and len(found) == 1 and _CONVERSION[language].search(question)):
            return list(numbers)
        made.append(_joined(text, number, numbers[place + 1], pair, smaller))
    return made


def _pair_at(plain: str, language: Language, first: NumberSlot, second: NumberSlot) -> _Pair | None:
    if second.start - first.end > 20 or first.value.denominator != 1 or second.value.denominator != 1:
        return None
    for pair in _pairs(language):
        if (
            first.value > 0
            and 0 < second.value < pair.count
            and pair.between.fullmatch(plain, first.end, second.start)
            and pair.after.match(plain, second.end)
        ):
            return pair
    return None


def _end(plain: str, second: NumberSlot, pair: _Pair) -> int:
    after = pair.after.match(plain, second.end)
    return after.end() if after else second.end


def _without(plain: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without some of its parts."""
    parts, place = [], 0
    for start, end in spans:
        parts.append(plain[place:start])
        place = end
    return " ".join([*parts, plain[place:]])


def _is_smaller(pair: _Pair, question: str, rest: str) -> bool | None:
    """Return whether the value is best in the smaller unit; None if the text needs both units."""
    for words in (question, rest):
        larger, smaller = bool(pair.larger.search(words)), bool(pair.smaller.search(words))
        if larger and smaller and words is question:
            return None
        if larger or smaller:
            other = pair.counted_smaller if larger else pair.counted_larger
            return None if larger != smaller and other.search(rest) else smaller and not larger
    return False


def _joined(text: str, first: NumberSlot, second: NumberSlot, pair: _Pair, smaller: bool) -> NumberSlot:
    plain = lower(text)
    between, after = pair.between.match(plain, first.end), pair.after.match(plain, second.end)
    assert between is not None
    assert after is not None
    total = first.value * pair.count + second.value
    value, unit = (total, after) if smaller else (Fraction(total, pair.count), between)
    name = text[unit.start(1) : unit.end(1)]
    return NumberSlot(value, text[first.start : after.end()], first.start, after.end(), name)
