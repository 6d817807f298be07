"""Trees that compute with the days of a month -> trees with the days of the month that the text names.

A network writes 31 for the days of any month, because most months have 31. Which month has how many days is no matter
of learning: 四月份 has 30. February is left alone, because its length depends on the year.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.equations.expressions import Number
from sau_solver.equations.uet import Uet
from sau_solver.text.numbers import MappedText

_ZH_MONTH = re.compile(
    r"(?<![\d个年/.])(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!\s*\d+\s*[日号]|[一二三四五六七八九十]+[日号]|[上中下初]旬?|底|末)"
)
_EN_MONTH = re.compile(
    r"\b(?:in|of|during|for|this|last|next|whole|entire) "
    r"(?P<month>January|March|April|May|June|July|August|September|October|November|December)\b(?! \d)"
)
_ZH_NAMES = {name: place for place, name in enumerate("一二三四五六七八九十", 1)} | {"十一": 11, "十二": 12}
_SHORT = {4, 6, 9, 11, "April", "June", "September", "November"}
_FEBRUARY = 2
_LENGTHS = (Fraction(30), Fraction(31))


def with_days_of_the_month(text: MappedText, tree: Uet) -> Uet:
    """Return the tree with 30 for 31, or 31 for 30, if the text names one month and neither of these numbers."""
    length = _days_of_the_month(text.text)
    if length is None or any(number.value in _LENGTHS for number in text.numbers):
        return tree
    symbols = tuple(
        Number(length) if isinstance(symbol, Number) and symbol.value in _LENGTHS else symbol for symbol in tree.symbols
    )
    return tree if symbols == tree.symbols else Uet(symbols)


def _days_of_the_month(text: str) -> Fraction | None:
    """Return 30 or 31, or None unless the text names exactly one month with that length."""
    named: set[object] = {found["month"] for found in _EN_MONTH.finditer(text)}
    for found in _ZH_MONTH.finditer(text):
        named.add(_ZH_NAMES.get(found["month"]) or int(found["month"]))
    if len(named) != 1 or named == {_FEBRUARY}:
        return None
    return Fraction(30 if named & _SHORT else 31)
