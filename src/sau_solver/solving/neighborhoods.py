"""A solution of equations -> a proof that infinitely many solutions near it meet the same conditions.

Where the gradients of m equations in more than m unknowns are linearly independent, the solutions near a point form a
curve or more (implicit function theorem). Conditions that hold on a whole box around the point hold on that curve. All
values and gradients are balls (python-flint), so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    unknowns_of,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.angles import CIRCULAR, in_radians
from sau_solver.solving.conditions import meets
from sau_solver.solving.exact_values import exact_value, real_of
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import Polynomial, Ring, polynomial_text, rational_form
from sau_solver.solving.reals import Ball, NoValueError, Real, UndecidedError, exact_ball, precision_of
from sau_solver.solving.values import Value

PRECISION = 320
RADII = (Fraction(1, 2**20), Fraction(1, 2**80))  # of the boxes that are tried
MAX_FACTORED_TERMS = 100
MAX_FACTORED_DEGREE = 12
MAX_BITS = 600

Gradient: TypeAlias = tuple[Ball, list[Ball]]  # the value and its derivatives
Place: TypeAlias = Mapping[str, Ball]


class NotSmoothError(Exception):
    """An expression is not known to have continuous derivatives on the box."""


def proven_around(
    equations: Equations, conditions: Sequence[Condition], point: Mapping[str, Value], identities: bool
) -> bool:
    """Return whether infinitely many solutions next to one are proven to meet the conditions.

    `identities` says that the equations hold wherever they are defined.
    """
    try:
        known = {name: real_of(value) for name, value in point.items()}
        near = () if identities else effective(equations, known)
        names = tuple(known)
        if len(near) >= len(names):
            return False
        with precision_of(PRECISION):
            at = {name: real.enclosure(PRECISION) for name, real in known.items()}
            rows = [_Slopes(names, at).of(Operation("-", one.left, one.right))[1] for one in near]
            if not _independent(rows):
                return False
            fixed = _constant_near(near, names, rows)
            moving = [one for one in conditions if not set(_names_of(one)) <= fixed]
            if not all(meets(point, one) for one in conditions if one not in moving):
                return False
            for radius in RADII:
                box = {name: ball + arb(0, exact_ball(radius)) for name, ball in at.items()}
                if _holds_on(box, equations, moving):
                    return True
    except (NoValueError, UndecidedError, NotSmoothError, TooHardError):
        return False
    return False


def _holds_on(box: Place, equations: Equations, conditions: Sequence[Condition]) -> bool:
    """Return whether the equations are defined and the conditions hold on a whole box."""
    slopes = _Slopes((), box)
    try:
        for equation in equations:
            slopes.of(equation.left)
            slopes.of(equation.right)
        for condition in conditions:
            ball, _ = slopes.of(Operation("-", condition.left, condition.right))
            match condition.relation:
                case "<" | "<=":
                    holds = bool(ball < 0)
                case ">" | ">=":
                    holds = bool(ball > 0)
                case "!=":
                    holds = bool(ball < 0 or ball > 0)
                case _:
                    holds = False
            if not holds:
                return False
    except NotSmoothError:
        return False
    return True


def _independent(rows: list[list[Ball]]) -> bool:
    """Return whether the rows are proven to be linearly independent."""
    pending = [list(row) for row in rows]
    while pending:
        places = ((r, c, ball) for r, row in enumerate(pending) for c, ball in enumerate(row))
        pivots = [(float(abs(ball).lower()), r, c) for r, c, ball in places if _nonzero(ball)]
        if not pivots:
            return False
        _, r, c = max(pivots)
        pivot = pending.pop(r)
        pending = [[a - row[c] / pivot[c] * b for a, b in zip(row, pivot, strict=True)] for row in pending]
    return True


def _constant_near(near: Equations, names: Sequence[str], rows: list[list[Ball]]) -> set[str]:
    """Return the unknowns that an equation determines near the point, perhaps with others that are determined."""
    fixed: set[str] = set()
    while True:
        found = {
            name
            for equation, row in zip(near, rows, strict=True)
            for name, slope in zip(names, row, strict=True)
            if set(unknowns_of((equation,))) - fixed == {name} and _nonzero(slope)
        }
        if not found:
            return fixed
        fixed |= found


def _names_of(condition: Condition) -> tuple[str, ...]:
    return unknowns_of((Equation(condition.left, condition.right),))


def _power(ball: Ball, exponent: int) -> Ball:
    """Return a whole power; FLINT's own is not a number on a ball that contains 0."""
    if exponent < 0:
        return 1 / _power(ball, -exponent)
    half = _power(ball, exponent // 2) if exponent > 1 else arb(1)
    return half * half * ball if exponent % 2 else half * half


def _nonzero(ball: Ball) -> bool:
    return bool(ball > 0 or ball < 0)


# --- equations near a point ------------------------------------------------------------------------------------------


def effective(equations: Equations, known: Mapping[str, Real]) -> Equations:
    """Return equations with the same solutions near a point, without those that hold everywhere there.

    Absolute values lose their bars, factors that are not zero at the point are dropped, powers become simple, and
    linear equations are made independent.
    """
    ring = Ring((*known, "")) if len(known) == 1 else Ring(tuple(known))  # always with several unknowns
    polynomials: list[Polynomial] = []
    others: list[Equation] = []
    for equation in equations:
        plain = Equation(_without_bars(equation.left, known), _without_bars(equation.right, known))
        if plain.left == plain.right:
            continue
        try:
            numerator = rational_form(Operation("-", plain.left, plain.right), ring).numerator
        except (NotPolynomialError, DividesByZeroError):
            others.append(plain)
            continue
        if not numerator.is_zero():
            polynomials.append(numerator)
    return (*_as_equations(ring, _reduced(ring, polynomials, known)), *others)


def _reduced(ring: Ring, polynomials: list[Polynomial], known: Mapping[str, Real]) -> list[Polynomial]:
    """Return polynomials that vanish at a point and near it where the given ones do, put into one another."""
    done: list[Polynomial] = []
    pending = list(polynomials)
    while pending:
        pending = [one for one in (_vanishing_part(ring, each, known) for each in pending) if not one.is_zero()]
        linear = next((one for one in pending if int(one.total_degree()) == 1), None)
        if linear is None:
            break
        pending.remove(linear)
        place = next(k for k, degree in enumerate(linear.degrees()) if degree == 1)
        slope = next(c for m, c in linear.to_dict().items() if m[place])
        generators = list(ring.context.gens())
        generators[place] = generators[place] - linear / slope
        pending = [one.compose(*generators, ctx=ring.context) for one in pending]
        done.append(linear)
    unique: list[Polynomial] = []
    for one in pending:
        if one not in unique:
            unique.append(one)
    return done + unique


def _vanishing_part(ring: Ring, polynomial: Polynomial, known: Mapping[str, Real]) -> Polynomial:
    """Return the product of the different factors that are zero at a point."""
    if polynomial.is_zero() or len(polynomial) > MAX_FACTORED_TERMS or ring.height_bits(polynomial) > MAX_BITS:
        return polynomial
    if int(polynomial.total_degree()) > MAX_FACTORED_DEGREE:
        return polynomial
    product = ring.one
    for factor, _ in polynomial.factor()[1]:
        text = polynomial_text(ring, factor)
        try:
            if exact_value(parse_expression(text), known).sign() == 0:
                product = product * factor / factor.leading_coefficient()
        except (EquationError, TooLargeError):
            raise UndecidedError from None
    return product


def _as_equations(ring: Ring, polynomials: Sequence[Polynomial]) -> Equations:
    zero = Number(Fraction(0))
    return tuple(Equation(parse_expression(polynomial_text(ring, one)), zero) for one in polynomials)


def _without_bars(node: Expression, known: Mapping[str, Real]) -> Expression:
    """Return an expression that is equal near the point; absolute values of 0 and roots of squares of 0 stay."""
    match node:
        case Operation("^", Operation("^", base, Number(square)), Number(root)) if square == 2 and 2 * root == 1:
            return _without_bars(Function("abs", (base,)), known)
        case Operation(sign, left, right):
            return Operation(sign, _without_bars(left, known), _without_bars(right, known))
        case Function("abs", (argument,)):
            inner = _without_bars(argument, known)
            sign_there = exact_value(argument, known).sign()
            if sign_there == 0:
                return Function("abs", (inner,))
            return inner if sign_there > 0 else Operation("-", Number(Fraction(0)), inner)
        case Function(name, arguments):
            return Function(name, tuple(_without_bars(one, known) for one in arguments))
    return node


# --- values and derivatives on a box ---------------------------------------------------------------------------------


class _Slopes:
    """Expressions as balls that contain their values and derivatives on a box; NotSmoothError where they are not C1."""

    def __init__(self, names: Sequence[str], box: Place) -> None:
        self.names, self.box = names, box

    def of(self, node: Expression) -> Gradient:
        """Return the value of an expression and its derivative by each of the names."""
        value, slopes = self._read(node)
        if not value.is_finite() or not all(one.is_finite() for one in slopes):
            raise NotSmoothError
        return value, slopes

    def _read(self, node: Expression) -> Gradient:
        if not unknowns_of((Equation(node, node),)):
            return exact_value(node, {}).enclosure(PRECISION), [arb(0)] * len(self.names)
        match node:
            case Unknown(name) if name in self.box:
                return self.box[name], [arb(int(name == one)) for one in self.names]
            case Operation("^", base, Number(power)) if power.denominator == 1 and abs(power) <= 1_000:
                value, slopes = self.of(base)
                n = power.numerator
                if n < 0 and not _nonzero(value):
                    raise NotSmoothError
                return self._chain(_power(value, n), n * _power(value, n - 1) if n else arb(0), slopes)
            case Operation("^", base, exponent):
                value, slopes = self.of(base)
                if not value > 0:
                    raise NotSmoothError
                product = self._times((value.log(), [one / value for one in slopes]), self.of(exponent))
                return self._chain(product[0].exp(), product[0].exp(), product[1])
            case Operation("+" | "-" as sign, left, right):
                one, other = self.of(left), self.of(right)
                factor = 1 if sign == "+" else -1
                return one[0] + factor * other[0], [a + factor * b for a, b in zip(one[1], other[1], strict=True)]
            case Operation("*", left, right):
                return self._times(self.of(left), self.of(right))
            case Operation("/", left, right):
                value, slopes = self.of(right)
                if not _nonzero(value):
                    raise NotSmoothError
                return self._times(self.of(left), self._chain(1 / value, -1 / value**2, slopes))
            case Function(name, (argument,)):
                return self._function(name, argument)
        raise NotSmoothError

    def _function(self, name: str, argument: Expression) -> Gradient:
        value, slopes = self.of(argument)
        match name:
            case "abs" if _nonzero(value):
                return self._chain(abs(value), arb(1 if value > 0 else -1), slopes)
            case "exp":
                return self._chain(value.exp(), value.exp(), slopes)
            case "ln" if value > 0:
                return self._chain(value.log(), 1 / value, slopes)
            case "log" if value > 0:
                return self._chain(value.log() / arb(10).log(), 1 / value / arb(10).log(), slopes)
        if name in CIRCULAR:
            scale = arb(1) if in_radians(argument) else arb.pi() / 180
            sine, cosine = (value * scale).sin(), (value * scale).cos()
            if name != "tan":
                return self._chain(*((sine, cosine * scale) if name == "sin" else (cosine, -sine * scale)), slopes)
            if _nonzero(cosine):
                return self._chain(sine / cosine, scale / cosine**2, slopes)
        raise NotSmoothError

    @staticmethod
    def _chain(value: Ball, outer: Ball, slopes: list[Ball]) -> Gradient:
        return value, [outer * one for one in slopes]

    @staticmethod
    def _times(one: Gradient, other: Gradient) -> Gradient:
        return one[0] * other[0], [a * other[0] + one[0] * b for a, b in zip(one[1], other[1], strict=True)]
