"""Units of measure as people type them -> what they measure, and how large they are: km/h, 平方分米, cubic inches, m^2.

A unit is a product of powers of base units, so cm³ and ml measure the same, and km/h can be compared with m/s. Metric
and customary units are not converted into each other, and neither are currencies.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

# Base unit -> its multiples.
_SIMPLE: dict[str, dict[str, str | int]] = {
    "m": {
        "mm": "1/1000", "cm": "1/100", "dm": "1/10", "m": 1, "km": 1000, "millimeter": "1/1000", "decimeter": "1/10",
        "centimeter": "1/100", "meter": 1, "kilometer": 1000, "毫米": "1/1000", "厘米": "1/100", "分米": "1/10",
        "米": 1, "千米": 1000, "公里": 1000,
    },
    "inch": {"inch": 1, "in": 1, "foot": 12, "feet": 12, "ft": 12, "yard": 36, "yd": 36, "mile": 63360, "mi": 63360},
    "g": {
        "mg": "1/1000", "g": 1, "kg": 1000, "t": 1000000, "milligram": "1/1000", "gram": 1, "kilogram": 1000,
        "ton": 1000000, "tonne": 1000000, "克": 1, "千克": 1000, "公斤": 1000, "斤": 500, "吨": 1000000,
    },
    "ounce": {"ounce": 1, "oz": 1, "pound": 16, "lb": 16},
    "s": {
        "second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400,
        "week": 604800, "秒": 1, "秒钟": 1, "分钟": 60, "分": 60, "小时": 3600, "时": 3600, "天": 86400, "日": 86400,
        "周": 604800, "星期": 604800,
    },
    "cent": {"cent": 1, "¢": 1, "dollar": 100, "$": 100},
    "fen": {"分钱": 1, "角": 10, "元": 100, "块": 100},
    "euro": {"euro": 1, "€": 1, "欧元": 1},
    "US dollar in Chinese": {"美元": 1},
    "pound sterling": {"£": 1, "英镑": 1},
}  # fmt: skip
# Unit -> base unit, power and size.
_POWERS: dict[str, tuple[str, int, str | int]] = {
    "ml": ("m", 3, "1/1000000"), "milliliter": ("m", 3, "1/1000000"), "毫升": ("m", 3, "1/1000000"),
    "l": ("m", 3, "1/1000"), "liter": ("m", 3, "1/1000"), "升": ("m", 3, "1/1000"),
    "hectare": ("m", 2, 10000), "ha": ("m", 2, 10000), "公顷": ("m", 2, 10000),
}  # fmt: skip
_WHOLE = {"mph": "mile/hour", "kmh": "km/h", "kph": "km/h"}
_PER = re.compile(r"\s*(?:/|／|\bper\b|每)\s*")
_POWER = re.compile(r"(square|cubic|sq\.?|cu\.?|平方|立方)\s*(.+)|(.+?)\s*([²³])")
_EXPONENTS = {"square": 2, "sq": 2, "sq.": 2, "平方": 2, "²": 2, "cubic": 3, "cu": 3, "cu.": 3, "立方": 3, "³": 3}
_BRITISH = re.compile(r"(met|lit)re")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a unit measures, as base units with their powers, and its size in these."""

    dimension: frozenset[tuple[str, int]]
    size: Fraction

    def per(self, other: Measure) -> Measure:
        """Return the measure of this for each unit of another: km per hour."""
        powers = Counter(dict(self.dimension))
        powers.subtract(dict(other.dimension))
        return Measure(frozenset((base, power) for base, power in powers.items() if power), self.size / other.size)


def read_unit(text: str) -> Measure | None:
    """Return the measure of a unit, or None for other words; the whole text must be the unit."""
    words = _BRITISH.sub(r"\1er", text.strip().lower())
    first, *others = map(_single, _PER.split(_WHOLE.get(words, words)))
    for other in others:
        if first is None or other is None:
            return None
        first = first.per(other)
    return first


def leading_unit(text: str) -> Measure | None:
    """Return the measure of the longest unit at the start of a text."""
    chinese = re.match(r"[\u4e00-\u9fff/／]{1,8}", text)
    if chinese:
        whole = chinese[0]
        return next((found for end in range(len(whole), 0, -1) if (found := read_unit(whole[:end]))), None)
    words = re.match(r"[A-Za-z¢€£$²³./／]+(?:\s+[A-Za-z²³/／]+){0,3}", text)
    if words is None:
        return None
    pieces = re.split(r"(\s+)", words[0].rstrip("."))
    return next((found for end in range(len(pieces), 0, -2) if (found := read_unit("".join(pieces[:end])))), None)


def _single(text: str) -> Measure | None:
    """Return the measure of a unit without `per`."""
    if (power := _POWER.fullmatch(text)) and (inner := _single(power[2] or power[3])):
        exponent = _EXPONENTS[power[1] or power[4]]
        return Measure(frozenset((base, exponent * own) for base, own in inner.dimension), inner.size**exponent)
    for form in (text, text.removesuffix("s"), text.removesuffix("es")):
        if form in _POWERS:
            base, own_power, size = _POWERS[form]
            return Measure(frozenset({(base, own_power)}), Fraction(size))
        for base, multiples in _SIMPLE.items():
            if form in multiples:
                return Measure(frozenset({(base, 1)}), Fraction(multiples[form]))
    return None
