"""Two equations -> the term of one of them that a question asks for, such as 16*x.

She rides for x hours at 16 km/h and walks for y hours at 4 km/h: x+y=5; 16*x+4*y=32. "How many kilometers does she
ride?" asks for 16*x, because one equation adds hours and the other one adds kilometers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.linking import CERTAIN, link
from sau_solver.answering.asked.quantities import Quantity
from sau_solver.answering.asked.totals import is_counted_in
from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, signed_terms
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.units import is_unit

_RATE = re.compile(r"\b(?:per|an hour|a day|each|speed|price|fast)\b|每|速|价", re.IGNORECASE)


def term_asked(thing: Thing, reading: Reading, equations: Equations, unknowns: Sequence[Quantity]) -> Expression | None:
    """Return the term of a sum that a question asks for, or None if it asks for an unknown itself."""
    if reading.language == "zh" and not is_unit(thing.unit):  # 只 counts legs and rabbits
        return None
    if reading.language == "en" and not re.search(
        rf"^how much\b|\b{re.escape(thing.unit)}\b", thing.question, re.IGNORECASE
    ):
        return None  # the unit was found elsewhere in the text
    if len(unknowns) != 2 or thing.relation != "value" or not thing.unit or _RATE.search(thing.question):
        return None
    names = [one.expression for one in unknowns]
    counts = [total for equation in equations if (total := _total(equation, names, plain=True)) is not None]
    amounts = [equation for equation in equations if _total(equation, names, plain=False) is not None]
    if len(counts) != 1 or len(amounts) != 1 or is_counted_in(thing.unit, counts[0], reading, True, rates=False):
        return None
    if not any(number.value == counts[0] for number in reading.numbers):
        return None
    total = _total(amounts[0], names, plain=False)
    if total is None or not is_counted_in(thing.unit, total, reading, True):
        return None
    (place,), margin = link(reading, [thing], unknowns)
    if margin < CERTAIN:
        return None
    terms = signed_terms(amounts[0].left) + signed_terms(amounts[0].right)
    return next(term for _, term in terms if names[place] in _factors(term))


def _total(equation: Equation, names: Sequence[Expression], plain: bool) -> Fraction | None:
    """Return N of x+y=N, or of a*x+b*y=N unless `plain`; None for any other equation."""
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Operation) and one.operator == "+" and isinstance(other, Number):
            terms = [term for _, term in signed_terms(one)]  # a sum of two terms: no minus sign
            all_named = len(terms) == len(names) and all(any(name in _factors(t) for t in terms) for name in names)
            if all_named and plain == all(isinstance(term, Unknown) for term in terms):
                return other.value
    return None


def _factors(node: Expression) -> list[Expression]:
    """Return the factors of number * unknown; empty for anything else."""
    if isinstance(node, Unknown):
        return [node]
    if (
        isinstance(node, Operation)
        and node.operator == "*"
        and {type(node.left), type(node.right)} == {Number, Unknown}
    ):
        return [node.left, node.right]
    return []
