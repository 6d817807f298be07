"""Questions that ask for a function of the unknowns: a difference, a sum, a ratio, a perimeter, an area."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.linking import MAX_ASSIGNED, link
from sau_solver.answering.quantities import Quantity
from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.solving import decimal_of
from sau_solver.text.asking import Reading, Thing

_RECTANGLE = re.compile(
    r"\b(?:length|width|long|wide|rectang\w*|sides?|dimensions)\b|[长宽边]方?|矩形|菜园|平行于墙", re.IGNORECASE
)
_RIGHT_TRIANGLE = re.compile(r"\bright(?:-angled)? triangle\b|直角三角形", re.IGNORECASE)
_SMALLER_PART = re.compile(r"几分之几|百分之|\bfraction\b|\bpercent")
_PERIMETER = re.compile(r"\bperimeter\b|\bcircumference\b|周长", re.IGNORECASE)
_AREA = re.compile(r"\barea\b|面积", re.IGNORECASE)
_TWO = Number(Fraction(2))


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
        case "area" if len(unknowns) == 2 and _RECTANGLE.search(reading.text):
            if any(_is_product(node) for equation in equations for node in (equation.left, equation.right)):
                return None if _area_is_given(equations) else _area(reading, unknowns)
            return _area(reading, unknowns)
        case "perimeter" if len(unknowns) == 2 and _RECTANGLE.search(reading.text):
            return Operation("*", _TWO, Operation("+", unknowns[0].expression, unknowns[1].expression))
    return None


def shape_asked(things: Sequence[Thing], equations: Equations) -> int | None:
    """Return which of several things a calculation is: the perimeter if it adds or doubles, otherwise the area."""
    perimeters = [place for place, thing in enumerate(things) if _PERIMETER.search(thing.quantity)]
    areas = [place for place, thing in enumerate(things) if _AREA.search(thing.quantity)]
    if len(perimeters) != 1 or len(areas) != 1:
        return None
    nodes = [node for side in (equations[0].left, equations[0].right) for node in walk(side)]
    adds = any(isinstance(node, Operation) and node.operator == "+" for node in nodes)
    powers = any(isinstance(node, Operation) and node.operator == "^" for node in nodes)
    doubles = not powers and any(isinstance(node, Number) and node.value in (2, 4) for node in nodes)
    return perimeters[0] if adds or doubles else areas[0]


def _pair(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> tuple[Quantity, Quantity]:
    """Return the two unknowns that a question compares."""
    if len(unknowns) == 2 or not thing.other or len(unknowns) > MAX_ASSIGNED:
        return unknowns[0], unknowns[1]
    (first, second), _ = link(reading, [thing.words, thing.other], unknowns)
    return unknowns[first], unknowns[second]


def _ratio(thing: Thing, reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
    first, second = unknowns[:2]
    margin = 0.0
    if thing.other and len(unknowns) <= MAX_ASSIGNED:
        places, margin = link(reading, [thing.words, thing.other], unknowns)
        first, second = unknowns[places[0]], unknowns[places[1]]
    if margin < 0.5:  # nothing but the order of mention: people ask how many times the larger one is
        wants_part = bool(_SMALLER_PART.search(thing.question))
        if (decimal_of(first.value) < decimal_of(second.value)) != wants_part and thing.unit in ("times", "倍"):
            first, second = second, first
    if decimal_of(second.value) == 0:
        return None
    return Operation("/", first.expression, second.expression)


def _joined(operator: str, unknowns: Sequence[Quantity]) -> Expression:
    total: Expression = unknowns[0].expression
    for one in unknowns[1:]:
        total = Operation("+" if operator == "+" else "*", total, one.expression)
    return total


def _area(reading: Reading, unknowns: Sequence[Quantity]) -> Expression:
    product = _joined("*", unknowns)
    return Operation("/", product, _TWO) if _RIGHT_TRIANGLE.search(reading.text) else product


def _is_product(node: Expression) -> bool:
    return (
        isinstance(node, Operation)
        and node.operator == "*"
        and isinstance(node.left, Unknown)
        and isinstance(node.right, Unknown)
    )


def _area_is_given(equations: Equations) -> bool:
    """Return whether an equation sets the product of the unknowns equal to a number."""
    return any(
        _is_product(one) and isinstance(other, Number)
        for equation in equations
        for one, other in ((equation.left, equation.right), (equation.right, equation.left))
    )


def _sum_is_given(equations: Equations, unknowns: Sequence[Quantity]) -> bool:
    names = {one.text for one in unknowns}

    def terms(node: Expression) -> list[str]:
        if isinstance(node, Operation) and node.operator == "+":
            return terms(node.left) + terms(node.right)
        return [str(node)]

    def given(equation: Equation) -> bool:
        return any(
            sorted(terms(one)) == sorted(names) and isinstance(other, Number)
            for one, other in ((equation.left, equation.right), (equation.right, equation.left))
        )

    return any(map(given, equations))
