"""Equations -> the side or the sum that a question asks for although no unknown stands for it.

A side of an equation: if each of x children gets 11 cherries and 19 are left, there are 11*x+19 cherries. A sum of
multiples: 2 rides on the big wheel and 4 rides in the bumper cars cost 2*x+4*y.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.linking import CERTAIN, link
from sau_solver.answering.asked.quantities import Quantity
from sau_solver.answering.asked.word_evidence import ZH_NOUN
from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.structure import has_unknown
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.numbers import find_numbers

_MONEY = {"dollars": "$", "euros": "€", "pounds": "£"}
_SHORT = {"kilometer": "km", "kilometre": "km", "meter": "m", "metre": "m", "kilogram": "kg", "gram": "g", "liter": "l"}
_EN_NOUN = re.compile(r"[\s-]*([A-Za-z]+)")
_PRICED = re.compile(r"\b(?:cost|costs|pay|paid|price)\b|元|钱", re.IGNORECASE)
_DISTANCE = re.compile(r"^how far\b|\bdistance\b|相距|路程|全程|距离|多远", re.IGNORECASE)
_PRICE_OF_ALL = re.compile(r"物价|总价|\bprice of the (?:present|gift|whole)\b", re.IGNORECASE)
_AMOUNT_DUE = re.compile(
    r"^(?:what|how much) (?:must|does|do|will|should|would|is)\b.*\b(?:pay|cost|bill|price)\b"
    r"|付|要多少元|账单|拉回|花多少",
    re.IGNORECASE,
)
_ONE_OF_BOTH = re.compile(r"(?P<first>[\u4e00-\u9fff]{1,3})、(?P<second>[\u4e00-\u9fff]{1,3}?)各一")
_COUNTED_AFTER = re.compile(r"(?:^|[，、和出要买])([\u4e00-\u9fff]{1,4}?)(\d+)[辆个本支件条张杯只瓶份]")
LONE = 2  # with more sides than this, an unknown is set equal to two expressions
_RATE = re.compile(r"\bper\b|\bspeed\b|\bprice\b|每|速|价|进|成本", re.IGNORECASE)
_TIME = re.compile(r"(?:day|hour|minute|second|week|month|year)s?$|小?时|分钟?|秒|天|[年月周]")
_PER = re.compile(r"\s*[a-z]+(?:/| per | an | a | each| every)|\s*[\u4e00-\u9fff]{1,2}[/／每一]", re.IGNORECASE)
_AMOUNT = re.compile(r"how (?:many|much|far|long is)\b", re.IGNORECASE)
_GENERAL = ("个",)  # counts anything, so it does not tell children from apples
_ELIDED = ("in", "into", "each", "on", "a", "to", "she", "he", "all", "for", "sit", "are", "is")
_NOT_COUNTED = re.compile(
    r"^\s*(?:[%％元角次种款类家]|人[共各持]|千米|公里|小时|分钟|percent\b|dollars?\b|cents?\b|years?\b|hours?\b|-)"
)
_AS_A_SET = re.compile(r"\b(?:set|together|pay for|combo|in total)\b|一套|一共|共", re.IGNORECASE)
_MEASURED = re.compile(
    r"tons?|kg|kilograms?|grams?|pounds?|lit(?:er|re)s?|吨|千克|公斤|克|升|毫升|人|people", re.IGNORECASE
)
_ONE_EACH = re.compile(
    r"\beach\b|\brespectively\b|各|分别|单价|\bone\b.*\bone\b|\b(?:cost|price) of\b.*\bthe (?:cost|price) of\b",
    re.IGNORECASE,
)


def side_asked(thing: Thing, reading: Reading, equations: Equations) -> Expression | None:
    """Return the side of the equations that a question asks for: the one whose groups are counted in its unit."""
    sides = _equal_sides(equations)
    if _DISTANCE.search(thing.question) and not _RATE.search(thing.question) and (way := _same_way(equations)):
        return way
    if len(sides) > LONE and (thing.relation == "sum" or _PRICE_OF_ALL.search(thing.words)):
        return sides[0]  # 每人分3个多16个，每人分5个少4个，一共有多少个: y=3*x+16; y=5*x-4
    if not sides or thing.relation not in ("value", "sum", "every") or not thing.unit or _TIME.match(thing.unit):
        return None
    if reading.language == "en" and not _AMOUNT.match(thing.question):
        return None
    found = [side for side in sides if not isinstance(side, Unknown)]
    if any(_has_division(side) for side in found):
        return None
    if (
        _DISTANCE.search(thing.question)
        and not _RATE.search(thing.question)
        and all(isinstance(side, Operation) and side.operator == "*" for side in found)
    ):
        return sides[0]
    numbers = [number for side in found for number in _group_sizes(side)]
    if len(numbers) != len(found) or thing.unit in _GENERAL or _RATE.search(thing.question):
        return None
    added = [number for side in found for number in _added(side)]
    stated = any(is_counted_in(thing.unit, number, reading, True) for number in numbers + added)
    fits = stated and all(is_counted_in(thing.unit, number, reading, False) for number in numbers)
    return sides[0] if fits else None


def _same_way(equations: Equations) -> Expression | None:
    """Return the distance that is the same there and back: 32*x in 32*x=10*y."""
    if len(equations) < 2:
        return None
    for equation in equations:
        sides = (equation.left, equation.right)
        if all(isinstance(side, Operation) and side.operator == "*" and len(_unknowns(side)) == 1 for side in sides):
            return equation.left
    return None


def _equal_sides(equations: Equations) -> list[Expression]:
    """Return two equal expressions with the same unknown: both sides of one equation, or y and what it is set to."""
    if len(equations) == 1:
        sides: list[Expression] = [equations[0].left, equations[0].right]
        operations = all(isinstance(side, Operation) for side in sides)
        return sides if operations and all(map(has_unknown, sides)) else []
    lone = [_lone(equation) for equation in equations]
    if len(equations) != 2 or lone[0] is None or lone[1] is None or lone[0][0] != lone[1][0]:
        return []
    return [lone[0][0], lone[0][1], lone[1][1]]


def _lone(equation: Equation) -> tuple[Unknown, Operation] | None:
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Unknown) and isinstance(other, Operation) and _unknowns(other) and other.operator in "+-":
            return one, other
    return None


def _unknowns(node: Expression) -> list[Expression]:
    return [one for one in walk(node) if isinstance(one, Unknown)]


def _has_division(node: Expression) -> bool:
    return any(isinstance(one, Operation) and one.operator in "/^" for one in walk(node))


def _group_sizes(side: Expression) -> list[Fraction]:
    """Return the numbers that multiply something with an unknown."""
    return [
        one.value
        for node in walk(side)
        if isinstance(node, Operation) and node.operator == "*"
        for one, other in ((node.left, node.right), (node.right, node.left))
        if isinstance(one, Number) and _unknowns(other)
    ]


def _added(side: Expression) -> list[Fraction]:
    """Return the number that is added to a side or taken from it."""
    is_sum = isinstance(side, Operation) and side.operator in "+-"
    return [side.right.value] if is_sum and isinstance(side, Operation) and isinstance(side.right, Number) else []


def is_counted_in(unit: str, value: Fraction, reading: Reading, stated: bool, rates: bool = True) -> bool:
    """Return whether the text has the unit with a number; unless `stated`, its noun may be left out: 8 in each.

    Pass `rates=False` if 5 km/h does not count as a number of kilometers.
    """
    for number in reading.numbers:
        if number.value != value or (not rates and _PER.match(reading.text, number.end)):
            continue
        if reading.text[: number.start].rstrip()[-1:] == _MONEY.get(unit, " "):
            return True
        noun = (ZH_NOUN if reading.language == "zh" else _EN_NOUN).match(reading.text, number.end)
        if noun is None:
            if not stated:
                return True
            continue
        if reading.language == "zh" and noun[1].startswith(unit):
            return True
        if reading.language == "en" and _short(noun[1]) == _short(unit.split()[-1]):
            return True
        if not stated and noun[1] in _ELIDED:
            return True
    return False


def _short(unit: str) -> str:
    word = unit.lower().rstrip("s")
    return _SHORT.get(word, word)


def _wanted(question: str, reading: Reading) -> str:
    """Return the clause before a question that says what is bought: 她要2支钢笔和3本笔记本，要付多少元."""
    before = reading.before(question)
    if not before or not _AMOUNT_DUE.search(question):
        return ""
    sentences = re.split(r"[。；？！]" if reading.language == "zh" else r"(?<=[a-z])[.?!;] ", before.rstrip())
    before = sentences[-1]
    numbers = find_numbers(before, reading.language)
    if len(numbers) == 1 and (each := _ONE_OF_BOTH.search(before)):
        return f"一{each['first']}和一{each['second']}"
    if len(after := _COUNTED_AFTER.findall(before)) == 2 and reading.language == "zh":
        return "和".join(f"{count}{noun}" for noun, count in after)
    if words_of(question, reading.language) & words_of(before[numbers[0].start :] if numbers else "", reading.language):
        return ""  # one of the things that are named before
    if not 1 < len(numbers) < 4 or _PRICED.search(before):
        return ""
    return before[numbers[-2].start :]


def combination_asked(things: Sequence[Thing], reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
    """Return what several things of both kinds cost together; None if the question does not ask for that."""
    question, language = things[0].question, reading.language
    if any(thing.relation in ("ratio", "difference") for thing in things):
        return None
    if len(unknowns) != 2 or not question or any(thing.question != question for thing in things):
        return None
    numbers = find_numbers(question, language)
    paid = things[0].unit in _MONEY or _PRICED.search(question)
    if all(number.text == "一" for number in numbers) and (lead := _wanted(question, reading)):
        question, numbers = lead, find_numbers(lead, language)
    one_each = _ONE_EACH.search(question) and not _AS_A_SET.search(question)
    if one_each or not (paid or (len(numbers) > 1 and _MEASURED.fullmatch(things[0].unit))):
        return None
    ends = [*(number.start for number in numbers[1:]), len(question)][: len(numbers)]
    terms: dict[int, Fraction] = {}
    for number, end in zip(numbers, ends, strict=True):
        words = question[number.end : end]
        if not words_of(words, language) or number.value.denominator != 1 or _NOT_COUNTED.search(words):
            return None
        (place,), margin = link(reading, [words], unknowns)
        if margin < CERTAIN or place in terms:
            return None
        terms[place] = number.value
    if not terms or (len(terms) == 1 and 1 in terms.values()):
        return None
    made: list[Expression] = []
    for place, value in sorted(terms.items()):
        unknown = unknowns[place].expression
        made.append(unknown if value == 1 else Operation("*", Number(value), unknown))
    return made[0] if len(made) == 1 else Operation("+", made[0], made[1])
