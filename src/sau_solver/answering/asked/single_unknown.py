"""An equation with one unknown and a question -> the unknown, or the expressions with it that the question asks for.

`definitions` handles equations that only define the unknown by numbers, such as x=130*3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.consecutive import consecutive_numbers, consecutive_parts, of_consecutive
from sau_solver.answering.asked.derived import derived_asked
from sau_solver.answering.asked.linking import MAX_ASSIGNED, link
from sau_solver.answering.asked.parts import ends_named, is_moved, is_sum, parts_of, sum_of_parts
from sau_solver.answering.asked.quantities import Quantity, value_of
from sau_solver.answering.asked.shapes import area_of_square, figure_asked, perimeter_of_square
from sau_solver.answering.asked.totals import side_asked
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk_equations
from sau_solver.solving import Assignment, Value, decimal_of
from sau_solver.text.asking import Reading, Thing

_COMPARES = re.compile(r"\b(?:times|twice|than|half|as \w+ as)\b|倍|比")
_MIDDLE = re.compile(r"\bmiddle\b|中间", re.IGNORECASE)
_PLACE = re.compile(r"(?P<middle>\bmiddle\b|中间|第二)|(?P<third>\bthird\b|第三)|\blast\b|最后", re.IGNORECASE)
_SECOND = re.compile(r"\bsecond[- ][a-z]+est\b|第二[大小长短高矮]", re.IGNORECASE)
_SUM_OF = re.compile(r"\bsum of\b|[的之]和|相加", re.IGNORECASE)
_EQUAL = re.compile(r"\b(?:both|they|each)\b.*\b(?:same|equal\w*|level)\b", re.IGNORECASE)
_RATIO = re.compile(r"\bratio\b|\d ?: ?\d", re.IGNORECASE)
CLEAR = 1.4  # margin from which an expression with the only unknown is asked for instead of the unknown


def one_unknown_asked(
    thing: Thing, reading: Reading, equations: Equations, solution: Assignment, quantities: Sequence[Quantity]
) -> list[Expression]:
    """Return what a question asks for: the unknown, which is the first quantity, or expressions with it."""
    unknown = Unknown(quantities[0].text)
    joined = len(quantities) > 1 or thing.relation in ("difference", "sum", "product")
    run = consecutive_numbers(reading, equations, unknown, solution)
    if named := of_consecutive(thing, reading, run):
        return named
    parts = parts_of(equations, unknown.name) if joined else []
    if thing.relation in ("every", "larger", "smaller", "product") or _PLACE.search(thing.question):
        parts = (
            consecutive_parts(reading.text, equations, solution) or (run if reading.language == "zh" else []) or parts
        )
    if (made := derived_asked(thing, reading, equations, solution, parts)) is not None:
        return [made]
    if len(quantities) > 1 and (side := side_asked(thing, reading, equations)) is not None:
        return [side]
    if (area := area_of_square(thing, reading, equations, unknown)) is not None:
        return [area]
    if (perimeter := perimeter_of_square(thing, reading, equations, unknown)) is not None:
        return [perimeter]
    if thing.relation == "every" and _MIDDLE.search(thing.question):
        parts = []
    if thing.relation == "every" and len(parts) > 1 and thing.count in (0, len(parts)):
        return parts
    if (
        thing.relation == "every"
        and reading.language == "en"
        and (pair := _pair(thing, reading, equations, quantities))
    ):
        return pair
    if (part := _part_asked(thing, reading, equations, quantities, solution, parts)) is not None:
        return [part]
    if thing.relation == "value" and thing.unit != "%":
        others = [one for one in quantities[1:] if _may_be_asked(one, quantities[0], reading)]
        possible = [quantities[0], *others][:MAX_ASSIGNED]
        if len(possible) > 1 and not _COMPARES.search(thing.words):
            (place,), margin = link(reading, [thing], possible)
            if margin >= CLEAR:
                return [possible[place].expression]
    return [unknown]


def _pair(thing: Thing, reading: Reading, equations: Equations, quantities: Sequence[Quantity]) -> list[Expression]:
    """Return two things that one unknown stands for: x and 200-x, x and x+5, or 2*x and 9*x in the ratio of 2 to 9."""
    if thing.count not in (0, 2) or _EQUAL.search(thing.question):
        return []
    unknown, *others = quantities
    numbers = {number.value for number in reading.numbers}
    moved = [one for one in others if is_sum(one.expression) and _number_in(one.expression) in numbers]
    if len(moved) == 1:
        other = moved[0]
        nodes = list(walk_equations(equations))
        inside = nodes.count(other.expression)
        apart = nodes.count(unknown.expression) > inside  # x has a place of its own beside x+5
        less = isinstance(other.expression, Operation) and other.expression.left == unknown.expression
        if less and isinstance(other.expression, Operation) and other.expression.operator == "-":
            apart &= _are_compared(unknown.value, other.value, reading)  # a price and the profit x-8.5 are not
        return [unknown.expression, other.expression] if apart else []
    multiples = [one.expression for one in others if isinstance(one.expression, Operation)]
    if not moved and len(multiples) == 2 and _RATIO.search(reading.text):
        products = all(one.operator == "*" and _number_in(one) in numbers for one in multiples)
        return list(multiples) if products else []
    return []


def _number_in(node: Expression) -> Fraction | None:
    """Return the number that an expression combines with the unknown."""
    sides = (node.left, node.right) if isinstance(node, Operation) else ()
    return next((side.value for side in sides if isinstance(side, Number)), None)


def _may_be_asked(quantity: Quantity, unknown: Quantity, reading: Reading) -> bool:
    """Return whether an expression with the only unknown, such as 30-x, stands for a thing of the text.

    It does if both it and the unknown are multiplied by numbers (2*x+4*(30-x)), or if the text compares them.
    """
    whole, value = unknown.value, quantity.value
    if not isinstance(value, Fraction) or not isinstance(whole, Fraction):
        return False
    if any(number.value == value for number in reading.numbers):
        return False
    node = quantity.expression
    if isinstance(node, Operation) and node.operator == "-" and isinstance(node.right, Unknown):
        return bool(unknown.role.factors and quantity.role.factors and not unknown.role.factors & quantity.role.factors)
    return _are_compared(value, whole, reading)


def _are_compared(first: Value, second: Value, reading: Reading) -> bool:
    """Return whether the text states a comparison that holds for two values."""
    if not isinstance(first, Fraction) or not isinstance(second, Fraction):
        return False
    return any(one.holds(first, second) or one.holds(second, first) for one in reading.comparisons)


def _is_product(equations: Equations, parts: Sequence[Expression]) -> bool:
    """Return whether the parts are the factors of a product and not the terms of a sum."""
    products = (node for node in walk_equations(equations) if isinstance(node, Operation) and node.operator == "*")
    return any(set(parts) == {node.left, node.right} for node in products)


def _part_asked(
    thing: Thing,
    reading: Reading,
    equations: Equations,
    quantities: Sequence[Quantity],
    solution: Assignment,
    parts: Sequence[Expression],
) -> Expression | None:
    """Return what a question asks of the parts of a sum or product: the eldest, the middle one, the difference."""

    def size(node: Expression) -> float:
        return decimal_of(value_of(node, solution) or Fraction(0))

    if thing.relation in ("larger", "smaller"):
        own = parts if len(parts) > 1 else [q.expression for q in quantities if is_moved(q.expression)]
        ranked = sorted(own, key=size, reverse=thing.relation == "larger")
        return ranked[1 if len(ranked) > 1 and _SECOND.search(thing.question) else 0]
    ordered = sorted(parts, key=size)
    words = f"{thing.words} {thing.question}"
    if thing.relation == "sum" and thing.counted and not _SUM_OF.search(words) and _is_product(equations, parts):
        return None  # x*(x-1)=90 games: how many teams are there in all?
    if thing.relation == "sum":
        moved = sorted((q.expression for q in quantities if is_moved(q.expression)), key=size)
        return sum_of_parts(ordered or (moved if _SUM_OF.search(words) else []), words, equations, solution)
    if thing.relation == "product" and len(ordered) > 1 and (len(ordered) == 2 or ends_named(words)):
        return Operation("*", ordered[0], ordered[-1])
    if len(parts) > 2 and (named := _PLACE.search(thing.question)):
        return ordered[len(parts) // 2 if named["middle"] else 2 if named["third"] else -1]
    if len(parts) == 2 and thing.relation == "difference" and not any(is_sum(one) and is_moved(one) for one in parts):
        return Operation("-", ordered[1], ordered[0])
    if len(parts) == 2 and thing.relation == "perimeter":
        return figure_asked(thing, reading, equations, [Quantity(part, Fraction(0)) for part in parts])
    return None
