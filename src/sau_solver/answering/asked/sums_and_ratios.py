"""Questions that ask for a function of the unknowns: a difference, a ratio, a sum or a product."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.linking import CERTAIN, MAX_ASSIGNED, evidence, link
from sau_solver.answering.asked.quantities import Quantity
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Operator,
    Unknown,
    signed_terms,
    walk,
)
from sau_solver.solving import decimal_of
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of

_OF_ALL = re.compile(r"\b(?:both|together|all|altogether|in total)\b|[两三四全]", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:all|total|whole|altogether|both|entire|combined|class|group)\b|全[部班校队组场]|总|一共|所有|这[批些杯瓶]|两[人班种者]",
    re.IGNORECASE,
)
AROUND = 15  # characters around the total in which the text names what is counted
CLEAR = 0.5  # margin below which only sizes tell which unknown is divided


def function_of(
    thing: Thing, reading: Reading, equations: Equations, unknowns: Sequence[Quantity]
) -> Expression | None:
    """Return the expression that a question asks for, or None if the unknowns do not give it."""
    match thing.relation:
        case "difference":
            first, second = _pair(thing, reading, unknowns)
            if decimal_of(first.value) < decimal_of(second.value):
                first, second = second, first
            return Operation("-", first.expression, second.expression)
        case "ratio":
            return _ratio(thing, reading, unknowns)
        case "sum":
            return None if _sum_is_given(equations, unknowns) else _joined("+", unknowns)
        case "product":
            return _joined("*", unknowns)
    return None


def _pair(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> tuple[Quantity, Quantity]:
    """Return the two unknowns that a question compares."""
    if len(unknowns) == 2 or not thing.other or len(unknowns) > MAX_ASSIGNED:
        return unknowns[0], unknowns[1]
    (first, second), _ = link(reading, [thing.words, thing.other], unknowns)
    return unknowns[first], unknowns[second]


def _joined(operator: Operator, unknowns: Sequence[Quantity]) -> Expression:
    total: Expression = unknowns[0].expression
    for one in unknowns[1:]:
        total = Operation(operator, total, one.expression)
    return total


def _sum_is_given(equations: Equations, unknowns: Sequence[Quantity]) -> bool:
    terms = sorted((1, one.text) for one in unknowns)

    def given(equation: Equation) -> bool:
        return any(
            isinstance(other, Number) and sorted((sign, str(node)) for sign, node in signed_terms(one)) == terms
            for one, other in ((equation.left, equation.right), (equation.right, equation.left))
        )

    return any(map(given, equations))


def _ratio(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
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
    return Operation("/", unknowns[place].expression, _joined("+", unknowns)) if margin >= CERTAIN else None


def _is_whole(other: str, reading: Reading, unknowns: Sequence[Quantity]) -> bool:
    """Return whether the words mean all unknowns together. They do if they fit no unknown better than the others."""
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


def in_order(things: Sequence[Thing], names: list[str], equations: Equations) -> list[str]:
    """Return unknowns that are defined in turn in the order of the things. A total asked for first is defined last."""
    sums = [i for i, thing in enumerate(things) if thing.relation == "sum" and _OF_ALL.search(thing.words)]
    if len(sums) != 1 or sums[0] == len(things) - 1:
        return names
    *others, last = names
    side = next((equation.right for equation in equations if equation.left == Unknown(last)), None)
    if not (isinstance(side, Operation) and side.operator == "+" and any(Unknown(n) in walk(side) for n in others)):
        return names
    return [*others[: sums[0]], last, *others[sums[0] :]]
