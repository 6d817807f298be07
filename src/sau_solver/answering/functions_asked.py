"""Questions that ask for a function of the unknowns: a difference, a ratio, a sum or a product."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.answering.linking import MAX_ASSIGNED, link
from sau_solver.answering.quantities import Quantity
from sau_solver.answering.ratios import ratio_of
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    signed_terms,
    walk,
)
from sau_solver.solving import decimal_of
from sau_solver.text.asking import Reading, Thing

_OF_ALL = re.compile(r"\b(?:both|together|all|altogether|in total)\b|[两三四全]", re.IGNORECASE)


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
            return ratio_of(thing, reading, unknowns)
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


def _joined(operator: str, unknowns: Sequence[Quantity]) -> Expression:
    total: Expression = unknowns[0].expression
    for one in unknowns[1:]:
        total = Operation("+" if operator == "+" else "*", total, one.expression)
    return total


def _sum_is_given(equations: Equations, unknowns: Sequence[Quantity]) -> bool:
    terms = sorted((1, one.text) for one in unknowns)

    def given(equation: Equation) -> bool:
        return any(
            isinstance(other, Number) and sorted((sign, str(node)) for sign, node in signed_terms(one)) == terms
            for one, other in ((equation.left, equation.right), (equation.right, equation.left))
        )

    return any(map(given, equations))


def in_order(things: Sequence[Thing], names: list[str], equations: Equations) -> list[str]:
    """Return unknowns that are defined in turn in the order of the things; a total asked for first is added up last."""
    sums = [i for i, thing in enumerate(things) if thing.relation == "sum" and _OF_ALL.search(thing.words)]
    if len(sums) != 1 or sums[0] == len(things) - 1:
        return names
    *others, last = names
    side = next((equation.right for equation in equations if equation.left == Unknown(last)), None)
    if not (isinstance(side, Operation) and side.operator == "+" and any(Unknown(n) in walk(side) for n in others)):
        return names
    return [*others[: sums[0]], last, *others[sums[0] :]]
