"""A quotient -> the whole number that a question asks for: the full boxes, the buses that are needed, or the remainder.

The words of the question usually say which one (`Thing.rounding`). Otherwise the things decide. 38 scouts in tents for
4 give 9.5, but the number of tents is whole. If the question asks for scouts, it asks for those that are left over.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from sau_solver.answering.asked.last_group import (
    Division,
    asks_for_empty,
    follows,
    follows_part,
    is_conversion,
    lacking,
    last_group,
    may_be_empty,
)
from sau_solver.answering.asked.quantities import value_of
from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.structure import is_definition
from sau_solver.text.asking import Reading, Thing

_UP = re.compile(r"\bround(?:ed)? up\b|只进不舍|进一法|不足[^，。\d]{0,4}[一1][^，。\d]{0,4}按", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:round(?:ed)? down|count only (?:full|whole)|every full|only by whole)\b|去尾法|[买取用卖]整", re.IGNORECASE
)
_SHARED = re.compile(r"\b(?:each|every|per|average|mean|apiece)\b|每|平均|各|(?<!后)一[个只件本]")
_AVERAGE = re.compile(r"\b(?:average|mean|per)\b|平均每")
_WHOLE = re.compile(r"\b(?:whole|full)\b|整")
_ENDS_WITH_REST = re.compile(
    r"\blast\b|\brest\b|\bleft(?:over)?\b|\bremain|as possible|as \w+ can\b|最后|尽量|剩|余|其余|不满|不足|不够"
    r"|\bfills? no\b|\bevery (?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+th|\d*3rd) ",
    re.IGNORECASE,
)
_LIMITED = re.compile(r"\b(?:at (?:least|most))\b|至少|最少|最多|至多", re.IGNORECASE)
_WHICH = re.compile(r"\bwhich (?:day|trip|week|month|round|load)\b", re.IGNORECASE)
_WHOLE_UNITS = re.compile(r"按整(?!体)[^，。）)\d]{1,3}[计算]")  # hours too: 至少要多少小时？（按整小时算）
_WANTED = re.compile(r"至少|最少|起码|需|要")
_IN_FULL_GROUPS = re.compile(r"\bin (?:the|all|his|her|their) full\b", re.IGNORECASE)

Rounded = tuple[Fraction, str]


def rounded(thing: Thing, value: Fraction, reading: Reading, equations: Equations) -> Rounded | None:
    """Return the whole number that a question asks for, and how it is rounded; None if it asks for the exact value."""
    empty = asks_for_empty(thing)
    if value.denominator == 1 and not empty:
        return None
    defined = is_definition(equations)
    division = _division(equations[0]) if defined else None
    if empty and may_be_empty(division) and (group := _divisor(equations)) is not None:
        return lacking(value, group), "remainder"
    if value.denominator == 1:
        return None
    if found := last_group(thing, reading, division):
        divisor = _divisor(equations)
        if divisor is None:
            return None
        return (value % 1 * divisor, "remainder") if found == "has" else (lacking(value, divisor), "missing")
    told = "up" if _UP.search(reading.text) else "down" if _DOWN.search(reading.text) else ""
    if told and thing.rounding != "remainder":
        return _whole(value, told)
    if _WHOLE_UNITS.search(reading.text) and _WANTED.search(thing.question):
        return _whole(value, "up")
    if division is None and defined and not _WHOLE.search(thing.question):
        limited = reading.language == "en" and thing.counted and thing.rounding in ("up", "down")
        if limited and _LIMITED.search(thing.question):
            return _whole(value, thing.rounding)
        return _whole(value, "up") if thing.rounding == "up" and _WHICH.search(thing.question) else None
    if _asks_for_rest(thing, reading, division):
        rest = _remainder(value, equations)
        return None if rest is None else (rest, "remainder")
    if thing.rounding == "up" or (thing.rounding == "down" and value > 1):
        return _whole(value, thing.rounding)
    return _whole(value, "down") if value > 1 and _has_to_be_whole(thing, reading, division) else None


def _has_to_be_whole(thing: Thing, reading: Reading, division: Division | None) -> bool:
    """Return whether things are put into whole groups (200 cm by 35 cm) and the question asks for no average."""
    if not thing.counted or division is None or not _is_of_wholes(division):
        return False
    asked = f"{thing.question} {thing.words}"
    if _AVERAGE.search(asked):
        return False
    if _ENDS_WITH_REST.search(reading.text):
        return True
    return not _SHARED.search(asked) and bool(_nouns(division[0], reading) & _nouns(division[1], reading))


def _nouns(node: Expression, reading: Reading) -> set[str]:
    """Return the first letters of what follows the numbers of an expression, and the signs of money before them."""
    values = {node.value} if isinstance(node, Number) else {n.value for n in walk(node) if isinstance(n, Number)}
    found = set()
    for number in reading.numbers:
        if number.value in values:
            before = reading.text[: number.start].rstrip()[-1:]
            noun = re.match(r"[\s-]*([A-Za-z]+|[\u4e00-\u9fff])", reading.text[number.end :])
            found |= {before} & set("$€£") | ({noun[1].lower().removesuffix("s")} if noun else set())
    return found


def _is_of_wholes(division: Division) -> bool:
    ends = [value_of(node, {}) for node in division]
    return all(isinstance(end, Fraction) and end.denominator == 1 for end in ends)


def _whole(value: Fraction, way: str) -> Rounded:
    return Fraction(math.ceil(value) if way == "up" else math.floor(value)), way


def _division(equation: Equation) -> Division | None:
    """Return dividend and divisor of a definition x=a/b."""
    side = equation.right if isinstance(equation.left, Unknown) else equation.left
    return (side.left, side.right) if isinstance(side, Operation) and side.operator == "/" else None


def _asks_for_rest(thing: Thing, reading: Reading, division: Division | None) -> bool:
    """Return whether the question asks for what is left: it says so, or it asks for the things that were divided."""
    if thing.rounding == "remainder":
        if division is None:
            return True
        named = bool(thing.unit or reading.language == "en") and not is_conversion(thing.unit, division, reading)
        return named and _is_of_wholes(division)
    if division is None or not thing.counted or not thing.unit or _SHARED.search(thing.question):
        return False
    if thing.rounding == "down" and _IN_FULL_GROUPS.search(thing.question):
        return False  # one yellow bulb in each full pot
    ends_with_rest = _ENDS_WITH_REST.search(reading.text) is not None
    of_dividend = (follows if thing.rounding == "up" else follows_part)(thing.unit, division[0], reading)
    of_divisor = follows(thing.unit, division[1], reading)
    if _LIMITED.search(thing.question) or not (of_dividend or (of_divisor and ends_with_rest)):
        return False  # 93 of them, 8 photos on a page: the question asks for pages
    return ends_with_rest or of_divisor


def _remainder(quotient: Fraction, equations: Equations) -> Fraction | None:
    """Return what is left of a division whose quotient is the only unknown: x=149/12 or 12*x=149."""
    divisor = _divisor(equations)
    return None if divisor is None else (quotient - math.floor(quotient)) * divisor


def _divisor(equations: Equations) -> Fraction | None:
    """Return what is divided by: 12 of x=149/12 and of 12*x=149; None if the only unknown is not such a quotient."""
    if len(equations) != 1:
        return None
    equation = equations[0]
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        divisor: Expression | None = None
        if isinstance(one, Unknown) and isinstance(other, Operation) and other.operator == "/":
            divisor = other.right
        elif isinstance(one, Operation) and one.operator == "*":
            if any(isinstance(node, Unknown) for node in walk(other)):
                continue
            divisor = (
                one.left if isinstance(one.right, Unknown) else one.right if isinstance(one.left, Unknown) else None
            )
        value = value_of(divisor, {}) if divisor is not None else None
        if isinstance(value, Fraction) and value > 0:
            return value
    return None
