"""Questions for a sum or difference with an unknown that one equation defines, such as x=130*3.

Nick has 130 readers, and his sister has three times as many, so x=130*3 is her number of readers. "How many do they
have together?" asks for 130+x. "How many more does she have?" asks for x-130.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown
from sau_solver.problem import Language
from sau_solver.solving import Assignment
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of

_REST = re.compile(r"其余|剩下的[都全]|\bthe (?:rest|others|other ones) (?:are|were)\b", re.IGNORECASE)
_TOLD = re.compile(r"\b(?:times|twice|double|triple|fewer|less|rest|others?)\b|倍|少|其余|剩下", re.IGNORECASE)
_OF_ALL = re.compile(r"\bof the total\b|\beach\b|全部的", re.IGNORECASE)
_OF_TWO = re.compile(
    r"\b(?:they|both|the two)\b.*\b(?:together|altogether|combined|in (?:all|total))\b"
    r"|[两二].{0,6}共|相加|加起来|合起来",
    re.IGNORECASE,
)


def compared_definition(
    thing: Thing, reading: Reading, equations: Equations, solution: Assignment
) -> Expression | None:
    """Return the sum or difference of the defined unknown and the number that the text compares it with."""
    equation = equations[0]
    unknown, side = equation.left, equation.right
    if not isinstance(unknown, Unknown):
        unknown, side = side, unknown
    if not isinstance(unknown, Unknown) or not isinstance(side, Operation) or thing.rounding:
        return None
    if reading.language == "en" and (made := _multiple_of_part(thing, unknown, side)) is not None:
        return made
    if not _TOLD.search(reading.text) or _OF_ALL.search(thing.question):
        return None
    value = solution.get(unknown.name)
    first, second = side.left, side.right
    if not isinstance(value, Fraction) or not isinstance(first, Number) or not isinstance(second, Number):
        return None
    if thing.relation == "difference" and side.operator == "-" and _REST.search(reading.text):
        larger, smaller = (unknown, second) if value > second.value else (second, unknown)
        return Operation("-", larger, smaller)  # 50 children, 22 of them boys, the rest girls
    base = next(
        (number for number, other in ((first, second), (second, first)) if _is_compared(value, number, other, reading)),
        None,
    )
    if base is None or base.value == value:
        return None
    if thing.relation == "sum" and side.operator in "*-" and _OF_TWO.search(thing.question):
        return Operation("+", base, unknown)
    if thing.relation == "difference" and side.operator in "*/":
        return Operation("-", unknown, base) if value > base.value else Operation("-", base, unknown)
    return None


def _multiple_of_part(thing: Thing, unknown: Unknown, side: Operation) -> Expression | None:
    """Return the larger part if the unknown is the smaller one of two parts: 4*x of x=90/(4+1) and of x=90/(4-1)."""
    parts = side.right
    if side.operator != "/" or not isinstance(side.left, Number) or not isinstance(parts, Operation):
        return None
    times = parts.left
    if parts.operator not in "+-" or not isinstance(times, Number) or parts.right != Number(Fraction(1)):
        return None
    return Operation("*", times, unknown) if thing.relation == "larger" else None


def _is_compared(value: Fraction, base: Number, other: Number, reading: Reading) -> bool:
    """Return whether the text says how many times the base the value is, or by how much they differ."""
    return any(
        other.value in (*one.factors, *one.summands)
        and (one.holds(value, base.value) or one.holds(base.value, value))
        and (one.factors or one.summands)
        for one in reading.comparisons
    )


def is_repeated(things: Sequence[Thing], language: Language) -> bool:
    """Return whether the second of two questions asks for the same thing as the first one."""
    if len(things) != 2:
        return False
    first, second = things
    words = words_of(first.words or first.quantity, language)
    units = {first.unit, second.unit} - {""}
    same = first.relation == second.relation and len(units) < 2
    return same and bool(words) and words <= words_of(second.words or second.quantity, language)
