"""Expressions -> exact rational functions as pairs of python-flint polynomials, and all their divisors.

One unknown uses dense polynomials, which are several times faster; several unknowns use sparse ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpq_poly

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Unknown
from sau_solver.solving.budget import CHEAP_BITS, MAX_BITS, MAX_COEFFICIENT_BITS, Budget, spending
from sau_solver.solving.outcomes import MAX_LENGTH, DividesByZeroError, NotPolynomialError, TooHardError

# python-flint ships no type stubs: fmpq_poly for one unknown, fmpq_mpoly for several.
Polynomial: TypeAlias = Any

MAX_DEGREE = 1_000
MAX_TERMS = 1_000
MAX_PRODUCT = 20_000  # terms of a product before like terms are collected


class Ring:
    """The ring of polynomials over the rationals in the given unknowns."""

    def __init__(self, unknowns: tuple[str, ...]) -> None:
        self.unknowns = unknowns
        self.dense = len(unknowns) <= 1
        if self.dense:
            self.generators = {name: fmpq_poly([0, 1]) for name in self.unknowns}
        else:
            # Generic names, because flint keeps every context that it has made and accepts only ASCII.
            self.context = fmpq_mpoly_ctx.get([f"u{k}" for k in range(len(unknowns))], Ordering.lex)
            self.generators = dict(zip(self.unknowns, self.context.gens(), strict=True))
        self.one = self.constant(Fraction(1))

    def constant(self, value: Fraction) -> Polynomial:
        """Return the constant polynomial of that value."""
        rational = value.numerator if value.denominator == 1 else fmpq(value.numerator, value.denominator)
        return fmpq_poly([rational]) if self.dense else self.context.constant(rational)

    def value_of(self, polynomial: Polynomial) -> Fraction | None:
        """Return the value of a constant polynomial, or None for others."""
        if not polynomial.is_constant():
            return None
        if self.dense:
            return to_fraction(polynomial[0])
        return to_fraction(polynomial.leading_coefficient()) if not polynomial.is_zero() else Fraction(0)

    def product(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """Return one * other; raise TooHardError beforehand if it could be very large."""
        if not self.dense and len(one) * len(other) > MAX_PRODUCT:
            raise TooHardError("many_terms", limit=MAX_TERMS)
        return one * other

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        """Return base^exponent; raise TooHardError beforehand if it could be very large."""
        if self.degree(base) * exponent > MAX_DEGREE:
            raise TooHardError("high_degree", degree=self.degree(base) * exponent, limit=MAX_DEGREE)
        if not self.dense and comb(max(len(base), 1) + exponent - 1, exponent) > MAX_PRODUCT:
            raise TooHardError("many_terms", limit=MAX_TERMS)
        if exponent > 1 and self.power_bits(base, exponent) > MAX_COEFFICIENT_BITS:
            raise TooHardError("large_coefficients")
        return base**exponent

    def power_bits(self, base: Polynomial, exponent: int) -> int:
        """Return an upper bound of the bits of the coefficients of base^exponent: those of their sum, raised."""
        if self.dense:
            common, numerators = int(base.denom()), [abs(int(c)) for c in base.numer().coeffs()]
        else:
            coefficients = base.coeffs()
            common = _common_denominator(coefficients)
            numerators = [abs(int(c.p)) * (common // int(c.q)) for c in coefficients]
        return exponent * max((max(sum(numerators), 1) - 1).bit_length(), (common - 1).bit_length()) + 1

    def height_bits(self, polynomial: Polynomial) -> int:
        """Return the bits of the largest numerator over the common denominator, or of the denominator."""
        if self.dense:
            return max(int(polynomial.numer().height_bits()), int(polynomial.denom()).bit_length())
        coefficients = polynomial.coeffs()
        common = _common_denominator(coefficients).bit_length()
        largest = max((int(c.p).bit_length() for c in coefficients), default=0)
        return largest + common if common > 1 else largest

    def is_whole(self, polynomial: Polynomial) -> bool:
        """Return whether all coefficients are integers."""
        return polynomial.denom() == 1 if self.dense else all(c.q == 1 for c in polynomial.coeffs())

    def afford_value(self, polynomial: Polynomial, point: Sequence[Any], budget: Budget) -> None:
        """Spend what the value of a polynomial at rational numbers can take; raise TooHardError if that is too much."""
        longest = max((int(number.height_bits()) for number in point), default=0)
        bits = self.height_bits(polynomial) + max(self.degree(polynomial), 0) * longest
        budget.spend(bits if self.dense else bits * max(len(polynomial), 1))

    def degree(self, polynomial: Polynomial) -> int:
        """Return the total degree; flint gives -1 for zero."""
        return int(polynomial.degree() if self.dense else polynomial.total_degree())


def _common_denominator(coefficients: Sequence[Any]) -> int:
    """Return the common denominator; raise TooHardError if it is very long."""
    common = 1
    for coefficient in coefficients:
        if coefficient.q != 1:
            common = lcm(common, int(coefficient.q))
            if common.bit_length() > MAX_COEFFICIENT_BITS:
                raise TooHardError("large_coefficients")
    return common


@dataclass(slots=True)
class RationalForm:
    """A rational function: numerator / denominator; `bits` is an upper bound of those of their coefficients."""

    numerator: Polynomial
    denominator: Polynomial
    bits: int = 0


def to_fraction(value: Any) -> Fraction:
    """Return a flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def polynomial_text(ring: Ring, polynomial: Polynomial) -> str:
    """Return a polynomial in the notation of our equations, highest power first; raise TooHardError if it is long."""
    if ring.dense:
        coefficients = polynomial.coeffs()
        terms = [((k,), coefficients[k]) for k in range(len(coefficients) - 1, -1, -1)]
    else:
        terms = list(polynomial.terms())
    shown = []
    length = 0
    for powers, coefficient in terms:
        value = to_fraction(coefficient)
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS or length > MAX_LENGTH:
            raise TooHardError("large_coefficients")
        letters = [
            name if power == 1 else f"{name}^{power}"
            for name, power in zip(ring.unknowns, powers, strict=False)
            if power
        ]
        if value:
            size = abs(value)
            number = [] if size == 1 and letters else [f"({size})" if size.denominator > 1 else f"{size}"]
            shown.append(("-" if value < 0 else "+") + "*".join(number + letters))
            length += len(shown[-1])
    return "".join(shown).removeprefix("+") or "0"


def clear_denominators(
    equations: tuple[Equation, ...], ring: Ring, budget: Budget | None = None
) -> tuple[list[Polynomial], list[Polynomial]]:
    """Return the polynomials that must vanish and the divisors that must not."""
    reader = _Reader(ring, budget or Budget())
    vanishing = []
    for equation in equations:
        left, right = reader.read(equation.left), reader.read(equation.right)
        vanishing.append(reader.add(left, right, -1).numerator)
    return vanishing, reader.divisors


def rational_form(expression: Expression, ring: Ring) -> RationalForm:
    """Return an expression as a quotient of polynomials; raise NotPolynomialError if it is not one."""
    with spending() as budget:
        return _Reader(ring, budget).read(expression)


class _Reader:
    def __init__(self, ring: Ring, budget: Budget) -> None:
        self.ring = ring
        self.budget = budget
        self.divisors: list[Polynomial] = []

    def read(self, node: Expression) -> RationalForm:
        if isinstance(node, Number):
            bits = max(node.value.numerator.bit_length(), node.value.denominator.bit_length())
            return RationalForm(self.ring.constant(node.value), self.ring.one, bits)
        if isinstance(node, Unknown):
            return RationalForm(self.ring.generators[node.name], self.ring.one, 1)
        if isinstance(node, Function):
            raise NotPolynomialError
        one, other = self.read(node.left), self.read(node.right)
        operator = node.operator
        if operator == "+":
            return self.add(one, other, 1)
        if operator == "-":
            return self.add(one, other, -1)
        if operator == "*":
            return self.multiply(one, other)
        return self.divide(one, other) if operator == "/" else self.power(one, other)

    def add(self, one: RationalForm, other: RationalForm, sign: int) -> RationalForm:
        first, second, denominator = one.numerator, other.numerator, one.denominator
        bits = self.sum_bits(one, other)
        if denominator is other.denominator:
            self.afford(bits, max(len(first), len(second)))
            return self.small(first + second if sign > 0 else first - second, denominator, bits)
        if denominator != other.denominator:
            first, second = (
                self.product(first, other.denominator, one, other),
                self.product(second, denominator, one, other),
            )
            denominator = self.product(denominator, other.denominator, one, other)
            bits = 2 * (one.bits + other.bits + 1)
        self.afford(bits, max(len(first), len(second)))
        return self.small(first + second if sign > 0 else first - second, denominator, bits)

    def multiply(self, one: RationalForm, other: RationalForm) -> RationalForm:
        denominator = one.denominator
        if other.denominator is not self.ring.one:
            denominator = self.product(denominator, other.denominator, one, other)
        numerator = self.product(one.numerator, other.numerator, one, other)
        return self.small(numerator, denominator, one.bits + other.bits + len(one.numerator).bit_length())

    def divide(self, one: RationalForm, other: RationalForm) -> RationalForm:
        divisor = other.numerator
        if divisor.is_zero():
            raise DividesByZeroError
        if divisor.is_constant():  # multiply by the inverse of a number at once
            numerator = self.product(one.numerator, other.denominator, one, other)
            inverse = 1 / (divisor[0] if self.ring.dense else divisor.leading_coefficient())
            self.afford(one.bits + 2 * other.bits, len(numerator))
            return self.small(numerator * inverse, one.denominator, one.bits + 2 * other.bits)
        self.divisors.append(divisor)
        return self.multiply(one, RationalForm(other.denominator, divisor, other.bits))

    def power(self, base: RationalForm, exponent: RationalForm) -> RationalForm:
        if not (exponent.numerator.is_constant() and exponent.denominator.is_constant()):
            raise NotPolynomialError
        value = self.ring.value_of(exponent.numerator) or Fraction(0)  # denominators are 1 here
        constant = self.ring.value_of(base.numerator) if base.denominator.is_constant() else None
        if constant is not None:
            number = power_of_number(constant, value)
            bits = max(number.numerator.bit_length(), number.denominator.bit_length())
            return RationalForm(self.ring.constant(number), self.ring.one, bits)
        if value.denominator != 1:
            raise NotPolynomialError
        if value < 0:
            base = self.divide(RationalForm(self.ring.one, self.ring.one, 1), base)
        size = abs(value.numerator)
        raised, bits = [], base.bits
        for polynomial in (base.numerator, base.denominator):
            if size * self.ring.degree(polynomial) <= MAX_DEGREE:  # otherwise ring.power refuses
                bits = max(bits, self.ring.power_bits(polynomial, size))
                self.afford(bits, size * max(1, len(polynomial) - 1) + 1)
            raised.append(self.ring.power(polynomial, size))
        return self.small(raised[0], raised[1], bits)

    def product(self, first: Polynomial, second: Polynomial, *forms: RationalForm) -> Polynomial:
        """Return a product of parts of the forms, if the budget allows it."""
        if first is self.ring.one:
            return second
        if second is self.ring.one:
            return first
        terms = len(first) + len(second) if self.ring.dense else min(len(first) * len(second), 4 * MAX_TERMS)
        self.afford(sum(form.bits for form in forms) + min(len(first), len(second)).bit_length(), terms, *forms)
        return self.ring.product(first, second)

    def afford(self, bits: int, terms: int, *forms: RationalForm) -> None:
        """Spend a polynomial of that size; a bound that is too large is made precise first."""
        if bits > CHEAP_BITS and forms:
            self.count(*forms)
            bits = sum(form.bits for form in forms) + terms.bit_length()
        if bits > MAX_COEFFICIENT_BITS:
            raise TooHardError("large_coefficients")
        self.budget.spend(bits * terms)

    def count(self, *forms: RationalForm) -> None:
        """Make the bounds of the bits precise."""
        for form in forms:
            if form.bits > CHEAP_BITS // 2:
                form.bits = max(1, self.ring.height_bits(form.numerator), self.ring.height_bits(form.denominator))

    def sum_bits(self, one: RationalForm, other: RationalForm) -> int:
        """Return a bound of the bits of a sum of numerators."""
        if one.bits + other.bits < CHEAP_BITS:
            return one.bits + other.bits + 1
        self.count(one, other)
        whole = self.ring.is_whole(one.numerator) and self.ring.is_whole(other.numerator)
        return max(one.bits, other.bits) + 1 if whole else one.bits + other.bits + 1

    def small(self, numerator: Polynomial, denominator: Polynomial, bits: int) -> RationalForm:
        """Return the form; raise TooHardError if it has grown beyond the limits."""
        if not self.ring.dense and len(numerator) > MAX_TERMS:
            raise TooHardError("many_terms", limit=MAX_TERMS)
        degree = self.ring.degree(numerator)
        if denominator is not self.ring.one:
            degree = max(degree, self.ring.degree(denominator))
        if degree > MAX_DEGREE:
            raise TooHardError("high_degree", degree=degree, limit=MAX_DEGREE)
        if bits > CHEAP_BITS:
            bits = max(1, self.ring.height_bits(numerator), self.ring.height_bits(denominator))
        return RationalForm(numerator, denominator, bits)


def power_of_number(base: Fraction, exponent: Fraction) -> Fraction:
    """Return base^exponent if it is rational and not too large."""
    if exponent.denominator != 1:
        base, exponent = _rational_root(base, exponent.denominator), Fraction(exponent.numerator)
    if base == 0 and exponent < 0:
        raise DividesByZeroError
    if exponent == 0:
        return Fraction(1)  # also 0^0, because x^0 is 1 for all x in polynomials
    if base in (0, 1, -1):
        return base if base != -1 or exponent % 2 else Fraction(1)
    size = abs(exponent)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size * bits > MAX_BITS:
        raise TooHardError("large_power")
    return Fraction(base ** int(exponent))


def _rational_root(base: Fraction, degree: int) -> Fraction:
    """Return the real root if it is rational; raise NotPolynomialError otherwise."""
    if base < 0 or degree > 1_000:
        raise NotPolynomialError
    from flint import fmpz

    numerator, denominator = fmpz(base.numerator).root(degree), fmpz(base.denominator).root(degree)
    root = Fraction(int(numerator), int(denominator))
    if root**degree != base:
        raise NotPolynomialError
    return root
