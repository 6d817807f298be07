"""Linear equations -> the values of the unknowns, by substitution as people do it, or by a matrix if there are many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq, fmpq_mat

from sau_solver.solving.budget import CHEAP_BITS, MAX_COEFFICIENT_BITS, MAX_DETERMINANT_BITS, Budget
from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.polynomials import MAX_PRODUCT, MAX_TERMS, Polynomial, Ring

Row = list[Any]  # the coefficients of a linear polynomial, then its constant


def by_substitution(rows: list[Row], steps: list[tuple[int, Row, list[Row]]], budget: Budget) -> dict[int, Any] | None:
    """Return the values of the unknowns that have one, by position; None if the rows contradict each other.

    Each step is appended to `steps`: the position of the unknown that was expressed, its row, and the rows left.
    """
    left = [row for row in rows if any(row)]
    counted = _minor_bits(left) > CHEAP_BITS  # otherwise all numbers stay short
    while left:
        budget.spend(0)
        if not all(any(row[:-1]) for row in left):
            return None
        used, position = _smallest_pivot(left) if counted else _pivot(left)
        pivot = left[used]
        if counted:
            left = [_counted(row, pivot, position, budget) for index, row in enumerate(left) if index != used]
        else:
            left = [_without(row, pivot, position) for index, row in enumerate(left) if index != used]
        left = [row for row in left if any(row)]
        steps.append((position, pivot, left))
    if len(steps) < len(rows[0]) - 1:
        return _determined(steps, budget)
    values: dict[int, Any] = {}
    for position, pivot, _ in reversed(steps):
        total = pivot[-1]
        for other, value in values.items():
            if pivot[other]:
                budget.spend(_bits((total, pivot[other], value)))
                total += pivot[other] * value
        values[position] = -total / pivot[position]
        _refuse_long((values[position],))
    return values


def _determined(steps: list[tuple[int, Row, list[Row]]], budget: Budget) -> dict[int, Any]:
    """Return the values that do not depend on an unknown that is free."""
    expressions: dict[int, Row] = {}  # each unknown in terms of the free ones
    for position, pivot, _ in reversed(steps):
        budget.spend(2 * _bits(pivot))
        expression = [-entry / pivot[position] for entry in pivot]
        expression[position] = fmpq(0)
        for other, known in expressions.items():
            if factor := expression[other]:
                expression[other] = fmpq(0)
                budget.spend(_bits(expression) + _bits(known) + len(known) * _bits((factor,)))
                expression = [own + factor * entry for own, entry in zip(expression, known, strict=True)]
                _refuse_long(expression)
        expressions[position] = expression
    return {position: row[-1] for position, row in expressions.items() if not any(row[:-1])}


def _pivot(rows: list[Row]) -> tuple[int, int]:
    """Return the row and the unknown to express, as people would choose them.

    A row with a single unknown comes first, then a coefficient of one (y in y=x+4), then a result without fractions.
    """
    for index, row in enumerate(rows):
        if sum(map(bool, row[:-1])) == 1:
            return index, next(position for position, entry in enumerate(row) if entry)
    ranked: list[tuple[bool, int, int, int, int]] = []
    for unit in (True, False):
        for index, row in enumerate(rows):
            terms = sum(map(bool, row))
            for position, coefficient in enumerate(row[:-1]):
                if unit and (coefficient == 1 or coefficient == -1):
                    ranked.append((False, terms, index, coefficient != 1, position))
                elif not unit and coefficient:
                    fractions = any((entry / coefficient).q != 1 for entry in row)
                    ranked.append((fractions, terms, index, 0, position))
        if ranked:
            break
    _, _, index, _, position = min(ranked)
    return index, position


def _without(row: Row, pivot: Row, position: int) -> Row:
    """Return a row after the substitution, scaled to a leading coefficient of one."""
    if row[position]:
        factor = row[position] / pivot[position]
        row = [own - factor * entry for own, entry in zip(row, pivot, strict=True)]
    leading = next(filter(None, row), None)
    return row if leading is None or leading == 1 else [entry / leading for entry in row]


def _counted(row: Row, pivot: Row, position: int, budget: Budget) -> Row:
    """Return the same as `_without`, if the budget allows it."""
    if not row[position]:
        return row
    budget.spend(2 * (_bits(row) + _bits(pivot) + len(row) * _bits((row[position], pivot[position]))))
    result = _without(row, pivot, position)
    _refuse_long(result)
    return result


def _smallest_pivot(rows: list[Row]) -> tuple[int, int]:
    """Return a row with the fewest unknowns and of these the shortest, and its shortest coefficient."""
    index = min(range(len(rows)), key=lambda k: (sum(map(bool, rows[k][:-1])), _bits(rows[k])))
    places = [position for position, entry in enumerate(rows[index][:-1]) if entry]
    return index, min(places, key=lambda position: rows[index][position].height_bits())


def _bits(numbers: Iterable[Any]) -> int:
    """Return how many bits numbers have together, at most."""
    return 2 * sum(int(number.height_bits()) for number in numbers)


def _refuse_long(numbers: Iterable[Any]) -> None:
    if any(number.height_bits() > MAX_COEFFICIENT_BITS for number in numbers):
        raise TooHardError("large_coefficients")


def _minor_bits(rows: list[Row]) -> int:
    """Return a bound of the bits of all minors of the rows without their denominators (Hadamard)."""
    sizes = []
    for row in rows:
        entries = [entry for entry in row if entry]
        below = sum(entry.q.bit_length() for entry in entries if entry.q != 1)
        sizes.append(max(entry.p.bit_length() for entry in entries) + below + len(entries).bit_length())
    return int(sum(sorted(sizes)[-len(rows[0]) :])) if rows else 0


def _reduced(rows: list[Row], budget: Budget) -> list[Row]:
    """Return the reduced row echelon form without its rows of zeros."""
    budget.spend(0)
    reduced, rank = fmpq_mat(rows).rref()
    table: list[Row] = reduced.table()[: int(rank)]
    return table


def by_matrix(rows: list[Row], budget: Budget) -> dict[int, Any] | None:
    """Return the same as `by_substitution`, from the reduced row echelon form if it is small enough."""
    left = [row for row in rows if any(row)]
    if not left or _minor_bits(left) > MAX_DETERMINANT_BITS:
        return by_substitution(rows, [], budget)
    table = _reduced(left, budget)
    pivots = [next(k for k, entry in enumerate(row) if entry != 0) for row in table]
    if pivots and pivots[-1] == len(rows[0]) - 1:
        return None
    # A row whose only unknown is its pivot determines that unknown.
    return {pivot: -row[-1] for pivot, row in zip(pivots, table, strict=True) if not any(row[pivot + 1 : -1])}


def vanishes_on(ring: Ring, rows: list[Row], divisor: Polynomial, budget: Budget) -> bool:
    """Return whether a divisor is zero wherever all rows are, although the rows leave unknowns free."""
    left = [row for row in rows if any(row)]
    if _minor_bits(left) > MAX_DETERMINANT_BITS:
        raise TooHardError("large_coefficients")
    generators = [ring.generators[name] for name in ring.unknowns]
    images, point = list(generators), [fmpq(prime) for prime in _primes(len(generators))]
    for row in reversed(_reduced(left, budget) if left else []):
        pivot = next(position for position, entry in enumerate(row) if entry != 0)
        others = [(entry, place) for place, entry in enumerate(row[:-1]) if entry and place != pivot]
        point[pivot] = -sum((entry * point[place] for entry, place in others), start=row[-1])
        images[pivot] = -sum((entry * generators[place] for entry, place in others), start=ring.one * row[-1])
    ring.afford_value(divisor, point, budget)
    if divisor(*point) != 0:  # one point proves that it is not zero everywhere
        return False
    if len(divisor) * max(map(len, images)) ** ring.degree(divisor) > MAX_PRODUCT:
        raise TooHardError("many_terms", limit=MAX_TERMS)
    budget.spend(len(divisor) * (ring.height_bits(divisor) + ring.degree(divisor) * max(map(ring.height_bits, images))))
    return bool(divisor.compose(*images).is_zero())


def _primes(count: int) -> list[int]:
    found = [2]
    while len(found) < count:
        found.append(next(k for k in range(found[-1] + 1, 2 * found[-1] + 1) if all(k % prime for prime in found)))
    return found
