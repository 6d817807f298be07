"""Linear equations with irrational coefficients -> whether they have one solution, none or many."""

from __future__ import annotations

from enum import Enum

from sau_solver.equations.expressions import Equation, Equations, Expression, Operation, Unknown, unknowns_of
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import Real
from sau_solver.solving.root_isolation import NotIsolatedError

Row = list[Real]  # the coefficients of the unknowns, then the constant


class Determined(Enum):
    """How many solutions linear equations have."""

    ONE = 1
    NONE = 0
    FREE = 2


def determined(equations: Equations, names: tuple[str, ...]) -> Determined:
    """Return how many solutions there are; raise NotIsolatedError if the equations are not linear."""
    rows = [_row(Operation("-", one.left, one.right), names) for one in equations]
    rank = 0
    for column in range(len(names)):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column].sign() != 0), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for k in range(rank + 1, len(rows)):
            if rows[k][column].sign() != 0:
                factor = rows[k][column] / rows[rank][column]
                rows[k] = [own - factor * entry for own, entry in zip(rows[k], rows[rank], strict=True)]
                rows[k][column] = Real.of(0)
        rank += 1
    if any(row[-1].sign() != 0 for row in rows[rank:]):
        return Determined.NONE
    return Determined.ONE if rank == len(names) else Determined.FREE


def _row(node: Expression, names: tuple[str, ...]) -> Row:
    if not unknowns_of((Equation(node, node),)):
        return [Real.of(0)] * len(names) + [exact_value(node, {})]
    match node:
        case Unknown(name):
            return [Real.of(int(one == name)) for one in names] + [Real.of(0)]
        case Operation("+" | "-" as sign, left, right):
            pairs = zip(_row(left, names), _row(right, names), strict=True)
            return [one + other if sign == "+" else one - other for one, other in pairs]
        case Operation("*", left, right):
            if not unknowns_of((Equation(left, left),)):
                return [exact_value(left, {}) * one for one in _row(right, names)]
            if not unknowns_of((Equation(right, right),)):
                return [one * exact_value(right, {}) for one in _row(left, names)]
        case Operation("/", left, right) if not unknowns_of((Equation(right, right),)):
            return [one / exact_value(right, {}) for one in _row(left, names)]
    raise NotIsolatedError
