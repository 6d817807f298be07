"""Bounds of a text -> how often each solution breaks one: at most 70 yuan each, a wall 18 m long, 墙长18米.

The words of a bound say which quantity it limits: the price, the change, the number sold, the side along the wall. If
they do not, the bound may be about any quantity of the equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from sau_solver.answering.asked.trades import Trade, trade_of
from sau_solver.answering.wanted_roots import change_of, prices_of
from sau_solver.equations.expressions import (
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    signed_terms,
    unknowns_of,
    walk,
    walk_equations,
)
from sau_solver.solving import Assignment
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.text.wording import Bound, Cues

_ZH_WORDS = re.compile(r"[\u4e00-\u9fff]{2}")
_COMMON = re.compile(r"每|千克|商[品店场]|多少|平均|销售|这种")  # words that do not tell one quantity from another
_WALL = re.compile(r"墙|堤|\bwall\b", re.IGNORECASE)
_SPENT = re.compile(r"(?<!单位)成本(?!价)|资金|投入|进货款")
_STOCK = re.compile(r"库存|存货|售出|卖出|销量|销售量")
_MARGIN = re.compile(r"每[^天日月周年，]\w{0,5}的?(?:利润|获利|盈利|赢利)")
_CHANGE = re.compile(r"降价?(?!后)|涨价?(?!后)|加价|提价|幅度|提高|下降|上涨|降低")
_PRICE_ITSELF = re.compile(
    r"(?:售价|定价|单价|价格)[^，]{0,6}(?:超过|高于|大于|低于|少于)[^，]{0,6}(?:进价|进货价|成本)"
)
_PRICE = re.compile(r"价|费用?|租金|收费")
_LEVEL = re.compile(r"档次?")


def broken_bounds(solutions: Sequence[Assignment], equations: Equations, cues: Cues) -> list[int]:
    """Count for each solution how often it breaks a bound of the text that another solution respects.

    Only a quantity that respects the bound in one solution and breaks it in another can decide between them.
    """
    violations = [0] * len(solutions)
    for bound in cues.bounds:
        for node, limit in _limited(bound, equations, cues):
            column = values_at([node], solutions)
            broken = [_breaks(value, limit, bound) for value in column]
            if any(broken) and not all(broken):
                violations = [count + bad for count, bad in zip(violations, broken, strict=True)]
    return violations


def _breaks(value: Fraction, limit: Fraction, bound: Bound) -> bool:
    if value == limit:
        return bound.strict
    return value > limit if bound.upper else value < limit


def values_at(nodes: Iterable[Expression], solutions: Sequence[Assignment]) -> list[Fraction]:
    """Return the value of each expression in each solution; 0 where it has none."""
    values = []
    for solution in solutions:
        for node in nodes:
            try:
                values.append(evaluate(node, solution))
            except NotEvaluatedError:
                values.append(Fraction(0))
    return values


def _limited(bound: Bound, equations: Equations, cues: Cues) -> list[tuple[Expression, Fraction]]:
    """Return the expressions that a bound may be about, with the limit of each."""
    names = unknowns_of(equations)
    if bound.letter or _LEVEL.search(bound.clause):
        own = bound.letter if bound.letter in names else names[0]
        return [(Unknown(own), bound.limit)] if len(names) == 1 or bound.letter in names else []
    if _WALL.search(bound.clause) and (side := _along_the_wall(equations)) is not None:
        return [(side, bound.limit)]
    trade = trade_of(equations, cues.reading) if cues.reading else None
    if trade is not None and (named := _of_trade(bound, trade)) is not None:
        return [named]
    if len(names) == 1 and not bound.percent and _names_the_asked(bound, cues):
        return [(Unknown(names[0]), bound.limit)]
    numbers = {node.value for node in walk_equations(equations) if isinstance(node, Number)}
    limits = {number * bound.limit / 100 for number in numbers} if bound.percent else {bound.limit}
    quantities = _quantities(equations) | prices_of(equations, cues.reading)
    return [(node, limit) for node in quantities for limit in limits]


def _quantities(equations: Equations) -> set[Expression]:
    """Return the unknowns, and the sums and differences with one."""
    return {
        node
        for node in walk_equations(equations)
        if isinstance(node, Unknown)
        or (isinstance(node, Operation) and node.operator in "+-" and any(isinstance(n, Unknown) for n in walk(node)))
    }


def _names_the_asked(bound: Bound, cues: Cues) -> bool:
    """Return whether the words of a bound name the only thing that is asked for: 贮藏时间不超过100天, 贮藏多少天."""
    things = [thing for thing in cues.reading.things if thing.relation != "none"] if cues.reading else []
    if len(things) != 1 or cues.reading is None or cues.reading.language != "zh":
        return False
    pairs = {bound.clause[place : place + 2] for place in range(len(bound.clause) - 1)}
    words = things[0].question
    own = {words[place : place + 2] for place in range(len(words) - 1)}
    return any(_ZH_WORDS.fullmatch(pair) and not _COMMON.match(pair) for pair in pairs & own)


def _of_trade(bound: Bound, trade: Trade) -> tuple[Expression, Fraction] | None:
    """Return the price, change, cost or number that a bound limits, and its limit; None if its words do not say."""
    cost = _cost(trade)
    if bound.percent:
        if cost is None or trade.price is None:
            return None
        limited = trade.price if _PRICE_ITSELF.search(bound.clause) else Operation("-", trade.price, Number(cost))
        return limited, cost * bound.limit / 100
    if _SPENT.search(bound.clause):
        return None if cost is None else (Operation("*", Number(cost), trade.number), bound.limit)
    if not trade.priced:
        return None
    if _STOCK.search(bound.clause):
        return trade.number, bound.limit
    if _MARGIN.search(bound.clause):
        return trade.other, bound.limit
    if _CHANGE.search(bound.clause):
        return change_of(trade), bound.limit
    if _PRICE.search(bound.clause):
        return (trade.price or trade.other, bound.limit)
    return None


def _cost(trade: Trade) -> Fraction | None:
    """Return what one thing costs the seller: 40 of x-40."""
    if trade.price is None or trade.price == trade.other:
        return None
    taken = [node.value for sign, node in signed_terms(trade.other) if sign < 0 and isinstance(node, Number)]
    return taken[0] if len(taken) == 1 else None


def _along_the_wall(equations: Equations) -> Expression | None:
    """Return the side along the wall of a rectangle with three fenced sides: 50-2*x of x*(50-2*x), x of x*(50-x)/2."""
    names = unknowns_of(equations)
    if len(equations) != 1 or len(names) != 1:
        return None
    unknown = Unknown(names[0])
    for node in walk_equations(equations):
        if not isinstance(node, Operation) or node.operator not in "+-" or unknown not in walk(node):
            continue
        terms = [one for _, one in signed_terms(node) if unknown in walk(one)]
        if not any(isinstance(one, Number) for _, one in signed_terms(node)):
            return None
        return unknown if terms == [unknown] else node
    return None
