"""Polynomials with rational coefficients -> how many real roots they have and where, by Sturm's theorem.

A polynomial is the list of its coefficients from x^0 up. Nothing here is shared with the solver.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

Coefficients = list[Fraction]


def trimmed(polynomial: Iterable[Fraction]) -> Coefficients:
    """Return the polynomial without leading zeros."""
    found = list(polynomial)
    while found and found[-1] == 0:
        found.pop()
    return found


def product(*factors: Coefficients) -> Coefficients:
    """Return the product of polynomials."""
    result = [Fraction(1)]
    for factor in factors:
        total = [Fraction(0)] * (len(result) + len(factor) - 1 if factor else 0)
        for i, one in enumerate(result):
            for j, other in enumerate(factor):
                total[i + j] += one * other
        result = total
    return trimmed(result)


def total(one: Coefficients, other: Coefficients, sign: int = 1) -> Coefficients:
    """Return one + sign * other."""
    size = max(len(one), len(other))
    first, second = (list(p) + [Fraction(0)] * (size - len(p)) for p in (one, other))
    return trimmed(a + sign * b for a, b in zip(first, second, strict=True))


def value(polynomial: Coefficients, at: Fraction) -> Fraction:
    """Return the value at a rational number."""
    result = Fraction(0)
    for coefficient in reversed(polynomial):
        result = result * at + coefficient
    return result


def divided(one: Coefficients, other: Coefficients) -> tuple[Coefficients, Coefficients]:
    """Return quotient and remainder."""
    rest, quotient = list(one), [Fraction(0)] * max(0, len(one) - len(other) + 1)
    while len(rest) >= len(other):
        factor, shift = rest[-1] / other[-1], len(rest) - len(other)
        quotient[shift] = factor
        rest = trimmed(c - (factor * other[k - shift] if k >= shift else 0) for k, c in enumerate(rest))
    return trimmed(quotient), rest


def common(one: Coefficients, other: Coefficients) -> Coefficients:
    """Return the greatest common divisor."""
    while other:
        one, other = other, divided(one, other)[1]
    return [c / one[-1] for c in one]


def derivative(polynomial: Coefficients) -> Coefficients:
    """Return the derivative."""
    return [k * c for k, c in enumerate(polynomial)][1:]


def squarefree(polynomial: Coefficients) -> Coefficients:
    """Return the polynomial with each root once."""
    return divided(polynomial, common(polynomial, derivative(polynomial)))[0] if len(polynomial) > 1 else polynomial


def _primitive(polynomial: Coefficients) -> Coefficients:
    """Return a positive multiple with whole coefficients without a common divisor."""
    below = math.lcm(*(c.denominator for c in polynomial))
    whole = [int(c * below) for c in polynomial]
    shared = math.gcd(*whole) or 1
    return [Fraction(c // shared) for c in whole]


def _scaled(polynomial: list[int], at: Fraction) -> int:
    """Return a positive multiple of the value at a number."""
    result, power = 0, 1
    for coefficient in reversed(polynomial):
        result = result * at.numerator + coefficient * power
        power *= at.denominator
    return result


class Roots:
    """The distinct real roots of a polynomial that is not 0, as intervals (low, high] with one root each."""

    def __init__(self, polynomial: Coefficients) -> None:
        self.polynomial = squarefree(polynomial)
        chain = [self.polynomial, derivative(self.polynomial)]
        while chain[-1]:
            chain.append(_primitive([-c for c in divided(chain[-2], chain[-1])[1]]))
        self._chain = [[int(c) for c in _primitive(one)] for one in chain[:-1]]
        bound = 1 + max((abs(c / polynomial[-1]) for c in polynomial[:-1]), default=Fraction(0))
        ends = Fraction(2 ** int(bound).bit_length())  # halves of it have small denominators
        self.intervals = self._separated(-ends, ends)

    def __len__(self) -> int:
        return len(self.intervals)

    def count(self, low: Fraction, high: Fraction) -> int:
        """Return how many roots are above low and not above high."""
        return self._changes(low) - self._changes(high)

    def _changes(self, at: Fraction) -> int:
        signs = [number > 0 for number in (_scaled(p, at) for p in self._chain) if number]
        return sum(one != other for one, other in pairwise(signs))

    def _separated(self, low: Fraction, high: Fraction) -> list[tuple[Fraction, Fraction]]:
        found, pending = [], [(low, high)]
        while pending:
            low, high = pending.pop()
            number = self.count(low, high)
            if number == 1:
                found.append((low, high))
            elif number:
                middle = (low + high) / 2
                pending += [(middle, high), (low, middle)]
        return sorted(found)

    def narrowed(self, place: int, width: Fraction) -> tuple[Fraction, Fraction]:
        """Return an interval of at most that width around one root."""
        low, high = self.intervals[place]
        while high - low > width:
            middle = (low + high) / 2
            low, high = (low, middle) if self.count(low, middle) else (middle, high)
        self.intervals[place] = (low, high)
        return low, high

    def sign(self, polynomial: Coefficients, place: int) -> int:
        """Return the sign of another polynomial at one root."""
        if not polynomial:
            return 0
        shared = common(self.polynomial, polynomial)
        low, high = self.intervals[place]
        if len(shared) > 1 and Roots(shared).count(low, high):
            return 0
        others = Roots(polynomial) if len(polynomial) > 1 else None
        while others is not None and (others.count(low, high) or value(polynomial, low) == 0):
            low, high = self.narrowed(place, (high - low) / 2)
        return 1 if value(polynomial, high) > 0 else -1
