"""Equations start*(1+x)^2=end -> the amount at another time that a question asks for: one period earlier or later.

If the rate is x from 2021 to 2023, the amount of 2022 is start*(1+x) and that of 2024 is end*(1+x).
"""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, unknowns_of
from sau_solver.text.asking import Reading, Thing

_RATE = re.compile(r"率|百分|每轮|平均|\brate\b|\bpercent|\bper cent\b|\bper round\b|%", re.IGNORECASE)
_DIGITS = {one: value for value, one in enumerate("零一二三四五六七八九")} | {"两": 2, "十": 10}
_ZH_PERIOD = re.compile(r"(?P<number>\d+|十?[一二两三四五六七八九十])(?P<unit>年|月|轮|周)")
_EN_PERIOD = re.compile(r"\b(?P<number>(?:19|20)\d\d)\b")
_TWO = Number(Fraction(2))
_ONE = Number(Fraction(1))


def growth_asked(thing: Thing, reading: Reading, equations: Equations) -> Expression | None:
    """Return the amount of another period, or None if the question asks for the rate or for something else."""
    growth = _growth(equations)
    if growth is None or thing.unit == "%" or _RATE.search(thing.question):
        return None
    start, factor, end = growth
    before = reading.before(thing.question)
    lead = re.split(r"[，。；？！]", before[:-1])[-1] if before[-1:] == "，" else ""
    asked = _periods(thing.question) or _periods(lead)
    told = _periods(before or reading.text)
    if not asked:
        return None
    unit, wanted = asked[-1]
    numbers = [number for own, number in told if own == unit]
    first = 0 if unit == "轮" else min(numbers, default=0)
    if unit != "轮" and first + 2 not in numbers:
        return None
    if wanted == first + 1 and unit != "轮":
        return factor if start == _ONE else Operation("*", start, factor)
    return Operation("*", end, factor) if wanted == first + 3 else None


def _growth(equations: Equations) -> tuple[Expression, Expression, Expression] | None:
    """Return start, 1+x and end of start*(1+x)^2=end; the start is 1 if it is not written."""
    if len(equations) != 1:
        return None
    equation = equations[0]
    for side, end in ((equation.left, equation.right), (equation.right, equation.left)):
        start: Expression = _ONE
        power = side
        if isinstance(side, Operation) and side.operator == "*":
            start, power = side.left, side.right
        if not isinstance(start, Number) or not isinstance(end, Number) or not isinstance(power, Operation):
            continue
        base = power.left
        if power.operator == "^" and power.right == _TWO and isinstance(base, Operation) and base.left == _ONE:
            return (start, base, end) if len(unknowns_of(equations)) == 1 else None
    return None


def _periods(text: str) -> list[tuple[str, int]]:
    """Return the years, months and rounds that a text names."""
    found = [(match["unit"], _number(match["number"])) for match in _ZH_PERIOD.finditer(text)]
    return found or [("", int(match["number"])) for match in _EN_PERIOD.finditer(text)]


def _number(written: str) -> int:
    if written.isdigit():
        return int(written)
    return sum(_DIGITS[one] for one in written)  # 十一 is 10+1
