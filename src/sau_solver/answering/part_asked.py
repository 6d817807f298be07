"""Questions for the parts of a sum or product with one unknown: the eldest, the middle one, the sum of the ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.parts import ends_named, is_moved, is_sum, sum_of_parts
from sau_solver.answering.quantities import Quantity, value_of
from sau_solver.answering.shapes_asked import figure_asked
from sau_solver.equations.expressions import Equations, Expression, Operation
from sau_solver.solving import Assignment, decimal_of
from sau_solver.text.asking import Reading, Thing

_PLACE = re.compile(r"(?P<middle>\bmiddle\b|中间|第二)|(?P<third>\bthird\b|第三)|\blast\b|最后", re.IGNORECASE)
_SUM_OF = re.compile(r"\bsum of\b|[的之]和|相加", re.IGNORECASE)


def part_asked(
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
