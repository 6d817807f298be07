"""Polynomial systems -> the number of their real solutions, from a Gröbner basis and Hermite's trace form.

The signature of the matrix Tr(b_i * b_j), for a basis b of the quotient ring, is the number of distinct real solutions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy

MAX_DIMENSION = 9


class TooManyError(Exception):
    """There are infinitely many complex solutions, or too many to count."""


def count_real(polynomials: list[Any], symbols: list[Any]) -> int:
    """Return the number of real solutions; raise TooManyError if there are too many complex ones."""
    basis = sympy.groebner(polynomials, *symbols, order="grevlex", domain="QQ")
    if basis.exprs == [1]:
        return 0
    if not basis.is_zero_dimensional:
        raise TooManyError
    leading = [sympy.Poly(one, *symbols).monoms(order="grevlex")[0] for one in basis.exprs]
    normal = _normal_monomials(leading, len(symbols))
    monomials = [sympy.prod(s**e for s, e in zip(symbols, exponents, strict=True)) for exponents in normal]
    places = {exponents: place for place, exponents in enumerate(normal)}

    def reduced(expression: Any) -> dict[int, Fraction]:
        rest = sympy.Poly(basis.reduce(sympy.expand(expression))[1], *symbols)
        return {places[m]: Fraction(int(c.p), int(c.q)) for m, c in rest.terms() if c != 0}

    products = {m: reduced(m) for m in {sympy.expand(one * other) for one in monomials for other in monomials}}
    higher = {sympy.expand(m * one) for m in monomials for one in products}
    known = {m: reduced(m) for m in higher}
    traces = {
        one: sum(
            (known[sympy.expand(one * m)].get(place, Fraction(0)) for place, m in enumerate(monomials)), Fraction(0)
        )
        for one in products
    }
    return signature([[traces[sympy.expand(one * other)] for other in monomials] for one in monomials])


def _normal_monomials(leading: list[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """Return the monomials that no leading monomial divides."""
    tops = [min(m[k] for m in leading if sum(m) == m[k] and m[k]) for k in range(size)]
    found = [
        exponents
        for exponents in product(*(range(top) for top in tops))
        if not any(all(a <= b for a, b in zip(m, exponents, strict=True)) for m in leading)
    ]
    if len(found) > MAX_DIMENSION:
        raise TooManyError
    return found


def signature(matrix: list[list[Fraction]]) -> int:
    """Return how many more positive than negative eigenvalues a symmetric matrix has, by Descartes' rule."""
    polynomial = _characteristic(matrix)
    flipped = [c * (-1) ** k for k, c in enumerate(polynomial)]
    return _changes(polynomial) - _changes(flipped)


def _characteristic(matrix: list[list[Fraction]]) -> list[Fraction]:
    """Return the characteristic polynomial by Faddeev and LeVerrier, highest power first."""
    size = len(matrix)
    found = [Fraction(1)]
    current = [[Fraction(0)] * size for _ in range(size)]
    for step in range(1, size + 1):
        for k in range(size):
            current[k][k] += found[-1]
        current = [
            [sum((matrix[i][k] * current[k][j] for k in range(size)), Fraction(0)) for j in range(size)]
            for i in range(size)
        ]
        found.append(-sum((current[k][k] for k in range(size)), Fraction(0)) / step)
    return found


def _changes(coefficients: list[Fraction]) -> int:
    signs = [c > 0 for c in coefficients if c]
    return sum(one != other for one, other in pairwise(signs))
