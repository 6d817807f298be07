"""Equations in one unknown -> sums of c * t^n * e^(a*t), whose real roots can all be found.

2^x = x^2 is such a sum in t = x, and ln(x) = 3-x is one in t = ln(x), which is what a logarithm of a linear expression
is replaced by. Beyond some t the term that grows fastest outweighs all others, so all roots lie between two bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq, fmpz

from sau_solver.equations.expressions import (
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    unknowns_of,
    walk,
)
from sau_solver.solving.budget import ROOT_BITS
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.logarithms import without_logarithms
from sau_solver.solving.reals import Real, exact_number, precision_of
from sau_solver.solving.root_isolation import NotIsolatedError, Root, isolate

PRECISION = 4 * ROOT_BITS
MAX_DOUBLINGS = 40  # of the number beyond which there are no roots
MAX_EXPONENT = 60
MAX_TERMS = 60
MAX_BASE_BITS = 120  # of the base of a power such as 1.05^x, which is factored

Rate = tuple[tuple[int, Fraction], ...]  # a = the sum of q * ln(p) over primes p; p = 1 stands for e, ln(e) = 1
Sum = dict[tuple[int, Rate], Real]  # power and rate -> coefficient


@dataclass(frozen=True, slots=True)
class Ratio:
    """A quotient of two sums."""

    top: Sum
    bottom: Sum


ONE: Sum = {(0, ()): Real.of(1)}


class IdentityError(Exception):
    """Every number for which the equation is defined satisfies it."""


def all_roots(equation: Equation, name: str) -> list[Root]:
    """Return enclosures of all real roots of an equation in one unknown, and perhaps of points outside its domain.

    Raise IdentityError if the equation holds everywhere, and NotIsolatedError if the roots cannot be found.
    """
    terms, inner = _terms(equation, name)
    if not terms:
        raise IdentityError
    roots = _roots(terms)
    return roots if inner is None else [_back(root, *inner) for root in roots]


def vanishes_at(equation: Equation, name: str, at: Fraction) -> bool:
    """Return whether a number is a root of the sum of `all_roots`, inside or outside of the equation's domain.

    Raise UndecidedError if that cannot be decided.
    """
    terms, inner = _terms(equation, name)
    place = Real.of(at)
    if inner is not None:  # t = ln(slope * x + offset), and e^t is slope * x + offset
        grown = Real.of(inner[0] * at + inner[1])
        if grown.sign() <= 0:
            return False
        place = Real.of(0) if grown.rational == 1 else grown.mapped(arb.log)
    total = Real.of(0)
    for (power, rate), coefficient in terms.items():
        term = coefficient * place.power(power) if power else coefficient
        for prime, amount in rate:
            exponent = Number(amount if inner is not None else amount * at)
            if inner is not None:
                base: Expression = Number(inner[0] * at + inner[1])
            else:
                base = Number(Fraction(prime)) if prime > 1 else Function("exp", (Number(Fraction(1)),))
            term = term * exact_value(Operation("^", base, exponent), {})
        total = total + term
    return total.sign() == 0


def _terms(equation: Equation, name: str) -> tuple[Sum, tuple[Fraction, Fraction] | None]:
    """Return the terms of the sum that must vanish, and slope and offset if it is one in t = ln(slope * x + offset)."""
    node = without_logarithms(Operation("-", equation.left, equation.right), name)
    inner = _logarithm(node, name)
    top = _Reader(name, inner).read(node).top
    return {key: value for key, value in top.items() if value.sign() != 0}, inner


def _back(root: Root, slope: Fraction, offset: Fraction) -> Root:
    """Return the x with slope * x + offset = e^t."""
    with precision_of(ROOT_BITS + 80):
        balls = [(arb(_fmpq(end)).exp() - _fmpq(offset)) / _fmpq(slope) for end in (root.low, root.high)]
        ends = [exact_number(end) for ball in balls for end in (ball.lower(), ball.upper())]
    return Root(min(ends), max(ends))


def _fmpq(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)


def _logarithm(node: Expression, name: str) -> tuple[Fraction, Fraction] | None:
    """Return slope and offset of the linear expression whose logarithm occurs, or None if there is none."""
    for one in walk(node):
        if isinstance(one, Function) and one.name in ("ln", "log") and _has(one, name):
            ratio = _Reader(name, None).read(one.arguments[0])
            slope, offset = _line(ratio)
            if slope == 0:
                raise NotIsolatedError
            return slope, offset
    return None


def _line(ratio: Ratio) -> tuple[Fraction, Fraction]:
    """Return slope and offset of a quotient that is linear with rational coefficients."""
    if list(ratio.bottom) != [(0, ())] or any(power > 1 or rate for power, rate in ratio.top):
        raise NotIsolatedError
    found = []
    for power in (1, 0):
        value = (ratio.top.get((power, ()), Real.of(0)) / ratio.bottom[0, ()]).rational
        if value is None:
            raise NotIsolatedError
        found.append(value)
    return found[0], found[1]


def _has(node: Expression, name: str) -> bool:
    return name in unknowns_of((Equation(node, node),))


class _Reader:
    """Reads an expression in x, or in t = ln(slope * x + offset)."""

    def __init__(self, name: str, inner: tuple[Fraction, Fraction] | None) -> None:
        self.name = name
        self.inner = inner

    def read(self, node: Expression) -> Ratio:
        if not _has(node, self.name):
            return Ratio({(0, ()): exact_value(node, {})}, ONE)
        match node:
            case Unknown():
                return Ratio(self._unknown(), ONE)
            case Operation("^", base, exponent):
                return self._power(base, exponent)
            case Operation(sign, left, right):
                return _combined(sign, self.read(left), self.read(right))
            case Function("exp", (argument,)):
                return self._exponential(((1, Fraction(1)),), argument)
            case Function("ln", (argument,)):
                return Ratio(self._ln(argument), ONE)
            case Function("log", (argument, *base)) if not base or not _has(base[0], self.name):
                scale = Real.of(1) / exact_value(Function("ln", (base[0] if base else Number(Fraction(10)),)), {})
                return Ratio({key: value * scale for key, value in self._ln(argument).items()}, ONE)
        raise NotIsolatedError

    def _unknown(self) -> Sum:
        if self.inner is None:
            return {(1, ()): Real.of(1)}
        slope, offset = self.inner
        rate: Rate = ((1, Fraction(1)),)
        return {(0, rate): Real.of(1 / slope), (0, ()): Real.of(-offset / slope)}

    def _ln(self, argument: Expression) -> Sum:
        """Return ln(c * e^(a*t)) = ln(c) + a*t."""
        if self.inner is None:
            raise NotIsolatedError
        ratio = self.read(argument)
        terms = [(key, value) for key, value in ratio.top.items() if value.sign() != 0]
        if len(terms) != 1 or list(ratio.bottom) != [(0, ())]:
            raise NotIsolatedError
        (((power, rate), coefficient),) = terms
        coefficient = coefficient / ratio.bottom[0, ()]
        if power or coefficient.sign() <= 0 or any(prime != 1 for prime, _ in rate):
            raise NotIsolatedError
        constant = Real.of(0) if coefficient.rational == 1 else coefficient.mapped(arb.log)
        return {(1, ()): Real.of(dict(rate).get(1, Fraction(0))), (0, ()): constant}

    def _power(self, base: Expression, exponent: Expression) -> Ratio:
        if _has(exponent, self.name):
            if _has(base, self.name):
                raise NotIsolatedError
            value = exact_value(base, {}).rational
            if value is None or value <= 0 or max(value.numerator, value.denominator).bit_length() > MAX_BASE_BITS:
                raise NotIsolatedError
            factors = [(part, sign) for part, sign in ((value.numerator, 1), (value.denominator, -1)) if part > 1]
            rate = tuple(
                (int(prime), Fraction(sign * int(power)))
                for part, sign in factors
                for prime, power in fmpz(part).factor()
            )
            return self._exponential(tuple(sorted(rate)), exponent)
        power = exact_value(exponent, {}).rational
        if power is None or power.denominator != 1 or abs(power) > MAX_EXPONENT:
            raise NotIsolatedError
        ratio, result = self.read(base), Ratio(ONE, ONE)
        for _ in range(abs(int(power))):
            result = _combined("*", result, ratio)
        return Ratio(result.bottom, result.top) if power < 0 else result

    def _exponential(self, rate: Rate, exponent: Expression) -> Ratio:
        """Return e^(rate * exponent) for a linear exponent."""
        if self.inner is not None:
            raise NotIsolatedError
        slope, offset = _line(self.read(exponent))
        scaled = tuple((prime, slope * times) for prime, times in rate)
        constant = Real.of(0)
        for prime, times in rate:
            constant = constant + Real.of(times * offset) * _ln_prime(prime)
        scale = Real.of(1) if offset == 0 else constant.mapped(arb.exp)
        return Ratio({(0, scaled if slope else ()): scale}, ONE)


def _ln_prime(prime: int) -> Real:
    return Real.of(1) if prime == 1 else Real.of(prime).mapped(arb.log)


def _combined(sign: str, one: Ratio, other: Ratio) -> Ratio:
    if sign == "*":
        return Ratio(_product(one.top, other.top), _product(one.bottom, other.bottom))
    if sign == "/":
        return Ratio(_product(one.top, other.bottom), _product(one.bottom, other.top))
    first, second = _product(one.top, other.bottom), _product(other.top, one.bottom)
    total = dict(first)
    for key, value in second.items():
        total[key] = _added(total.get(key), value if sign == "+" else -value)
    return Ratio(total, _product(one.bottom, other.bottom))


def _added(one: Real | None, other: Real) -> Real:
    return other if one is None else one + other


def _product(one: Sum, other: Sum) -> Sum:
    if one is ONE or other is ONE:
        return other if one is ONE else one
    total: Sum = {}
    for (power, rate), first in one.items():
        for (times, speed), second in other.items():
            rates = dict(rate)
            for prime, amount in speed:
                rates[prime] = rates.get(prime, Fraction(0)) + amount
            key = (power + times, tuple(sorted((prime, amount) for prime, amount in rates.items() if amount)))
            total[key] = _added(total.get(key), first * second)
    if len(total) > MAX_TERMS:
        raise NotIsolatedError
    return total


# --- all roots of a sum ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Term:
    """coefficient * t^power * e^(speed * t); `rate` is the exact speed, up to its sign."""

    power: int
    rate: Rate
    speed: Any
    coefficient: Any


def _roots(terms: Sum) -> list[Root]:
    with precision_of(PRECISION):
        balls = [_Term(n, rate, _speed(rate), value.enclosure(PRECISION)) for (n, rate), value in terms.items()]
        right = _tail(balls)
        left = _tail([_Term(t.power, t.rate, -t.speed, t.coefficient * (-1) ** t.power) for t in balls])

        def function(t: Any) -> tuple[Any, Any]:
            value, slope = arb(0), arb(0)
            for one in balls:
                n, grown = one.power, one.coefficient * (one.speed * t).exp()
                value += grown * t**n
                slope += grown * (one.speed * t**n + (n * t ** (n - 1) if n else 0))
            return value, slope

        return isolate(function, -left, right)


def _speed(rate: Rate) -> Any:
    balls = (_ln_prime(prime).enclosure(PRECISION) * _fmpq(amount) for prime, amount in rate)
    return sum(balls, start=arb(0))


def _tail(terms: list[_Term]) -> Fraction:
    """Return a number beyond which the term that grows fastest outweighs the sum of all others."""
    top = terms[0]
    for one in terms[1:]:
        if one.power > top.power if one.rate == top.rate else one.speed > top.speed:
            top = one
    others = [one for one in terms if one is not top]
    for doublings in range(1, MAX_DOUBLINGS):
        at, total = arb(2) ** doublings, arb(0)
        for one in others:
            gap, rise = one.speed - top.speed, one.power - top.power
            # t^rise * e^(gap*t) falls from here on if gap is 0 and rise < 0, or if gap < 0 and t > rise / -gap.
            if not (rise < 0 if one.rate == top.rate else gap < 0 and at * -gap > rise):
                total = arb.pos_inf()
                break
            grown = arb(1) if one.rate == top.rate else (gap * at).exp()
            total += abs(one.coefficient / top.coefficient) * at**rise * grown
        if total < 1:
            return Fraction(2) ** doublings + Fraction(1, 3)
    raise NotIsolatedError
