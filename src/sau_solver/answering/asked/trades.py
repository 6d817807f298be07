"""Equations (price)*(number sold)=income with one unknown -> what each factor is, and which of them is asked for.

The unknown is usually a change: at $30+x, 100-5*x shirts are sold. A question may ask for the change, for the new
price or for the new number. The same holds for trees and their yield, or people in a group and their price.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from sau_solver.answering.asked.totals import is_counted_in
from sau_solver.equations.expressions import (
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    signed_terms,
    unknowns_of,
    walk,
)
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.units import MONEY

_MONEY_BEFORE = re.compile(r"[$€£]\s*$")
_MONEY_AFTER = re.compile(r"\s*(?:元|块|dollars?\b|euros?\b|pounds?\b|cents?\b)", re.IGNORECASE)
_MARGIN = re.compile(r"\b(?:profit|gain|earns?|brings? (?:her|him|them|it))\b|赚|利润|获利|盈利", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:price|fare|fee|cost|costs|pay|paid|charge|ticket be)\b|元|价", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:raise[ds]?|rises?|lower(?:ed|s)?(?! price)|cuts?|increase[ds]?|reduc\w+|add(?:ed|s)?|take off|off|more"
    r"|go (?:up|down)|extra|additional|empty|rises)\b|涨|降|提高|让价?|优惠|减|增加|增|多[种放植养栽]|便宜|加价|停掉",
    re.IGNORECASE,
)
_LOST = re.compile(r"\b(?:fewer|los(?:e|es|t)|leave|stay away)\b|少[卖租]|减少", re.IGNORECASE)
_NEW_PRICE = re.compile(r"\bnew (?:price|fare|fee)\b", re.IGNORECASE)
_PLACE = re.compile(r"第几")
_HOW_MANY = re.compile(r"^how many\b", re.IGNORECASE)
_IN_MONEY = re.compile(r"\bin (?:dollars|euros|pounds)\b|\bhow many (?:dollars|euros|pounds)\b", re.IGNORECASE)
CLAUSE = re.compile(r"[.;。；，]|, ")


@dataclass(frozen=True, slots=True)
class Trade:
    """The factors of a product that has one unknown: what one costs or gives, and how many there are."""

    price: Expression | None  # without the cost that is subtracted for a profit; None if the text names no price
    number: Expression
    other: Expression  # the factor that is not `number`, as the equation has it
    unknown: Unknown
    priced: bool  # the other factor is an amount of money


def trade_of(equations: Equations, reading: Reading) -> Trade | None:
    """Return the factors of a product of two expressions with the only unknown, or None for other equations."""
    if len(equations) != 1 or not any(_is_product(side) for side in (equations[0].left, equations[0].right)):
        return None
    equation, names = equations[0], unknowns_of(equations)
    if len(names) != 1:
        return None
    unknown = Unknown(names[0])
    for side, total in ((equation.left, equation.right), (equation.right, equation.left)):
        if not isinstance(side, Operation) or not _is_product(side) or unknown in walk(total):
            continue
        factors = [side.left, side.right]
        if all(unknown in walk(one) and not _has_power(one, unknown) for one in factors) and factors[0] != factors[1]:
            priced = [_is_priced(one, reading) for one in factors]
            if priced[0] == priced[1]:
                if unknown in factors and any(priced):  # x people at 1000-20*(x-25)
                    priced = [one != unknown for one in factors]
                else:
                    plain = unknown in factors  # in x*(x-1)=870 nobody sells anything
                    return None if any(priced) or plain else Trade(None, factors[0], factors[1], unknown, False)
            price, number = factors if priced[0] else factors[::-1]
            return Trade(_price(price, reading, unknown), number, price, unknown, True)
    return None


def _is_product(node: Expression) -> bool:
    return isinstance(node, Operation) and node.operator == "*"


def trade_asked(thing: Thing, reading: Reading, equations: Equations) -> Expression | None:
    """Return the factor or the change that a question asks for; None if it is not about a trade."""
    trade = trade_of(equations, reading)
    if trade is None or thing.relation in ("ratio", "sum") or _PLACE.search(thing.question):
        return None
    question = thing.question or thing.words
    money = thing.unit in MONEY
    counted = (thing.counted or _HOW_MANY.search(question) is not None) and not money
    if counted and _LOST.search(question) and reading.language == "en":
        return _change_of(trade.number, trade.unknown)
    if thing.relation == "difference":
        return None
    if _CHANGE.search(question) and not _NEW_PRICE.search(question):
        return (
            _change_of(trade.other, trade.unknown) if trade.price is not None and _IN_MONEY.search(question) else None
        )
    if counted:
        if not trade.priced:
            fits = [one for one in (trade.number, trade.other) if _starts_with(one, thing.unit, reading)]
            return fits[0] if len(fits) == 1 and thing.counted else None
        return trade.number
    if trade.price is not None and (money or _PRICE.search(thing.question)):
        return trade.price
    return None


def _starts_with(factor: Expression, unit: str, reading: Reading) -> bool:
    """Return whether the text counts the first number of a factor in the unit: 40 trees of 40+x."""
    numbers = [node.value for _, node in signed_terms(factor) if isinstance(node, Number)]
    return bool(unit) and any(is_counted_in(unit, value, reading, True) for value in numbers)


def _change_of(number: Expression, unknown: Unknown) -> Expression | None:
    """Return by how much a number of things changes: 5*x of 100-5*x."""
    terms = [node for _, node in signed_terms(number) if unknown in walk(node)]
    return terms[0] if len(terms) == 1 else None


def _has_power(node: Expression, unknown: Unknown) -> bool:
    return any(
        isinstance(one, Operation) and unknown in walk(one) and (one.operator == "^" or _is_quotient(one, unknown))
        for one in walk(node)
    )


def _is_quotient(node: Operation, unknown: Unknown) -> bool:
    return node.operator == "/" and unknown in walk(node.right)


def _is_priced(factor: Expression, reading: Reading) -> bool:
    """Return whether the numbers of a factor are amounts of money."""
    values = [node.value for _, node in signed_terms(factor) if isinstance(node, Number)]
    return bool(values) and any(_is_money(value, reading) for value in values)


def _is_money(value: Fraction, reading: Reading) -> bool:
    return any(
        number.value == value
        and (_MONEY_BEFORE.search(reading.text[: number.start]) or _MONEY_AFTER.match(reading.text, number.end))
        for number in reading.numbers
    )


def _price(factor: Expression, reading: Reading, unknown: Unknown) -> Expression | None:
    """Return the price in a factor: 30+x in 30-20+x. A profit such as $10 per shirt is not a price."""
    signed = signed_terms(factor)
    for sign, node in list(signed):  # 30-20+x-30 is x-20
        if isinstance(node, Number) and sign > 0 and (-1, node) in signed:
            signed.remove((1, node))
            signed.remove((-1, node))
    kept = [(sign, node) for sign, node in signed if sign > 0 or unknown in walk(node)]
    starts = [node.value for sign, node in kept if sign > 0 and isinstance(node, Number)]
    taken = sum((node.value for sign, node in signed if sign < 0 and isinstance(node, Number)), Fraction(0))
    if starts and taken > sum(starts) and (1, unknown) in signed:
        return unknown  # 400-(2900-x): the unknown is the new price
    if len(kept) == len(signed) and any(_is_margin(value, reading) for value in starts):
        return None
    if not kept or kept[0][0] < 0:
        return None
    return reduce(lambda made, one: Operation("+" if one[0] > 0 else "-", made, one[1]), kept[1:], kept[0][1])


def _is_margin(value: Fraction, reading: Reading) -> bool:
    for number in reading.numbers:
        if number.value == value:
            before = CLAUSE.split(reading.text[: number.start])[-1]
            after = CLAUSE.split(reading.text[number.end :])[0]
            if _MARGIN.search(before) or _MARGIN.search(after):
                return True
    return False
