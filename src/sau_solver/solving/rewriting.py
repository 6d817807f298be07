"""Expressions in letters -> equal expressions: expanded, factored, simplified, or differentiated, as text."""

from __future__ import annotations

import math
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Expression, unknowns_of
from sau_solver.solving.algebraic import MAX_HEIGHT_BITS
from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.polynomials import Polynomial, RationalForm, Ring, polynomial_text, rational_form, to_fraction

MAX_FACTORED_DEGREE = 60
MAX_FACTORED_VOLUME = 200_000  # bits of a polynomial that is factored


def expanded(expression: Expression) -> str:
    """Return the expression as a sum of powers, or as a reduced quotient of sums."""
    ring, form = _read(expression)
    return _quotient(ring, _reduced(ring, form))


def factored(expression: Expression) -> str:
    """Return the expression as a product of factors that cannot be factored further over the rationals."""
    ring, form = _read(expression)
    form = _reduced(ring, form)
    over = "" if form.denominator.is_constant() else f"/({_product(ring, form.denominator)})"
    return _product(ring, form.numerator) + over


def derivative(expression: Expression, name: str) -> str:
    """Return the derivative by one letter; the expression must be a polynomial in it."""
    ring, form = _read(expression)
    if not form.denominator.is_constant():
        raise TooHardError("no_method")
    if name not in ring.unknowns:
        return "0"
    if ring.dense:
        return polynomial_text(ring, form.numerator.derivative())
    return polynomial_text(ring, form.numerator.derivative(ring.unknowns.index(name)))


def _read(expression: Expression) -> tuple[Ring, RationalForm]:
    ring = Ring(tuple(sorted(unknowns_of((Equation(expression, expression),)))))
    return ring, rational_form(expression, ring)


def _reduced(ring: Ring, form: RationalForm) -> RationalForm:
    """Return the quotient without common factors, with whole coefficients where the denominator is not a number."""
    top, bottom = form.numerator, form.denominator
    if not bottom.is_constant():
        common = top.gcd(bottom)
        top, bottom = _exact(ring, top, common), _exact(ring, bottom, common)
    if bottom.is_constant():
        return RationalForm(top * (1 / _leading(ring, bottom)), ring.one)
    scale = 1 / _content(ring, bottom)
    bottom, top = _scaled(bottom, scale), _scaled(top, scale)
    shared = math.lcm(*(value.denominator for value in _coefficients(ring, top)))
    if shared > 1:
        top, bottom = _scaled(top, Fraction(shared)), _scaled(bottom, Fraction(shared))
    return RationalForm(top, bottom)


def _exact(ring: Ring, one: Polynomial, by: Polynomial) -> Polynomial:
    return one // by if ring.dense else divmod(one, by)[0]


def _scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return polynomial * factor.numerator / factor.denominator


def _leading(ring: Ring, polynomial: Polynomial) -> Polynomial:
    return polynomial[0] if ring.dense else polynomial.leading_coefficient()


def _coefficients(ring: Ring, polynomial: Polynomial) -> list[Fraction]:
    """Return the coefficients that are not zero, highest power first."""
    found = reversed(polynomial.coeffs()) if ring.dense else polynomial.coeffs()
    return [value for value in map(to_fraction, found) if value]


def _content(ring: Ring, polynomial: Polynomial) -> Fraction:
    """Return the number whose quotient has whole coefficients without a common divisor, and a positive first one."""
    values = _coefficients(ring, polynomial)
    size = Fraction(math.gcd(*(v.numerator for v in values)), math.lcm(*(v.denominator for v in values)))
    return -size if values[0] < 0 else size


def _quotient(ring: Ring, form: RationalForm) -> str:
    top, bottom = polynomial_text(ring, form.numerator), polynomial_text(ring, form.denominator)
    return top if bottom == "1" else f"({top})/({bottom})"


def _product(ring: Ring, polynomial: Polynomial) -> str:
    if polynomial.is_constant() or polynomial.is_zero():
        return polynomial_text(ring, polynomial)
    if ring.degree(polynomial) > MAX_FACTORED_DEGREE:
        raise TooHardError("high_degree", degree=ring.degree(polynomial), limit=MAX_FACTORED_DEGREE)
    bits = ring.height_bits(polynomial)
    if bits > MAX_HEIGHT_BITS or len(polynomial) * bits > MAX_FACTORED_VOLUME:
        raise TooHardError("large_coefficients")
    number = _content(ring, polynomial)
    primitive = _scaled(polynomial, 1 / number)
    if ring.dense:
        sign, parts = primitive.numer().factor()
        factors = [(primitive.__class__(part), int(power)) for part, power in parts]
        number *= int(sign)
    else:
        leading, parts = primitive.factor()
        number *= to_fraction(leading)
        factors = []
        for part, power in parts:
            own = _content(ring, part)
            number *= own ** int(power)
            factors.append((_scaled(part, 1 / own), int(power)))
    shown = [] if abs(number) == 1 else [str(abs(number)) if number.denominator == 1 else f"({abs(number)})"]
    for part, power in sorted(factors, key=lambda one: _order(ring, one[0])):
        text = polynomial_text(ring, part)
        alone = len(factors) == 1 and power == 1 and not shown and number > 0
        body = text if text.isalnum() or alone else f"({text})"
        shown.append(body if power == 1 else f"{body}^{power}")
    return ("-" if number < 0 else "") + "*".join(shown)


def _order(ring: Ring, factor: Polynomial) -> tuple[bool, int, str]:
    """Return the order of factors: letters first, then by degree."""
    text = polynomial_text(ring, factor)
    return not text.isalnum(), ring.degree(factor), text
