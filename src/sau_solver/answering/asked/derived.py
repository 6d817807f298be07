"""Equations with one unknown -> the expression that a question asks for instead of the unknown.

A question may ask for the common value of both sides, for the perimeter of a rectangle, for a price or a number sold,
for the amount in another year, or for a thing that the text compares with the unknown: 3*x+4 in x+3*x+4=24.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.growths import growth_asked
from sau_solver.answering.asked.quantities import value_of
from sau_solver.answering.asked.totals import is_counted_in
from sau_solver.answering.asked.trades import trade_asked
from sau_solver.equations.expressions import (
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    numbers_of,
    signed_terms,
    walk,
    walk_equations,
)
from sau_solver.equations.structure import has_unknown
from sau_solver.solving import Assignment
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.units import MONEY

_WHEN_EQUAL = re.compile(
    r"^how (?:high|tall|long|deep|heavy|much|many)\b.*\bwhen (?:they|both|it)\b.*\b(?:equal\w*|same)\b"
    r"|^how (?:high|tall|long|deep|heavy) are (?:they|both)\b.*\b(?:equal\w*|same)\b|\bon which page are they\b",
    re.IGNORECASE,
)
_ZH_WHEN_EQUAL = re.compile(r"(?:一样|同样|相等|相同)[多长高重深]?[的]?时?[，,].*$")
_TIME = re.compile(r"\b(?:hours?|days?|minutes?|months?|weeks?|years?)\b|小时|分钟?|天|[年月周秒]", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[。；？！;?!]")
_STATE = re.compile(r"[有剩是存]")  # 每人有多少元, not 应调多少人
_AROUND = re.compile(
    r"\b(?:fence|fencing)\b.*\b(?:around|need\w*)\b|\baround (?:it|the)\b|\bonce around\b"
    r"|一圈|一周|四周[围铺装插镶]|围栏|栅栏",
    re.IGNORECASE,
)
_SQUARE_UNIT = re.compile(r"\bsquare\b|平方|亩|公顷", re.IGNORECASE)
_WALL = re.compile(r"\bwall\b|墙", re.IGNORECASE)
_SQUARE = re.compile(r"\bsquare (?:plot|garden|field|lawn|yard)\b|正方形", re.IGNORECASE)
_PRICE = re.compile(
    r"^(?!.*\b(?:total|same|must)\b)what (?:does|did|do|is)\b.*\b(?:cost|price)\b|^how much (?:does|did) .* cost\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"每(?P<who>[\u4e00-\u9fff]{1,4}?)[分得发装住坐拿出付\d]")
_HOW_LONG = re.compile(r"^how long is (?:it|a|an|the|this)\b", re.IGNORECASE)
_LONGER_THAN_WIDE = re.compile(r"\blonger than (?:it is )?wide\b", re.IGNORECASE)
_PROFIT = re.compile(r"\b(?:is|was) (?:the|his|her|its|their) (?:profit|gain|loss)\b|赚|利润|亏", re.IGNORECASE)
_WHOLE_MIXTURE = re.compile(
    r"^how (?:many \w+|much) (?:of )?(?:is )?the (?:mixture|mix|blend)\b(?! (?:must|should))"
    r"|^how (?:many \w+|much) (?:of )?(?:mixture|mix|blend) (?:does|do|will|is|are)\b|混合[^，]{0,3}(?:一共|共|总)",
    re.IGNORECASE,
)
NAME = 2  # characters at the start of a question that name its thing
_TWO = Number(Fraction(2))


def derived_asked(
    thing: Thing, reading: Reading, equations: Equations, solution: Assignment, parts: Sequence[Expression]
) -> Expression | None:
    """Return the expression with the only unknown that a question asks for, or None if it asks for the unknown."""
    for rule in (trade_asked, growth_asked, _equal_side):
        if (made := rule(thing, reading, equations)) is not None:
            return made
    if (made := _length(thing, reading, solution, parts)) is not None:
        return made
    if (made := _profit(thing, reading, equations) or _mixture(thing, equations)) is not None:
        return made
    return _border(thing, reading, equations, parts) or _compared(thing, reading, equations, solution)


def _equal_side(thing: Thing, reading: Reading, equations: Equations) -> Expression | None:
    """Return a side of an equation whose sides both have the unknown: both plants are 8+3*x cm high."""
    if len(equations) != 1:
        return None
    sides = (equations[0].left, equations[0].right)
    if not all(isinstance(side, Operation) and side.operator in "+-" and has_unknown(side) for side in sides):
        return None
    side = sides[0]
    numbers = [[node.value for node in walk(one) if isinstance(node, Number)] for one in sides]
    if reading.language == "en":
        if _WHEN_EQUAL.search(thing.question) and not _TIME.search(thing.unit):
            return side
        money = all(any(is_counted_in("dollars", n, reading, True) for n in own) for own in numbers)
        return side if money and _PRICE.search(thing.question) else None
    if not thing.unit or _TIME.fullmatch(thing.unit):
        return None
    counted = all(is_counted_in(thing.unit, n, reading, True) for own in numbers for n in own)
    before = _SENTENCE_END.split(reading.before(thing.question))[-1]
    if (
        counted
        and _STATE.search(thing.question)
        and "原" not in thing.question
        and _ZH_WHEN_EQUAL.search(f"{before}{thing.question}")
    ):
        return side
    shared = {found["who"] for found in _EACH.finditer(reading.text)}
    named = any(who in thing.question for who in shared)
    return side if counted and shared and not named and thing.relation == "sum" else None


def _length(thing: Thing, reading: Reading, solution: Assignment, parts: Sequence[Expression]) -> Expression | None:
    """Return the longer of two sides if the question asks for a length and the text says that it exceeds the width."""
    if len(parts) != 2 or not _HOW_LONG.search(thing.question) or not _LONGER_THAN_WIDE.search(reading.text):
        return None
    if _AROUND.search(thing.question):
        return None
    values = [value_of(part, solution) for part in parts]
    if not isinstance(values[0], Fraction) or not isinstance(values[1], Fraction):
        return None
    return parts[0] if values[0] > values[1] else parts[1]


def _profit(thing: Thing, reading: Reading, equations: Equations) -> Expression | None:
    """Return the profit or loss if the unknown is the cost: 60-x of x*(1+0.25)=60."""
    if len(equations) != 1 or not _PROFIT.search(thing.question) or thing.unit not in MONEY:
        return None
    side, price = equations[0].left, equations[0].right
    if not isinstance(price, Number) or not isinstance(side, Operation) or side.operator != "*":
        return None
    cost, rate = side.left, side.right
    one = Number(Fraction(1))
    if not isinstance(cost, Unknown) or not isinstance(rate, Operation) or rate.left != one:
        return None
    if rate.operator not in "+-" or not isinstance(rate.right, Number) or price.value not in _values(reading):
        return None
    return Operation("-", price, cost) if rate.operator == "+" else Operation("-", cost, price)


def _values(reading: Reading) -> set[Fraction]:
    return {number.value for number in reading.numbers}


def _mixture(thing: Thing, equations: Equations) -> Expression | None:
    """Return the whole mixture, 40+x of 6*40+4.5*x=5*(40+x), if the question asks for it."""
    if not _WHOLE_MIXTURE.search(thing.question):
        return None
    sums = {
        node.right
        for node in walk_equations(equations)
        if isinstance(node, Operation) and node.operator == "*" and isinstance(node.right, Operation)
    }
    whole = [
        one
        for one in sums
        if one.operator == "+"
        and {type(one.left), type(one.right)} == {Number, Unknown}
        and Number(Fraction(1)) != one.left
    ]
    return whole[0] if len(whole) == 1 else None


def _border(thing: Thing, reading: Reading, equations: Equations, parts: Sequence[Expression]) -> Expression | None:
    """Return the perimeter of a rectangle whose sides are the factors of the equation, or of a square."""
    before = _SENTENCE_END.split(reading.before(thing.question))[-1] if reading.language == "zh" else ""
    if not _AROUND.search(f"{before}{thing.question}") or _SQUARE_UNIT.search(thing.unit) or _WALL.search(reading.text):
        return None
    equation = equations[0]
    product = isinstance(equation.left, Operation) and equation.left.operator == "*"
    if len(parts) == 2 and len(equations) == 1 and product and isinstance(equation.right, Number):
        return Operation("*", _TWO, Operation("+", parts[0], parts[1]))
    powers = [
        node.left
        for node in walk_equations((equation,))
        if isinstance(node, Operation) and node.operator == "^" and node.right == _TWO
    ]
    if len(powers) == 1 and isinstance(powers[0], Unknown) and _SQUARE.search(reading.text):
        return Operation("*", Number(Fraction(4)), powers[0])
    return None


def _compared(thing: Thing, reading: Reading, equations: Equations, solution: Assignment) -> Expression | None:
    """Return k*x+d if the text says that the thing asked for is k times the unknown thing and d more."""
    if thing.relation != "value" or len(solution) != 1 or reading.language != "zh" or len(thing.words) < NAME:
        return None
    subject = re.escape(thing.words[:NAME])  # 骑车多少千米: 骑车的路程比步行的3倍还多4千米
    if not re.search(rf"(?:^|[，。；：“]){subject}[^，。；]{{0,8}}比[^，。；]+倍", reading.text):
        return None
    ((name, value),) = solution.items()
    if not isinstance(value, Fraction):
        return None
    numbers = set(numbers_of(equations))
    nodes = {
        node for equation in equations for side in (equation.left, equation.right) for _, node in signed_terms(side)
    }
    for one in reading.comparisons:
        for factor in one.factors:
            for added in one.summands:
                multiple = Operation("*", Number(factor), Unknown(name))
                if not {multiple, Unknown(name)} <= nodes or added not in numbers or not one.sign:
                    continue
                made = Operation("+" if one.sign > 0 else "-", multiple, Number(added))
                made_value = value_of(made, solution)
                if isinstance(made_value, Fraction) and one.fit(made_value, value) == 2:
                    return made
    return None
