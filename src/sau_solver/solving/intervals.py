"""Intervals with rational, infinite, open or closed ends -> intervals that contain all results of an operation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sau_solver.solving.reals import exact_ball, exact_number, precision_of

End = Fraction | float  # a float is an infinity
MAX_END_BITS = 256  # longer ends are rounded outward
MAX_WHOLE_BITS = 900  # of an end that is not infinite: it must be small enough for a float
PRECISION = 96
MAX_EXPONENT = 64


class EmptyError(Exception):
    """No number is left: the statements contradict each other, or an expression has no value anywhere."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two ends; an infinite end is open."""

    low: End = -math.inf
    high: End = math.inf
    low_open: bool = True
    high_open: bool = True

    @classmethod
    def of(cls, low: End, high: End, low_open: bool = False, high_open: bool = False) -> Interval:
        """Return an interval whose ends are short; raise EmptyError if it contains no number."""
        low, low_open = _outward(low, low_open, down=True)
        high, high_open = _outward(high, high_open, down=False)
        if low > high or (low == high and (low_open or high_open)):
            raise EmptyError
        return cls(low, high, low_open, high_open)

    def __contains__(self, value: Fraction | int) -> bool:
        above = value > self.low or (value == self.low and not self.low_open)
        return above and (value < self.high or (value == self.high and not self.high_open))

    def __and__(self, other: Interval) -> Interval:
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, closed = min((self.high, not self.high_open), (other.high, not other.high_open))
        return Interval.of(low, high, low_open, not closed)

    def __or__(self, other: Interval) -> Interval:
        low, low_open = min((self.low, self.low_open), (other.low, other.low_open))
        high, closed = max((self.high, not self.high_open), (other.high, not other.high_open))
        return Interval(low, high, low_open, not closed)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.high_open, self.low_open)

    def __add__(self, other: Interval) -> Interval:
        low, high = self.low + other.low, self.high + other.high
        return Interval.of(low, high, self.low_open or other.low_open, self.high_open or other.high_open)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        ends = [_product(one, two) for one in self._ends() for two in other._ends()]
        low, low_open = min(ends)
        high, closed = max((value, not is_open) for value, is_open in ends)
        if 0 in self or 0 in other:  # 0 is a product, whatever the ends are
            low, low_open = min((low, low_open), (Fraction(0), False))
            high, closed = max((high, closed), (Fraction(0), True))
        return Interval.of(low, high, low_open, not closed)

    def __truediv__(self, other: Interval) -> Interval:
        return self * other.inverse()

    def inverse(self) -> Interval:
        """Return the reciprocals of the numbers other than 0; raise EmptyError if there are none."""
        if self.low == self.high == 0:
            raise EmptyError
        if self.low < 0 < self.high:
            return REALS
        if self.high <= 0:
            return -(-self).inverse()
        low, low_open = (Fraction(0), True) if self.high == math.inf else (1 / self.high, self.high_open)
        high, high_open = (math.inf, True) if self.low == 0 else (1 / self.low, self.low_open)
        return Interval.of(low, high, low_open, high_open)

    def __abs__(self) -> Interval:
        if self.low >= 0:
            return self
        if self.high <= 0:
            return -self
        high, closed = max((-self.low, not self.low_open), (self.high, not self.high_open))
        return Interval.of(Fraction(0), high, False, not closed)

    def power(self, exponent: int) -> Interval:
        """Return the powers with a whole exponent."""
        if exponent < 0:
            return self.power(-exponent).inverse()
        if exponent == 0:
            return Interval(Fraction(1), Fraction(1), False, False)
        if exponent > MAX_EXPONENT:
            return REALS if exponent % 2 else NONNEGATIVE
        base = abs(self) if exponent % 2 == 0 else self
        return Interval.of(_power(base.low, exponent), _power(base.high, exponent), base.low_open, base.high_open)

    def root(self, degree: int) -> Interval:
        """Return the roots; for an even degree, those of the numbers from 0 on."""
        if degree % 2 and self.low < 0:
            if self.high <= 0:
                return -(-self).root(degree)
            below = Interval(Fraction(0), -self.low, False, self.low_open)
            return -below.root(degree) | Interval(Fraction(0), self.high, False, self.high_open).root(degree)
        return (self & NONNEGATIVE).mapped(lambda ball: ball.root(degree), lambda end: _exact_root(end, degree))

    def mapped(self, function: Callable[[Any], Any], exact: Callable[[Fraction], Fraction | None]) -> Interval:
        """Return the values of a rising function that grows without bound, from balls unless `exact` knows them."""
        low, low_open = _mapped(self.low, self.low_open, function, exact, down=True)
        high, high_open = _mapped(self.high, self.high_open, function, exact, down=False)
        return Interval.of(low, high, low_open, high_open)

    def _ends(self) -> Iterable[tuple[End, bool]]:
        return (self.low, self.low_open), (self.high, self.high_open)


REALS = Interval()
NONNEGATIVE = Interval(Fraction(0), math.inf, False, True)
POSITIVE = Interval(Fraction(0), math.inf, True, True)


def exp_of(interval: Interval) -> Interval:
    """Return e to the power of the numbers."""
    if interval.low == -math.inf:
        rest = Interval(Fraction(0), interval.high, False, interval.high_open) if interval.high > 0 else None
        high = rest.mapped(lambda ball: ball.exp(), _no_value) if rest else Interval.of(Fraction(0), Fraction(1))
        return Interval(Fraction(0), high.high, True, high.high_open)
    return interval.mapped(lambda ball: ball.exp(), lambda end: Fraction(1) if end == 0 else None) & POSITIVE


def ln_of(interval: Interval) -> Interval:
    """Return the logarithms of the positive numbers; raise EmptyError if there are none."""
    positive = interval & POSITIVE
    if positive.low == 0:
        if positive.high == math.inf:
            return REALS
        top = Interval(positive.high, positive.high, False, False).mapped(lambda ball: ball.log(), _log_of_one)
        return Interval(-math.inf, top.high, True, positive.high_open and top.high == 0)
    return positive.mapped(lambda ball: ball.log(), _log_of_one)


def _no_value(end: Fraction) -> None:
    return None


def _log_of_one(end: Fraction) -> Fraction | None:
    return Fraction(0) if end == 1 else None


def _product(one: tuple[End, bool], other: tuple[End, bool]) -> tuple[End, bool]:
    (left, left_open), (right, right_open) = one, other
    if left == 0 or right == 0:
        return Fraction(0), left_open or right_open
    return left * right, left_open or right_open


def _power(end: End, exponent: int) -> End:
    return end**exponent if isinstance(end, Fraction) else end if exponent % 2 or end > 0 else -end


def _exact_root(end: Fraction, degree: int) -> Fraction | None:
    parts = [round(part ** (1 / degree)) if part < 10**15 else 0 for part in (end.numerator, end.denominator)]
    found = Fraction(parts[0], parts[1] or 1)
    return found if found**degree == end else None


def _mapped(
    end: End, is_open: bool, function: Callable[[Any], Any], exact: Callable[[Fraction], Fraction | None], down: bool
) -> tuple[End, bool]:
    if not isinstance(end, Fraction):
        return end, True
    known = exact(end)
    if known is not None:
        return known, is_open
    if abs(end) > 2**MAX_EXPONENT:
        return (-math.inf if down else math.inf), True
    with precision_of(PRECISION):
        ball = function(exact_ball(end))
        if not ball.is_finite() or not abs(ball) < 2**1_000:
            return (-math.inf if down else math.inf), True
        return exact_number(ball.lower() if down else ball.upper()), False


def _outward(end: End, is_open: bool, down: bool) -> tuple[End, bool]:
    """Return a short end that is not inside; infinite ends are open."""
    if not isinstance(end, Fraction):
        return (end, True) if isinstance(end, float) else (Fraction(end), is_open)
    size = max(end.numerator.bit_length(), end.denominator.bit_length())
    if size <= MAX_END_BITS:
        return end, is_open
    whole = end.numerator.bit_length() - end.denominator.bit_length()
    if whole > MAX_WHOLE_BITS:
        if (end > 0) == down:
            return Fraction(2) ** (MAX_WHOLE_BITS - 2) * (1 if end > 0 else -1), True
        return (-math.inf if down else math.inf), True
    scale = Fraction(2) ** min(PRECISION - whole, MAX_END_BITS)
    rounded = (math.floor if down else math.ceil)(end * scale) / scale
    return (rounded, True) if rounded != end else (end, is_open)
