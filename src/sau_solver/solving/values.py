"""Exact values: rationals, quadratic surds, real algebraic numbers, closed forms found by SymPy, and formulas.

Each prints as exact text ("3/4", "(1+sqrt(5))/2", "2^(1/3)") and is rounded to a float only for display.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

MAX_PRINTED_BITS = 14_000


@dataclass(frozen=True, slots=True)
class Surd:
    """The number rational + factor * sqrt(radicand), with a radicand above 1 without square factors."""

    rational: Fraction
    factor: Fraction
    radicand: int

    def __str__(self) -> str:
        denominator = math.lcm(self.rational.denominator, self.factor.denominator)
        whole = int(self.rational * denominator)
        times = int(self.factor * denominator)
        root = f"sqrt({self.radicand})" if abs(times) == 1 else f"{abs(times)}*sqrt({self.radicand})"
        sign = "-" if times < 0 else "+" if whole else ""
        numerator = f"{whole or ''}{sign}{root}"
        if denominator == 1:
            return numerator
        return f"({numerator})/{denominator}" if whole else f"{numerator}/{denominator}"

    def __float__(self) -> float:
        return float(self.rounded())

    def rounded(self) -> Fraction:
        """Return a number that agrees with it in more bits than a float has, however large or small its parts are."""
        square = self.factor**2 * self.radicand
        product = square.numerator * square.denominator
        shift = max(0, 80 - product.bit_length() // 2)
        root = Fraction(math.isqrt(product << 2 * shift), square.denominator << shift)
        root = root if self.factor > 0 else -root
        # Conjugates avoid the cancellation of nearly equal terms: a + b√d = (a² - b²d) / (a - b√d).
        if self.rational * root >= 0:
            return self.rational + root
        return (self.rational**2 - square) / (self.rational - root)


@dataclass(frozen=True, slots=True)
class Algebraic:
    """The real root with that index, from the smallest, of an irreducible polynomial (coefficients from x^0 up)."""

    polynomial: tuple[int, ...]
    index: int
    decimal: float = field(compare=False)

    def __str__(self) -> str:
        if not any(self.polynomial[1:-1]):  # a x^n + b: a plain root
            degree = len(self.polynomial) - 1
            radicand = abs(Fraction(-self.polynomial[0], self.polynomial[-1]))
            shown = f"({radicand})" if radicand.denominator > 1 else f"{radicand}"
            return f"{'-' if self.decimal < 0 else ''}{shown}^(1/{degree})"
        return f"root({_polynomial_text(self.polynomial)}, {self.decimal:.10g})"

    def __float__(self) -> float:
        return self.decimal


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A value that SymPy found and that was verified, as text in our notation.

    `bounds` enclose it, so that conditions can be decided on a root without an expression: root(2^x-x^2, -0.77).
    """

    text: str
    decimal: float = field(compare=False)
    bounds: tuple[Fraction, Fraction] | None = field(default=None, compare=False)

    @classmethod
    def between(cls, text: str, low: Fraction, high: Fraction) -> ClosedForm:
        """Return the number that a text names and that is known to be between two others."""
        return cls(text, decimal_of((low + high) / 2), (low, high))

    @classmethod
    def from_json(cls, shown: Mapping[str, Any]) -> ClosedForm:
        """Return the number of its JSON."""
        low, high = (Fraction(*(int(part, 16) for part in bound.split("/"))) for bound in shown["bounds"])
        return cls.between(shown["exact"], low, high)

    def as_json(self) -> dict[str, Any]:
        """Return the number as JSON; its bounds are hexadecimal, because Python refuses to read long decimals."""
        bounds = [f"{bound.numerator:x}/{bound.denominator:x}" for bound in self.bounds or ()]
        return {"exact": self.text, "rational": False, "bounds": bounds}

    def __str__(self) -> str:
        return self.text

    def __float__(self) -> float:
        return self.decimal


@dataclass(frozen=True, slots=True)
class Formula:
    """An answer that is not a number: an expression in letters such as (x-2)*(x-3), a ratio 2:3, yes or no."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __float__(self) -> float:
        return math.nan


@dataclass(frozen=True, slots=True)
class Periodic:
    """The numbers base + period * k for all integers k, such as 30+360*k."""

    base: Fraction | ClosedForm
    period: Fraction | ClosedForm

    def __str__(self) -> str:
        period = str(self.period)
        shown = period if period.isalnum() else f"({period})"
        return f"{shown}*k" if self.base == 0 else f"{self.base}+{shown}*k"

    def __float__(self) -> float:
        return math.nan


Value = Fraction | Surd | Algebraic | ClosedForm | Periodic | Formula


def decimal_of(value: Value) -> float:
    """Return the nearest float; infinity if the value is beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        size = value.rounded() if isinstance(value, Surd) else value
        return math.inf if isinstance(size, Fraction) and size > 0 else -math.inf


def about(value: Value, digits: int = 6) -> str:
    """Return a value rounded to so many digits, for display; "" if it is too large to be rounded."""
    decimal = decimal_of(value)
    if math.isfinite(decimal) and decimal:
        return f"{decimal:.{digits}g}"
    width = Fraction(0)
    match value:  # no float can hold it
        case ClosedForm(_, _, (low, high)):
            middle, width = (low + high) / 2, high - low
        case Surd():
            middle = value.rounded()
        case Fraction():
            middle = value
        case _:
            middle = Fraction(0)
    if width >= abs(middle) / 10**digits:  # its digits are not known
        return "" if decimal else "0"
    with localcontext(prec=digits):
        return f"{Decimal(middle.numerator) / Decimal(middle.denominator):.{digits}g}"


def decimals(values: Iterable[Value]) -> list[float | None]:
    """Return each value as a float, or None if it is too large for one, since JSON has no infinity."""
    found = [decimal_of(value) for value in values]
    return [value if math.isfinite(value) else None for value in found]


def is_printable(value: Value) -> bool:
    """Return whether a value has few enough digits to be printed; Python refuses integers beyond 4,300."""
    match value:
        case Fraction():
            bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        case Surd(rational, factor, radicand):  # both parts are printed over their common denominator
            parts = (rational, factor)
            bits = max(
                sum(max(one.numerator.bit_length(), one.denominator.bit_length()) for one in parts),
                radicand.bit_length(),
            )
        case Algebraic(polynomial, _, _):
            bits = max(coefficient.bit_length() for coefficient in polynomial)
        case _:
            return True
    return bits <= MAX_PRINTED_BITS


def close(one: Value | Fraction, other: Value | Fraction, relative: float = 1e-4) -> bool:
    """Return whether two values are equal, exactly or within the relative tolerance."""
    if one == other:
        return True
    first, second = decimal_of(one), decimal_of(other)
    return math.isfinite(first) and abs(first - second) <= relative * max(abs(first), abs(second))


def _polynomial_text(coefficients: tuple[int, ...]) -> str:
    terms = []
    for power in range(len(coefficients) - 1, -1, -1):
        coefficient = coefficients[power]
        if coefficient:
            letter = "" if power == 0 else "x" if power == 1 else f"x^{power}"
            size = abs(coefficient)
            body = letter if letter and size == 1 else f"{size}*{letter}" if letter else f"{size}"
            terms.append(("-" if coefficient < 0 else "+") + body)
    return "".join(terms).removeprefix("+")
