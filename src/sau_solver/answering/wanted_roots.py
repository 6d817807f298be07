"""Two solutions of an equation -> which of them the text wants: the smaller rise, the lower price, the first time."""

from __future__ import annotations

from collections.abc import Sequence

from sau_solver.answering.asked.quantities import value_of
from sau_solver.answering.asked.trades import Trade, trade_of
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, walk
from sau_solver.solving import Assignment, decimal_of
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.wishes import Wish


def unwanted(solutions: Sequence[Assignment], equations: Equations, reading: Reading, wish: Wish) -> list[float]:
    """Return for each solution how far it is from what the text wants; equal numbers if the text does not decide."""
    undecided = [0.0] * len(solutions)
    if any(len(solution) != 1 for solution in solutions):
        return undecided
    trade = trade_of(equations, reading)
    node = _quantity(wish, equations, trade, reading)
    if node is None:
        return undecided
    sizes = []
    for solution in solutions:
        value = value_of(node, solution)
        if value is None:
            return undecided
        sizes.append(abs(decimal_of(value)))
    return [-size for size in sizes] if wish.largest else sizes


def extreme_asked(solutions: Sequence[Assignment], reading: Reading) -> list[float] | None:
    """Return sizes of solutions, lowest for the wanted one, if the only question asks for the larger or smaller one."""
    asked = {_size_named(thing, reading) for thing in reading.things if thing.relation != "none"}
    if len(asked) != 1 or any(len(solution) != 1 for solution in solutions):
        return None
    sizes = [sum(map(decimal_of, solution.values())) for solution in solutions]
    if min(sizes) < 0:
        return None  # -6 and 5 are both smaller numbers of a pair
    if asked == {"larger"}:
        return [-size for size in sizes]
    return sizes if asked == {"smaller"} else None


def _size_named(thing: Thing, reading: Reading) -> str:
    """Return larger or smaller if the question, or a comparison without numbers, says so of the thing asked for."""
    if thing.relation in ("larger", "smaller"):
        return thing.relation
    own = words_of(thing.words or thing.quantity, reading.language)
    for one in reading.comparisons:
        if one.sign and not one.summands and not one.factors and not one.first_factors:
            first, second = bool(own & (one.first - one.second)), bool(own & (one.second - one.first))
            if first != second:
                return "larger" if first == (one.sign > 0) else "smaller"
    return ""


def _quantity(wish: Wish, equations: Equations, trade: Trade | None, reading: Reading) -> Expression | None:
    if trade is None:
        first = equations[0]
        names = [node for side in (first.left, first.right) for node in walk(side) if not _is_known(node)]
        return names[-1] if wish.wanted in ("unknown", "change") else None
    match wish.wanted:
        case "price":
            return trade.price or (trade.other if trade.priced else None)
        case "number":
            return trade.number if trade.priced else None
        case "change":
            return change_of(trade)
    return None


def _is_known(node: Expression) -> bool:
    return isinstance(node, Number | Operation)


def change_of(trade: Trade) -> Expression:
    """Return by how much a price changes: x, or x-40 if the unknown is the new price and 600-10*(x-40) are sold."""
    if trade.price == trade.unknown or trade.number == trade.unknown:
        for node in (*walk(trade.number), *walk(trade.other)):
            if isinstance(node, Operation) and node.operator == "*" and isinstance(node.left, Number):
                moved = node.right
                if isinstance(moved, Operation) and moved.operator == "-" and trade.unknown in walk(moved):
                    return moved
    return trade.unknown


def prices_of(equations: Equations, reading: Reading | None) -> set[Expression]:
    """Return the prices that a bound of the text may be about and that the equations only have together with a cost."""
    trade = trade_of(equations, reading) if reading else None
    return {trade.price} if trade and trade.price else set()
