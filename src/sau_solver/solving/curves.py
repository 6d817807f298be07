"""Polynomials in several unknowns -> whether they have infinitely many real zeros or only isolated ones.

Between two neighboring roots of its discriminant and of its leading coefficient, a polynomial in x and y has the same
number of real roots y for every x. So one rational x in each gap decides. If no section has a root, the polynomial
does not change its sign nearby, and all its real zeros are singular points.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly

from sau_solver.solving.algebraic import irreducible_factors, real_enclosures
from sau_solver.solving.budget import Budget
from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.polynomials import Polynomial, Ring
from sau_solver.solving.reals import exact_number

MAX_POINTS = 400
MAX_CURVE_DEGREE = 7  # the discriminant of degree 42 can still be factored


def has_curve(ring: Ring, polynomial: Polynomial, names: tuple[str, ...], budget: Budget) -> bool:
    """Return whether an irreducible polynomial in both unknowns has infinitely many real zeros."""
    if any(_has_root(_section(ring, polynomial, names, Fraction(at))) for at in (0, 1, -1, 2, 10)):
        return True
    if ring.degree(polynomial) > MAX_CURVE_DEGREE:
        raise TooHardError("shared_factor")
    budget.spend(0)
    place = ring.unknowns.index(names[1])
    slope = polynomial.derivative(place)
    critical = _dense(ring, polynomial.resultant(slope, place), names[0])
    leading = {m: c for m, c in polynomial.to_dict().items() if m[place] == polynomial.degrees()[place]}
    flat = {tuple(0 if k == place else power for k, power in enumerate(m)): c for m, c in leading.items()}
    critical *= _dense(ring, ring.context.from_dict(flat), names[0])
    budget.spend(0)
    for at in _between(critical):
        budget.spend(0)
        if _has_root(_section(ring, polynomial, names, at)):
            return True
    return False


def takes_both_signs(ring: Ring, polynomial: Polynomial, names: tuple[str, ...], budget: Budget) -> bool | None:
    """Return whether a polynomial is positive somewhere and negative somewhere; None if that is not known.

    If it is, it has infinitely many zeros. If it is not, its gradient vanishes at all of them.
    """
    places = [ring.unknowns.index(name) for name in names]
    if ring.degree(polynomial) == 2:
        signs = _quadratic_signs(polynomial, places)
        return len(signs) > 1
    signs = set()
    for seed in range(MAX_POINTS):
        # A fixed walk over points of different sizes.
        point = [fmpq((seed * (3 * k + 2) + k) % 11 - 5, (1, 3, 20)[(seed + k) % 3]) for k in range(len(ring.unknowns))]
        budget.spend(0)
        value = polynomial(*point)
        signs |= {value > 0} if value != 0 else set()
        if len(signs) > 1:
            return True
    return None


def _quadratic_signs(polynomial: Polynomial, places: list[int]) -> set[bool]:
    """Return the signs of the eigenvalues of a quadratic polynomial, as a form with one more unknown."""
    size = len(places) + 1
    matrix = fmpq_mat(size, size)
    for monomial, coefficient in polynomial.to_dict().items():
        used = [k for k, place in enumerate(places) for _ in range(monomial[place])]
        one, other = (*used, size - 1, size - 1)[:2]
        matrix[one, other] += coefficient / 2
        matrix[other, one] += coefficient / 2
    coefficients = [c for c in matrix.charpoly().coeffs() if c != 0]
    # All roots are real, so Descartes' rule counts the positive ones exactly.
    positive = sum((a > 0) != (b > 0) for a, b in pairwise(coefficients))
    degree = size - next(k for k, c in enumerate(matrix.charpoly().coeffs()) if c != 0)
    return {sign for sign, count in ((True, positive), (False, degree - positive)) if count}


def _section(ring: Ring, polynomial: Polynomial, names: tuple[str, ...], at: Fraction) -> Any:
    """Return the polynomial in the second unknown where the first one has that value."""
    place = ring.unknowns.index(names[0])
    return _dense(ring, polynomial.subs({place: fmpq(at.numerator, at.denominator)}), names[1])


def _dense(ring: Ring, polynomial: Polynomial, name: str) -> Any:
    place = ring.unknowns.index(name)
    coefficients = [0] * (max(0, int(polynomial.degrees()[place])) + 1)
    for monomial, coefficient in polynomial.to_dict().items():
        coefficients[monomial[place]] = coefficient
    return fmpq_poly(coefficients)


def _has_root(section: Any) -> bool:
    """Return whether a section changes its sign: an even root may be an isolated point."""
    if section.is_zero():
        return True
    odd = [factor for factor, power in section.numer().factor()[1] if power % 2]
    return any(real_enclosures(factor) for factor in odd)


def _between(polynomial: Any) -> list[Fraction]:
    """Return a rational number in each gap between the real roots, and beyond them."""
    if polynomial.degree() <= 0:
        return [Fraction(0)]
    balls = [ball for factor in irreducible_factors(polynomial) for ball in real_enclosures(factor)]
    balls.sort(key=lambda ball: exact_number(ball.mid()))
    if any(one.overlaps(other) for one, other in pairwise(balls)):
        raise TooHardError("close_roots")
    if not balls:
        return [Fraction(0)]
    ends = [exact_number(ball.lower()) - 1 for ball in balls[:1]] + [
        exact_number(ball.upper()) + 1 for ball in balls[-1:]
    ]
    gaps = pairwise(balls)
    return ends + [(exact_number(one.upper()) + exact_number(other.lower())) / 2 for one, other in gaps]
