"""Exact real numbers: certified enclosures of any precision, and a bound that separates 0 from numbers close to 0.

An algebraic number that is not 0 cannot be arbitrarily small. `Separation` is the bound of Burnikel, Funke, Mehlhorn,
Schirra and Schmitt (A separation bound for real algebraic expressions, 2001): the number is U/L with algebraic integers
U and L of degree at most D, all conjugates of U are at most u and those of L at most l, so it is 0 or at least 1/(l *
u^(D-1)). An enclosure that is smaller proves 0. Numbers without a bound, such as ln(2), are known to differ from 0 only
if an enclosure excludes 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import RLock
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from sau_solver.solving.budget import CHEAP_BITS, MAX_PRECISION, MAX_RATIONAL_BITS, is_over

Ball: TypeAlias = Any  # python-flint ships no type stubs: an arb
TINY = Fraction(1, 2**1_500)  # floats nearer to 0 than this are 0


class NoValueError(Exception):
    """The expression has no real value: it divides by 0, or takes an even root or a logarithm of a negative number."""


class UndecidedError(Exception):
    """The sign of a number, or its value, could not be decided within the limits."""


def is_writable(ball: Ball) -> bool:
    """Return whether the integers in a finite ball have so few bits that FLINT can write them down.

    2^(10^15) is an exact ball of a few bytes, but FLINT ends the process if it cannot get memory for all of its bits.
    """
    return not ball.is_finite() or bool(ball.abs_upper() < arb(2) ** MAX_PRECISION)


@dataclass(frozen=True, slots=True)
class Separation:
    """The logarithms of u and l, the roots with their degrees, and the order of the roots of unity."""

    upper: float
    lower: float
    leaves: frozenset[tuple[Hashable, int]] = frozenset()
    order: int = 1

    @property
    def bits(self) -> float:
        """How many bits after the point tell the number from 0."""
        degree = math.prod(degree for _, degree in self.leaves) * _totient(self.order)
        return self.lower + (degree - 1) * self.upper if degree <= MAX_PRECISION else math.inf

    def joined(self, other: Separation, upper: float, lower: float) -> Separation:
        """Return the bound of a number made of two others."""
        return Separation(upper, lower, self.leaves | other.leaves, math.lcm(self.order, other.order))


def _totient(order: int) -> int:
    result, rest, prime = order, order, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            result -= result // prime
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return result - result // rest if rest > 1 else result


def exact_ball(value: Fraction) -> Ball:
    """Return a rational number as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def exact_number(ball: Ball) -> Fraction:
    """Return the number of a ball without radius."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


_precision_lock = RLock()  # python-flint has one precision for all threads


@contextmanager
def precision_of(bits: int) -> Iterator[None]:
    """Compute enclosures with that many bits, while other threads wait."""
    with _precision_lock, ctx.workprec(bits):
        yield


def expect_time() -> None:
    """Raise UndecidedError if no time is left in the budget."""
    if is_over():
        raise UndecidedError


class Real:
    """A real number as a function that encloses it at the current precision of python-flint."""

    __slots__ = ("_enclose", "rational", "separation")

    def __init__(
        self, enclose: Callable[[], Ball], separation: Separation | None = None, rational: Fraction | None = None
    ) -> None:
        self._enclose = enclose
        self.separation = separation
        self.rational = rational

    @classmethod
    def of(cls, value: Fraction | int) -> Real:
        """Return a rational number."""
        value = Fraction(value)
        top, bottom = value.numerator.bit_length(), value.denominator.bit_length()
        if max(top, bottom) > MAX_RATIONAL_BITS:
            raise UndecidedError
        exact = fmpq(value.numerator, value.denominator)
        return cls(lambda: arb(exact), Separation(max(top, 0), bottom if value.denominator > 1 else 0), value)

    def enclosure(self, precision: int) -> Ball:
        """Return a ball that contains the number, computed with that many bits."""
        with precision_of(precision):
            return self._enclose()

    def sign(self) -> int:
        """Return -1, 0 or 1; raise UndecidedError if the limits do not suffice."""
        if self.rational is not None:
            return (self.rational > 0) - (self.rational < 0)
        bits = self.separation.bits if self.separation else math.inf
        needed = math.ceil(bits) + 2 if bits < MAX_PRECISION else None
        precision = 64
        while precision <= MAX_PRECISION and not is_over():
            ball = self.enclosure(precision)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            if ball == 0:  # exactly 0, not just close to it
                return 0
            if needed is not None and ball.is_finite() and ball.abs_upper() < arb(2) ** (-needed):
                return 0
            precision *= 4 if needed is None or precision > needed else 2
            if needed is not None and 1_024 < precision < needed + 64 <= MAX_PRECISION:
                precision = needed + 64
        raise UndecidedError

    def whole(self) -> int | None:
        """Return the number if it is an integer, or None."""
        nearest = self.floor() if self.rational is None else None
        if nearest is None:
            assert self.rational is not None
            return self.rational.numerator if self.rational.denominator == 1 else None
        return nearest if (self - Real.of(nearest)).sign() == 0 else None

    def floor(self) -> int:
        """Return the largest integer that is not above the number."""
        if self.rational is not None:
            return math.floor(self.rational)
        precision = 64
        while precision <= MAX_PRECISION and not is_over():
            ball = self.enclosure(precision)
            if not is_writable(ball):
                raise UndecidedError
            if ball.is_finite() and ball.rad() < 0.25:
                with precision_of(precision):
                    nearest = int((ball.mid() + 0.5).floor().unique_fmpz())
                return nearest if (self - Real.of(nearest)).sign() >= 0 else nearest - 1
            precision *= 2
        raise UndecidedError

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return numbers below and above it that agree in so many bits; raise UndecidedError if the limits are too low.

        A number that is nearer to 0 than any float gets the bounds -TINY and TINY.
        """
        precision = 2 * bits
        while precision <= MAX_PRECISION and not is_over():
            with precision_of(precision):
                ball = self._enclose()
                if ball.is_finite() and abs(ball) < exact_ball(TINY):
                    return -TINY, TINY
                if ball.is_finite() and ball.rel_accuracy_bits() >= bits:
                    if not abs(ball) < arb(2) ** MAX_RATIONAL_BITS:
                        break
                    return exact_number(ball.lower()), exact_number(ball.upper())
            precision *= 2
        raise UndecidedError

    def _expect_room(self, other: Real) -> None:
        """Raise UndecidedError before an operation on rational numbers whose result may be too long."""
        bits = sum(max(one.upper, one.lower) for one in (self.separation, other.separation) if one)
        if bits > 2 * MAX_RATIONAL_BITS or (bits > CHEAP_BITS and is_over()):
            raise UndecidedError

    def __neg__(self) -> Real:
        return Real.of(0) - self

    def __add__(self, other: Real) -> Real:
        return self._sum(other, 1)

    def __sub__(self, other: Real) -> Real:
        return self._sum(other, -1)

    def _sum(self, other: Real, sign: int) -> Real:
        if self.rational is not None and other.rational is not None:
            self._expect_room(other)
            return Real.of(self.rational + sign * other.rational)
        one, two, bound = self.separation, other.separation, None
        if one and two:
            upper = max(one.upper + two.lower, one.lower + two.upper) + 1
            bound = one.joined(two, upper, one.lower + two.lower)
        return Real(lambda: self._enclose() + sign * other._enclose(), bound)

    def __mul__(self, other: Real) -> Real:
        if self.rational is not None and other.rational is not None:
            self._expect_room(other)
            return Real.of(self.rational * other.rational)
        if self.rational == 0 or other.rational == 0:
            return Real.of(0)
        one, two, bound = self.separation, other.separation, None
        if one and two:
            bound = one.joined(two, one.upper + two.upper, one.lower + two.lower)
        return Real(lambda: self._enclose() * other._enclose(), bound)

    def __truediv__(self, other: Real) -> Real:
        if other.sign() == 0:
            raise NoValueError
        if self.rational is not None and other.rational is not None:
            self._expect_room(other)
            return Real.of(self.rational / other.rational)
        one, two, bound = self.separation, other.separation, None
        if one and two:
            bound = one.joined(two, one.upper + two.lower, one.lower + two.upper)
        return Real(lambda: self._enclose() / other._enclose(), bound)

    def __abs__(self) -> Real:
        return -self if self.sign() < 0 else self

    def power(self, exponent: int) -> Real:
        """Return the number to a whole power that is not 0."""
        if exponent < 0:
            return Real.of(1) / self.power(-exponent)
        if self.rational is not None:
            bits = max(self.rational.numerator.bit_length(), self.rational.denominator.bit_length())
            if bits * exponent > MAX_RATIONAL_BITS and abs(self.rational) != 1:
                raise UndecidedError
            return Real.of(self.rational**exponent)
        own, bound = self.separation, None
        if own and exponent < MAX_PRECISION:
            bound = Separation(own.upper * exponent, own.lower * exponent, own.leaves, own.order)
        return self.mapped(lambda ball: ball**exponent, bound)

    def root(self, degree: int, key: Hashable) -> Real:
        """Return the real root; `key` names it, so that the same root counts once in the bound."""
        sign = self.sign()
        if sign == 0:
            return Real.of(0)
        if sign < 0:
            if degree % 2 == 0:
                raise NoValueError
            return -(-self).root(degree, key)
        own, bound = self.separation, None
        if own:
            leaves = own.leaves | {(("root", key), degree)}
            if own.upper >= own.lower:
                upper, lower = (own.upper + (degree - 1) * own.lower) / degree, own.lower
            else:
                upper, lower = own.upper, ((degree - 1) * own.upper + own.lower) / degree
            bound = Separation(upper, lower, leaves, own.order)
        return self.mapped(lambda ball: ball.root(degree), bound)

    def mapped(self, function: Callable[[Ball], Ball], separation: Separation | None = None) -> Real:
        """Return a function of the number; its enclosure is left undecided when the time is over."""

        def enclose() -> Ball:
            expect_time()
            return function(self._enclose())

        return Real(enclose, separation)
