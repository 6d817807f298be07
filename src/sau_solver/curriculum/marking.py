"""A typed answer -> whether it is right: numbers, fractions, percentages, units and several answers, in both languages.

A missing unit is not a mistake. Another unit of the same measure is converted: 1.5 m is 150 cm, 1 hour 55 minutes are
115 minutes. An answer in percent is stored as a share of one, 1/4, and may be typed as 25%, 25 or 0.25.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from sau_solver.curriculum.typed_units import Measure, leading_unit, read_unit
from sau_solver.problem import AskedFor, Problem
from sau_solver.text.numbers import NumberSlot
from sau_solver.text.numbers.mapping import find_numbers

MAX_TYPED = 300  # characters

# right, wrong, without a number, more or fewer answers than asked for, right values in another order, wrong unit
Mark = Literal["right", "wrong", "no_number", "count", "order", "unit"]
Verdict = Literal["right", "wrong", "unit"]  # of one of several answers

_DEFINITION = re.compile(r"[A-Za-z]\s*[=＝]\s*")
_MINUS = re.compile(r"(?:[-−]|\bminus|\bnegative|负)\s*$", re.IGNORECASE)
_POWER = re.compile(r"\b(mm|cm|dm|m|km|ft|in)\s?\^?([23])(?![\d.])")
_EACH = re.compile(r"每(小时|时|分钟|分|秒钟|秒|天|日)$")  # 每小时60千米
_BEFORE = ("$", "€", "£")


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
    text = _POWER.sub(lambda unit: unit[1] + "²³"[int(unit[2]) - 2], _DEFINITION.sub("", typed[:MAX_TYPED]))
    numbers = find_numbers(text, problem.language)
    if not numbers:
        return Marked("no_number")
    given = [_Given.read(text, number) for number in numbers]
    if len(given) > len(problem.asks):
        given = _joined(given, text)
    if len(given) != len(problem.asks):
        return Marked("count")
    verdicts = tuple(one.verdict(asked) for one, asked in zip(given, problem.asks, strict=True))
    if all(verdict == "right" for verdict in verdicts):
        return Marked("right", verdicts)
    if "unit" in verdicts:
        return Marked("unit", verdicts)
    return Marked("order" if _in_another_order(given, problem.asks) else "wrong", verdicts)


@dataclass(frozen=True, slots=True)
class _Given:
    """One typed number, whether it is a percentage, its unit if it is a known one, and its place in the text."""

    value: Fraction
    per_cent: bool
    unit: Measure | None
    start: int
    end: int

    @classmethod
    def read(cls, text: str, number: NumberSlot) -> _Given:
        before, after = text[: number.start].rstrip(), text[number.end :]
        value = -number.value if _MINUS.search(before) else number.value
        per_cent = any(sign in number.text for sign in "%％") or number.text.startswith("百分之")
        if not per_cent and re.match(r"\s*(?:%|％|per\s?cent)", after):
            value, per_cent = value / 100, True
        unit = read_unit(before[-1:]) if before.endswith(_BEFORE) else leading_unit(after.lstrip())
        if unit and (each := _EACH.search(before)) and (per := read_unit(each[1])):
            unit = unit.per(per)
        return cls(value, per_cent, unit, number.start, number.end)

    def verdict(self, asked: AskedFor) -> Verdict:
        if asked.unit == "%":
            return "right" if self._is_share(asked.answer) else "wrong"
        wanted, same = read_unit(asked.unit), self.value == asked.answer
        if wanted is None or self.unit is None:
            return "right" if same else "wrong"
        if wanted.dimension != self.unit.dimension:
            return "unit"
        if self.value * self.unit.size == asked.answer * wanted.size:
            return "right"
        return "unit" if same else "wrong"

    def _is_share(self, answer: Fraction) -> bool:
        """Return whether this is a share of one; without a sign, 25 and 0.25 both mean 25%."""
        return self.value == answer or (not self.per_cent and self.value / 100 == answer)


def _joined(given: Sequence[_Given], text: str) -> list[_Given]:
    """Add up amounts such as 1 hour 55 minutes and 7元5角: a smaller unit of the same measure follows."""
    found: list[_Given] = []
    for one in given:
        last = found[-1] if found else None
        if last and last.unit and one.unit and last.unit.dimension == one.unit.dimension:
            between = text[last.end : one.start]
            if last.unit.size > one.unit.size and not re.search(r"[,，;；、和与]|\band\b.*\d", between):
                found[-1] = replace(last, value=last.value + one.value * one.unit.size / last.unit.size, end=one.end)
                continue
        found.append(one)
    return found


def _in_another_order(given: Sequence[_Given], asks: Sequence[AskedFor]) -> bool:
    remaining = list(asks)
    for one in given:
        fitting = next((asked for asked in remaining if one.verdict(asked) == "right"), None)
        if fitting is None:
            return False
        remaining.remove(fitting)
    return True
