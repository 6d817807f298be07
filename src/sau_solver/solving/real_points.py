"""Polynomial equations in several unknowns -> how many real solutions they have, by Hermite's trace form.

In the ring of polynomials modulo the equations, the form (f, g) -> trace of the multiplication by f*g has as many
positive minus negative eigenvalues as there are distinct real solutions.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import sympy
from flint import fmpq, fmpq_mat
from sympy.polys.orderings import grevlex

MAX_MONOMIALS = 24


def count_real(polynomials: list[Any], unknowns: list[Any]) -> int | None:
    """Return the number of distinct real solutions; None if there are infinitely many or too many complex ones."""
    basis = sympy.groebner(polynomials, *unknowns, order="grevlex")
    if basis.exprs == [1]:
        return 0
    if not basis.is_zero_dimensional:
        return None
    monomials = _standard_monomials(basis, unknowns)
    if monomials is None:
        return None
    size, place = len(monomials), {one: k for k, one in enumerate(monomials)}

    def coordinates(monomial: tuple[int, ...]) -> list[Any]:
        product = sympy.prod(symbol**power for symbol, power in zip(unknowns, monomial, strict=True))
        _, rest = basis.reduce(product)
        row = [fmpq(0)] * size
        for powers, value in sympy.Poly(rest, *unknowns).terms():
            if value:
                row[place[powers]] = fmpq(int(value.p), int(value.q))
        return row

    known = {one: coordinates(one) for one in _products(monomials)}
    # trace[m] is the trace of the multiplication by the standard monomial m.
    trace = [sum((known[_times(m, b)][place[b]] for b in monomials), start=fmpq(0)) for m in monomials]
    form = fmpq_mat(
        size,
        size,
        [
            sum((c * t for c, t in zip(known[_times(a, b)], trace, strict=True)), start=fmpq(0))
            for a in monomials
            for b in monomials
        ],
    )
    coefficients = [c for c in form.charpoly().coeffs() if c != 0]
    positive = _changes(coefficients)
    rank = size - next(k for k, c in enumerate(form.charpoly().coeffs()) if c != 0)
    return 2 * positive - rank


def _changes(coefficients: list[Any]) -> int:
    """Return the changes of sign, which is the number of positive roots if all roots are real (Descartes)."""
    return sum((one > 0) != (other > 0) for one, other in pairwise(coefficients))


def _times(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _products(monomials: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {_times(a, b) for a in monomials for b in monomials}


def _standard_monomials(basis: Any, unknowns: list[Any]) -> list[tuple[int, ...]] | None:
    """Return the monomials that no leading monomial of the basis divides; None if they are too many."""
    leading = [sympy.Poly(one, *unknowns).monoms(order=grevlex)[0] for one in basis.exprs]
    limits = [min(m[k] for m in leading if sum(m) == m[k]) for k in range(len(unknowns))]
    if math.prod(limits) > 100 * MAX_MONOMIALS:
        return None
    found: list[tuple[int, ...]] = [()]
    for limit in limits:
        found = [(*one, power) for one in found for power in range(limit)]
    found = [one for one in found if not any(all(a >= b for a, b in zip(one, m, strict=True)) for m in leading)]
    return found if len(found) <= MAX_MONOMIALS else None
