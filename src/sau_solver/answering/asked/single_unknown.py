"""An equation with one unknown and a question -> the unknown, or the expressions with it that the question asks for.

`definitions` handles equations that only define the unknown by numbers, such as x=130*3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.derived import derived_asked
from sau_solver.answering.asked.linking import MAX_ASSIGNED, link
from sau_solver.answering.asked.parts import ends_named, is_moved, is_sum, parts_of, sum_of_parts
from sau_solver.answering.asked.quantities import Quantity, value_of
from sau_solver.answering.asked.shapes import area_of_square, figure_asked, perimeter_of_square
from sau_solver.answering.asked.totals import side_asked
from sau_solver.equations.expressions import Equations, Expression, Operation, Unknown
from sau_solver.solving import Assignment, decimal_of
from sau_solver.text.asking import Reading, Thing

_COMPARES = re.compile(r"\b(?:times|twice|than|half|as \w+ as)\b|倍|比")
_MIDDLE = re.compile(r"\bmiddle\b|中间", re.IGNORECASE)
_PLACE = re.compile(r"(?P<middle>\bmiddle\b|中间|第二)|(?P<third>\bthird\b|第三)|\blast\b|最后", re.IGNORECASE)
_SUM_OF = re.compile(r"\bsum of\b|[的之]和|相加", re.IGNORECASE)
CLEAR = 1.4  # margin from which an expression with the only unknown is asked for instead of the unknown


def one_unknown_asked(
    thing: Thing, reading: Reading, equations: Equations, solution: Assignment, quantities: Sequence[Quantity]
) -> list[Expression]:
    """Return what a question asks for: the unknown, which is the first quantity, or expressions with it."""
    unknown = Unknown(quantities[0].text)
    joined = len(quantities) > 1 or thing.relation in ("difference", "sum", "product")
    parts = parts_of(equations, unknown.name) if joined else []
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
    return any(one.holds(value, whole) or one.holds(whole, value) for one in reading.comparisons)


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
        return (max if thing.relation == "larger" else min)(own, key=size)
    ordered = sorted(parts, key=size)
    words = f"{thing.words} {thing.question}"
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
