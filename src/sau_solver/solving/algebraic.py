"""Rational polynomials in one unknown -> their real roots as exact values."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from flint import arb, fmpq, fmpq_poly, fmpz, fmpz_poly

from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.reals import exact_number
from sau_solver.solving.values import Algebraic, Surd, Value

MAX_FACTORED_DEGREE = 60
MAX_HEIGHT_BITS = 2_000
MAX_SEPARATION_BITS = 700  # precision that may be used to separate the closest roots


def irreducible_factors(polynomial: Any) -> list[Any]:
    """Return the distinct irreducible factors of a nonzero polynomial, primitive over the integers.

    Of a x^n + b with a high degree, only the factors with real roots are returned.
    """
    integer = polynomial.numer()
    if integer.height_bits() > MAX_HEIGHT_BITS:
        raise TooHardError("large_coefficients")
    if integer.degree() > MAX_FACTORED_DEGREE:
        coefficients = integer.coeffs()
        lowest = next(power for power, coefficient in enumerate(coefficients) if coefficient)
        if lowest:  # x^90 * (x - 1) has a small factor besides x
            return [fmpz_poly([0, 1]), *irreducible_factors(fmpq_poly(coefficients[lowest:]))]
        if any(coefficients[1:-1]):
            raise TooHardError("high_degree", degree=int(integer.degree()), limit=MAX_FACTORED_DEGREE)
        return _binomial_factors(integer)
    return [factor for factor, _ in integer.factor()[1]]


def _binomial_factors(binomial: Any) -> list[Any]:
    """Return the factors of a x^n + b that have real roots, by the largest k for which -b/a is a k-th power."""
    degree = int(binomial.degree())
    power = Fraction(-int(binomial[0]), int(binomial[degree]))
    if power < 0 and degree % 2 == 0:
        return []
    sign, size = (-1 if power < 0 else 1), abs(power)
    for k in sorted((k for k in range(1, degree + 1) if degree % k == 0), reverse=True):
        top, bottom = int(fmpz(size.numerator).root(k)), int(fmpz(size.denominator).root(k))
        if top**k == size.numerator and bottom**k == size.denominator:
            break
    # x^m - top/bottom is irreducible, because top/bottom is positive and no p-th power for a prime p that divides m.
    left = degree // k
    factors = [fmpz_poly([-sign * top, *[0] * (left - 1), bottom])]
    return [*factors, fmpz_poly([top, *[0] * (left - 1), bottom])] if degree % 2 == 0 and left % 2 else factors


def quadratic_factors(polynomial: Any) -> list[Any]:
    """Return the distinct irreducible factors of a quadratic polynomial, by its discriminant."""
    integer = polynomial.numer()
    if integer.height_bits() > MAX_HEIGHT_BITS:
        raise TooHardError("large_coefficients")
    c, b, a = (int(coefficient) for coefficient in integer.coeffs())
    discriminant = b * b - 4 * a * c
    root = math.isqrt(max(discriminant, 0))
    if root * root != discriminant:
        content = math.gcd(a, b, c)
        return [fmpz_poly([c // content, b // content, a // content])]
    roots = {Fraction(-b - root, 2 * a), Fraction(-b + root, 2 * a)}
    return [fmpz_poly([-root.numerator, root.denominator]) for root in sorted(roots)]


def real_roots(factor: Any) -> list[Value]:
    """Return the real roots of an irreducible integer polynomial, in increasing order."""
    coefficients = [int(c) for c in factor.coeffs()]
    match coefficients:
        case [constant, slope]:
            return [Fraction(-constant, slope)]
        case [c, b, a]:
            return _quadratic(a, b, c)
    decimals = real_enclosures(factor)
    polynomial = tuple(coefficients)
    return [Algebraic(polynomial, index, float(ball)) for index, ball in enumerate(decimals)]


def _quadratic(a: int, b: int, c: int) -> list[Value]:
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    outside, radicand = _square_part(discriminant)
    middle, spread = Fraction(-b, 2 * a), abs(Fraction(outside, 2 * a))
    return [Surd(middle, -spread, radicand), Surd(middle, spread, radicand)]


def _square_part(number: int) -> tuple[int, int]:
    """Return (outside, radicand) with number = outside² * radicand, and a radicand without (small) square factors."""
    outside, radicand = 1, 1
    large = number.bit_length() > 128
    factors = fmpz(number).factor_smooth(32) if large else fmpz(number).factor()
    for prime, power in factors:
        outside *= int(prime) ** (power // 2)
        radicand *= int(prime) ** (power % 2)
    return outside, radicand


def real_enclosures(factor: Any) -> list[Any]:
    """Return certified enclosures of the real roots, in increasing order; a x^n + b needs no general root finder."""
    coefficients = factor.coeffs()
    if not any(coefficients[1:-1]):
        ratio = -fmpq(coefficients[0], coefficients[-1])
        degree = factor.degree()
        if ratio < 0 and degree % 2 == 0:
            return []
        root = arb(abs(ratio)).root(degree)
        return [-root, root] if degree % 2 == 0 else [root if ratio > 0 else -root]
    if _separation_bits(factor) > MAX_SEPARATION_BITS:
        raise TooHardError("close_roots")
    balls = [root.real for root, _ in factor.complex_roots() if root.imag == 0]
    return sorted(balls, key=lambda ball: exact_number(ball.mid()))  # as floats, large roots could be equal


def _separation_bits(factor: Any) -> float:
    """Return an upper bound of -log2 of the smallest distance of two roots (Mahler); a large one slows root finding."""
    degree = int(factor.degree())
    discriminant = abs(int(factor.discriminant()))
    measure = int(factor.height_bits()) + math.log2(degree + 1) / 2
    return (degree - 1) * measure + (degree + 2) / 2 * math.log2(degree) - (discriminant.bit_length() - 1) / 2
