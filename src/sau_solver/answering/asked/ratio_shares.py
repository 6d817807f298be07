"""A text that divides a whole in a ratio and asks for every share, and equations that compute some of them -> all.

$75 is divided in the ratio 2:3:5, and x=75*2/(2+3+5). The shares are x, x*3/2 and x*5/2. With x=75/(2+3+5) they are
x*2, x*3 and x*5.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, unknowns_of
from sau_solver.equations.structure import has_unknown, operands
from sau_solver.text.asking import Reading, Thing

_TERM = r"\d+(?:\.\d+)?"
_RATIO = re.compile(rf"(?<![\d.:：]){_TERM}(?:\s?(?:[:：比]|to)\s?{_TERM})+(?!\d|[.:：]\d)")


def shares_asked(things: Sequence[Thing], reading: Reading, equations: Equations) -> list[list[Expression]]:
    """Return the shares that each thing asks for, if they ask for all and the equations have too few unknowns."""
    for ratio in _RATIO.finditer(reading.text):
        terms = [Fraction(term) for term in re.findall(_TERM, ratio[0])]
        if len(unknowns_of(equations)) < len(terms) and _asks_for_all(things, terms, reading.text[: ratio.start()]):
            for equation in equations:
                if shares := _shares(equation, terms):
                    return [shares] if len(things) == 1 else [[share] for share in shares]
    return []


def _asks_for_all(things: Sequence[Thing], terms: Sequence[Fraction], before: str) -> bool:
    """Return whether one question asks for every share, or one question for each in the order of the ratio."""
    if len(things) == 1:
        return things[0].relation == "every" and not things[0].rounding
    if len(things) != len(terms) or any(thing.relation != "value" for thing in things):
        return False
    places = [_place(thing.quantity, before) for thing in things]
    return -1 not in places and places == sorted(set(places))


def _place(name: str, text: str) -> int:
    """Return where a text names a thing: by the name, or by the end of it (需要水泥); -1 if it does not."""
    ends = [name[start:] for start in range(len(name))]
    return next((text.rfind(end) for end in ends if len(end) > 1 and end in text), -1)


def _shares(equation: Equation, terms: Sequence[Fraction]) -> list[Expression]:
    """Return the shares if an equation defines an unknown as one of them: x=75*2/(2+3+5)."""
    unknown, made = equation.left, equation.right
    if not isinstance(unknown, Unknown) or has_unknown(made):
        return []
    factors = operands(made, "*/")
    above = [node for node, divides in factors if not divides]
    if not any(_is_sum_of(node, terms) for node, divides in factors if divides):
        return []
    own = [node.value for node in above if isinstance(node, Number) and node.value in terms]
    if len(own) > 1 or len(above) > 2:
        return []
    part = own[0] if own and len(above) == 2 else Fraction(1)  # x=75/(2+3+5) is one part
    return [_moved(unknown, term, part) for term in terms]


def _is_sum_of(node: Expression, terms: Sequence[Fraction]) -> bool:
    added = [part.value for part, subtracted in operands(node, "+-") if isinstance(part, Number) and not subtracted]
    return sorted(added) == sorted(terms)


def _moved(unknown: Unknown, term: Fraction, own: Fraction) -> Expression:
    """Return the share of a term: the unknown times the term, divided by its own term."""
    factor = term / own
    share: Expression = unknown
    if factor.numerator != 1:
        share = Operation("*", share, Number(Fraction(factor.numerator)))
    return Operation("/", share, Number(Fraction(factor.denominator))) if factor.denominator != 1 else share
