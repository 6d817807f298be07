"""Arithmetic in the field Q[t]/(factor) of an irreducible factor, and polynomials over that field.

After elimination, every unknown of a system is an element of such a field. Each real root of the factor then embeds
the elements as rationals, surds or algebraic numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq_mat, fmpq_poly

from sau_solver.solving.algebraic import real_enclosures, real_roots
from sau_solver.solving.budget import MAX_BITS, is_over
from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.polynomials import to_fraction
from sau_solver.solving.values import Surd, Value

GENERATOR = fmpq_poly([0, 1])
MAX_FIELD_DEGREE = 16
MAX_ELEMENT_BITS = 8_000
MAX_ELEMENT_WORK = 512_000  # bits times the square of the degree: an inverse then takes 0.1 s


def _expect_room(element: Any) -> None:
    """Raise TooHardError if an element is too long to go on with it, or if no time is left."""
    bits = int(element.numer().height_bits())
    if bits > MAX_ELEMENT_BITS or bits * int(element.degree() + 1) ** 2 > MAX_ELEMENT_WORK:
        raise TooHardError("large_elimination")
    if is_over():
        raise TooHardError("budget")


@dataclass(frozen=True, slots=True)
class Field:
    """The field Q[t]/(modulus) of an irreducible modulus; elements are fmpq_poly of lower degree."""

    modulus: Any

    @classmethod
    def of(cls, factor: Any) -> Field:
        """Return the field of an irreducible integer polynomial."""
        if factor.degree() > MAX_FIELD_DEGREE:
            raise TooHardError("high_degree", degree=int(factor.degree()), limit=MAX_FIELD_DEGREE)
        return cls(fmpq_poly(factor.coeffs()))

    def reduce(self, element: Any) -> Any:
        """Return the representative of lowest degree."""
        return element % self.modulus

    def inverse(self, element: Any) -> Any:
        """Return 1 / element for a nonzero element."""
        _expect_room(element)
        gcd, cofactor, _ = element.xgcd(self.modulus)
        return self.reduce(cofactor / gcd[0])

    def power(self, element: Any, exponent: int) -> Any:
        """Return element^exponent for a non-negative exponent."""
        result = fmpq_poly([1])
        for _ in range(exponent):
            result = self.reduce(result * element)
            _expect_room(result)
        return result

    def embeddings(self, elements: list[Any]) -> list[list[Value]]:
        """Return the values of the elements at each real root of the modulus, in increasing order of the roots."""
        factor = self.modulus.numer()
        roots = real_roots(factor)
        if not roots:
            return []
        if self.modulus.degree() <= 2:
            return [[_at_root(element, root) for element in elements] for root in roots]
        balls = real_enclosures(factor)
        families = [self._family(element) for element in elements]
        return [
            [_choose(family, element, ball) for family, element in zip(families, elements, strict=True)]
            for ball in balls
        ]

    def _family(self, element: Any) -> list[tuple[Any, Value]]:
        """Return the real conjugates of an element (the roots of its minimal polynomial) with their enclosures."""
        if element.degree() <= 0:
            return [(arb(element[0]), to_fraction(element[0]))]
        _expect_room(element)
        degree = self.modulus.degree()
        columns = [self.reduce(element * GENERATOR**k) for k in range(degree)]
        matrix = fmpq_mat(degree, degree, [columns[j][i] for i in range(degree) for j in range(degree)])
        minimal = matrix.minpoly().numer()
        if minimal.height_bits() > MAX_BITS:
            raise TooHardError("large_solution")
        values = real_roots(minimal)
        balls = real_enclosures(minimal)
        return list(zip(balls, values, strict=True))


def _at_root(element: Any, root: Value) -> Value:
    """Return c0 + c1 * root for a rational or quadratic root."""
    constant, slope = to_fraction(element[0]), to_fraction(element[1])
    if isinstance(root, Surd):
        if not slope:
            return constant
        return Surd(constant + slope * root.rational, slope * root.factor, root.radicand)
    assert isinstance(root, Fraction)
    return constant + slope * root


def _choose(family: list[tuple[Any, Value]], element: Any, ball: Any) -> Value:
    """Return the conjugate that the element equals at this root: the only one whose enclosure overlaps."""
    if len(family) == 1:
        return family[0][1]
    point = acb(0)
    for k in range(element.degree(), -1, -1):
        point = point * ball + acb(arb(element[k]))
    overlapping = [value for enclosure, value in family if enclosure.overlaps(point.real)]
    if len(overlapping) != 1:
        raise TooHardError("close_roots")
    return overlapping[0]


def trim(coefficients: list[Any]) -> list[Any]:
    """Return a polynomial over a field (coefficients from x^0 up) without leading zeros."""
    while coefficients and coefficients[-1].is_zero():
        coefficients = coefficients[:-1]
    return coefficients


def divide(field: Field, dividend: list[Any], divisor: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the quotient and remainder of polynomials over a field."""
    inverse = field.inverse(divisor[-1])
    quotient = [fmpq_poly([0])] * max(0, len(dividend) - len(divisor) + 1)
    while len(dividend) >= len(divisor):
        shift = len(dividend) - len(divisor)
        scale = quotient[shift] = field.reduce(dividend[-1] * inverse)
        kept = dividend[:shift]
        dividend = trim(
            kept + [field.reduce(c - scale * d) for c, d in zip(dividend[shift:], divisor, strict=True)][:-1]
        )
    return quotient, dividend


def gcd(field: Field, one: list[Any], other: list[Any]) -> list[Any]:
    """Return a greatest common divisor of polynomials over a field."""
    while other:
        one, other = other, divide(field, one, other)[1]
    return one


def squarefree(field: Field, polynomial: list[Any]) -> list[Any]:
    """Return the polynomial over a field that has the same roots, each once."""
    derivative = trim([field.reduce(k * c) for k, c in enumerate(polynomial)][1:])
    repeated = gcd(field, polynomial, derivative) if derivative else []
    return divide(field, polynomial, repeated)[0] if len(repeated) > 1 else polynomial
