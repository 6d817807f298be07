"""Questions for a quotient of unknowns: how many times as many A as B, what percent of B is A, 甲占总数的几分之几.

The divisor is another unknown, or all of them together: what percent of the class are girls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.linking import CERTAIN, MAX_ASSIGNED, evidence, link
from sau_solver.answering.quantities import Quantity
from sau_solver.equations.expressions import Expression, Operation
from sau_solver.solving import decimal_of
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of

_WHOLE = re.compile(
    r"\b(?:all|total|whole|altogether|both|entire|combined|class|group)\b|全[部班校队组场]|总|一共|所有|这[批些杯瓶]|两[人班种者]",
    re.IGNORECASE,
)
AROUND = 15  # characters around the total in which the text names what is counted
CLEAR = 0.5  # margin below which only sizes tell which unknown is divided


def ratio_of(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
    """Return the quotient that a question asks for, or None if the words do not say which one it is."""
    if len(unknowns) > MAX_ASSIGNED:
        return None
    if thing.part and _is_whole(thing.other, reading, unknowns):
        return _share(thing, reading, unknowns)
    first, second = unknowns[:2]
    margin = 0.0
    if thing.other:
        places, margin = link(reading, [thing.words, thing.other], unknowns, ordered=False)
        first, second = unknowns[places[0]], unknowns[places[1]]
    if margin < CLEAR and thing.part | thing.times and _is_larger(first, second) != thing.times:
        first, second = second, first  # people ask how many times the larger one is, and what part the smaller one is
    if decimal_of(second.value) == 0:
        return None
    return Operation("/", first.expression, second.expression)


def _share(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
    (place,), margin = link(reading, [thing.words], unknowns)
    total: Expression = unknowns[0].expression
    for one in unknowns[1:]:
        total = Operation("+", total, one.expression)
    return Operation("/", unknowns[place].expression, total) if margin >= CERTAIN else None


def _is_whole(other: str, reading: Reading, unknowns: Sequence[Quantity]) -> bool:
    """Return whether the words name all unknowns together: nothing in the text says that they are one of them."""
    if not other or _WHOLE.search(other):
        return bool(other)
    words = words_of(other, reading.language)
    if reading.counterpart(words) is not None:
        return False
    total = sum((one.value for one in unknowns if isinstance(one.value, Fraction)), Fraction(0))
    around = (reading.text[max(0, n.start - AROUND) : n.end + AROUND] for n in reading.numbers if n.value == total)
    if (
        reading.language == "en" and words and any(words <= words_of(part, reading.language) for part in around)
    ):  # a choir of 45, 60 guests
        return True
    (scores,) = evidence(reading, [other], unknowns, ordered=False)
    return max(scores) - min(scores) < CERTAIN


def _is_larger(first: Quantity, second: Quantity) -> bool:
    return decimal_of(first.value) > decimal_of(second.value)
