"""Two unknowns that are digits -> the two-digit number 10*x+y that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.known_evidence import swap_told, tens_digit
from sau_solver.answering.asked.quantities import Quantity
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.text.asking import Reading, Thing

_TWO_DIGITS = re.compile(r"\btwo[- ]digit\b|\btwo digits\b|\b2[- ]digit\b|[两二2]位数", re.IGNORECASE)
_NUMBER = re.compile(
    r"^\W*(?:is |was )?(?:the |this )?(?P<original>original |given |first )?(?:two-digit )?number\W*$"
    r"|(?P<zh>原来?的?)?(?:这个)?[两二2]位数(?:是|为)?$|(?P<old>原数)(?:是|为)?$",
    re.IGNORECASE,
)
_TEN = Number(Fraction(10))


def number_of_digits(
    thing: Thing, reading: Reading, equations: Equations, unknowns: Sequence[Quantity]
) -> Expression | None:
    """Return the two-digit number that a question asks for; None if it asks for a digit or if that is not clear."""
    if len(unknowns) != 2 or not _TWO_DIGITS.search(reading.text) or not _NUMBER.search(thing.words):
        return None
    written = list(dict.fromkeys(node for equation in equations for node in _numbers(equation.left, equation.right)))
    if reading.language == "en":  # x+10*y is another number than 10*x+y
        written += [node for equation in equations for node in _turned(equation.left, equation.right)]
        written = list(dict.fromkeys(written))
    if len(written) == 1:
        return written[0]
    if not swap_told(reading):
        return None
    tens = tens_digit(reading, unknowns)
    first, second = unknowns[tens].expression, unknowns[1 - tens].expression
    return Operation("+", Operation("*", _TEN, first), second)


def _numbers(*sides: Expression) -> list[Expression]:
    """Return the expressions of the form 10*x+y."""
    return [
        node
        for side in sides
        for node in walk(side)
        if isinstance(node, Operation)
        and node.operator == "+"
        and isinstance(node.right, Unknown)
        and isinstance(node.left, Operation)
        and node.left.operator == "*"
        and _TEN in (node.left.left, node.left.right)
    ]


def _turned(*sides: Expression) -> list[Expression]:
    """Return the expressions of the form x+10*y, written as 10*y+x."""
    turned = [
        Operation("+", node.right, node.left)
        for side in sides
        for node in walk(side)
        if isinstance(node, Operation) and node.operator == "+" and isinstance(node.left, Unknown)
    ]
    return _numbers(*turned)
