"""Is a typed answer right, exactly? Numbers, fractions, per cent, units and several answers, in both languages.

A missing unit is no mistake. Another unit of the same measure is converted: 1.5 m is 150 cm. An answer in per cent is
stored as a share of one, 1/4, and may be typed as 25%, 25 or 0.25.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.phrases import Language
from sau_solver.problem import AskedFor, Problem
from sau_solver.text.numbers import NumberSlot
from sau_solver.text.numbers.mapping import find_numbers

MAX_TYPED = 300  # characters

# right; wrong; no number in it; more or fewer answers than are asked; right values in another order; a wrong unit
Mark = Literal["right", "wrong", "no_number", "count", "order", "unit"]
Verdict = Literal["right", "wrong", "unit"]  # of one of several answers

_NAMED: dict[str, dict[str, str | int]] = {
    "length": {
        "mm": "1/1000", "cm": "1/100", "dm": "1/10", "m": 1, "km": 1000, "millimeter": "1/1000",
        "centimeter": "1/100", "meter": 1, "kilometer": 1000, "毫米": "1/1000", "厘米": "1/100",
        "分米": "1/10", "米": 1, "千米": 1000, "公里": 1000,
    },
    "customary length": {"inch": 1, "in": 1, "foot": 12, "feet": 12, "ft": 12, "yard": 36, "mile": 63360},
    "mass": {
        "mg": "1/1000", "g": 1, "kg": 1000, "t": 1000000, "gram": 1, "kilogram": 1000, "ton": 1000000, "克": 1,
        "千克": 1000, "公斤": 1000, "斤": 500, "吨": 1000000,
    },
    "customary mass": {"ounce": 1, "oz": 1, "pound": 16, "lb": 16},
    "volume": {"ml": 1, "l": 1000, "milliliter": 1, "liter": 1000, "毫升": 1, "升": 1000},
    "time": {
        "second": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "h": 3600, "day": 86400, "week": 604800, "秒": 1,
        "分钟": 60, "分": 60, "小时": 3600, "时": 3600, "天": 86400, "日": 86400, "周": 604800, "星期": 604800,
    },
    "dollars": {"cent": 1, "¢": 1, "dollar": 100, "$": 100},
    "yuan": {"分钱": 1, "角": 10, "元": 100, "块": 100},
    "area": {
        "square millimeter": "1/1000000", "square centimeter": "1/10000", "square meter": 1, "cm²": "1/10000", "m²": 1,
        "square kilometer": 1000000, "hectare": 10000, "平方毫米": "1/1000000", "平方厘米": "1/10000",
        "平方分米": "1/100", "平方米": 1, "公顷": 10000, "平方千米": 1000000, "平方公里": 1000000,
    },
    "cubic": {
        "cubic centimeter": "1/1000000", "cubic meter": 1, "cm³": "1/1000000", "m³": 1, "立方厘米": "1/1000000",
        "立方分米": "1/1000", "立方米": 1,
    },
}  # fmt: skip
_MEASURES = {name: (measure, Fraction(size)) for measure, units in _NAMED.items() for name, size in units.items()}
_UNIT_AFTER = re.compile(r"\s*([A-Za-z¢%²³/]+(?:\s+[a-z]+)?(?:\s+per\s+[a-z]+)?|[\u4e00-\u9fff]{1,4})")
_DEFINITION = re.compile(r"[A-Za-z]\s*[=＝]\s*")
_BRITISH = re.compile(r"(met|lit)re")


@dataclass(frozen=True, slots=True)
class Marked:
    """The mark of a typed answer, with a verdict for each thing asked if as many were typed."""

    mark: Mark
    verdicts: tuple[Verdict, ...] = ()

    @property
    def parts(self) -> tuple[bool, ...]:
        """For each thing asked, whether it is right."""
        return tuple(verdict == "right" for verdict in self.verdicts)

    @property
    def right(self) -> bool:
        """Whether every part is right."""
        return self.mark == "right"


def mark(problem: Problem, typed: str) -> Marked:
    """Compare a typed answer with what a problem asks for."""
    text = _DEFINITION.sub("", typed[:MAX_TYPED])
    numbers = find_numbers(text, problem.language)
    if not numbers:
        return Marked("no_number")
    if len(numbers) != len(problem.asks):
        return Marked("count")
    given = [_Given.read(text, number, problem.language) for number in numbers]
    verdicts = tuple(one.verdict(asked) for one, asked in zip(given, problem.asks, strict=True))
    if all(verdict == "right" for verdict in verdicts):
        return Marked("right", verdicts)
    if "unit" in verdicts:
        return Marked("unit", verdicts)
    return Marked("order" if _in_another_order(given, problem.asks) else "wrong", verdicts)


@dataclass(frozen=True, slots=True)
class _Given:
    """One typed number, whether it was in per cent, and its unit if it is a known one."""

    value: Fraction
    per_cent: bool
    unit: str

    @classmethod
    def read(cls, text: str, number: NumberSlot, language: Language) -> _Given:
        value = -number.value if text[: number.start].rstrip()[-1:] in ("-", "−") else number.value
        per_cent = any(sign in number.text for sign in "%％") or number.text.startswith("百分之")
        if not per_cent and re.match(r"\s*(?:%|％|per\s?cent)", text[number.end :]):
            value, per_cent = value / 100, True
        if text[: number.start].rstrip()[-1:] == "$":
            return cls(value, per_cent, "$")
        after = _UNIT_AFTER.match(text[number.end :])
        return cls(value, per_cent, _known_unit(after[1]) if after else "")

    def verdict(self, asked: AskedFor) -> Verdict:
        if asked.unit == "%":
            return "right" if self._is_share(asked.answer) else "wrong"
        wanted, mine = _MEASURES.get(_known_unit(asked.unit)), _MEASURES.get(self.unit)
        if wanted is None or mine is None:
            return "right" if self.value == asked.answer else "wrong"
        if wanted[0] != mine[0]:
            return "unit"
        return "right" if self.value * mine[1] == asked.answer * wanted[1] else "wrong"

    def _is_share(self, answer: Fraction) -> bool:
        """Return whether this is a share of one; without a sign, 25 and 0.25 both mean 25%."""
        return self.value == answer or (not self.per_cent and self.value / 100 == answer)


def _known_unit(text: str) -> str:
    """Return the name of a unit of measure at the start of a text, or an empty text."""
    words = _BRITISH.sub(r"\1er", text.strip().lower())
    for name in (words, words.split()[0] if words else "", *(words[:length] for length in (4, 3, 2, 1))):
        for form in (name, name.removesuffix("s"), name.removesuffix("es")):
            if form in _MEASURES:
                return form
        if words and words[0].isascii() and name == words.split()[0]:
            return ""  # English words are whole
    return ""


def _in_another_order(given: Sequence[_Given], asks: Sequence[AskedFor]) -> bool:
    remaining = list(asks)
    for one in given:
        fitting = next((asked for asked in remaining if one.verdict(asked) == "right"), None)
        if fitting is None:
            return False
        remaining.remove(fitting)
    return True
