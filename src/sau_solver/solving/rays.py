"""Polynomial ways through the solutions of equations -> a proof that infinitely many points of one meet conditions.

On x = p + s, the solutions of x+y = 5 are y = 5-p-s. A condition such as x>y is a polynomial in s, so its leading
coefficient decides it for all large s. Conditions such as is_integer(x) and x%7 = 3 stay as they are at s = 0 if s is a
multiple of all denominators and moduli.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from flint import fmpq, fmpq_poly

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
from sau_solver.solving.exact_values import real_of
from sau_solver.solving.neighborhoods import effective
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import Polynomial, Ring, polynomial_text, rational_form, to_fraction
from sau_solver.solving.reals import NoValueError, UndecidedError, expect_time
from sau_solver.solving.values import Value
from sau_solver.solving.whole_numbers import is_prime

MAX_WAYS = 300
MAX_EXPONENT = 20
MAX_DEGREE = 60

Quotient: TypeAlias = tuple[Any, Any]  # two polynomials in s
Way: TypeAlias = Mapping[str, Quotient]
ONE = fmpq_poly([1])


class NoRayError(Exception):
    """An expression is not a quotient of polynomials on the way."""


def proven_on_ray(equations: Equations, conditions: Sequence[Condition], point: Mapping[str, Value]) -> bool:
    """Return whether a way near a solution is proven to have infinitely many solutions that meet the conditions."""
    try:
        known = {name: real_of(value) for name, value in point.items()}
        dependent = _solved_for(effective(equations, known), tuple(known))
    except (NoValueError, UndecidedError, NotPolynomialError, DividesByZeroError, TooHardError):
        return False
    if dependent is None:
        return False
    free = [name for name in known if name not in dependent]
    for way in _ways(free):
        expect_time()
        try:
            for name in reversed(dependent):  # each one needs only those that were solved later
                way[name] = _on(dependent[name], way)
            if all(_holds_along(equation, way) for equation in equations) and eventually(conditions, way):
                return True
        except NoRayError:
            return False
    return False


def eventually(conditions: Sequence[Condition], way: Way) -> bool:
    """Return whether infinitely many whole s are proven to meet all conditions; raise NoRayError if one cannot tell."""
    return all(_holds_eventually(condition, way) for condition in conditions)


def _ways(free: Sequence[str]) -> Iterator[dict[str, Quotient]]:
    """Yield lines in the free unknowns, from whole points in a few directions."""
    size = 12 if len(free) == 1 else 6 if len(free) == 2 else 2
    count = 0
    for start in product(range(size), repeat=len(free)):
        for moved in range(len(free)):
            for others in (0, 1, -1):
                if others and len(free) == 1:
                    continue
                for sign in (1, -1):
                    count += 1
                    if count > MAX_WAYS:
                        return
                    yield {
                        name: (fmpq_poly([at, sign if k == moved else sign * others]), ONE)
                        for k, (name, at) in enumerate(zip(free, start, strict=True))
                    }


def _solved_for(equations: Equations, names: tuple[str, ...]) -> dict[str, Expression] | None:
    """Return unknowns as polynomials in those solved later and in free ones, or None if that fails."""
    ring = Ring(names if len(names) > 1 else (*names, ""))
    pending = [rational_form(one.left, ring).numerator for one in equations]
    solved: dict[str, Expression] = {}
    while pending:
        found = next(((one, *pair) for one in pending if (pair := _unit(ring, one)) is not None), None)
        if found is None:
            return None
        polynomial, place, slope = found
        pending.remove(polynomial)
        generators = list(ring.context.gens())
        generators[place] = generators[place] - polynomial / slope
        solved[ring.unknowns[place]] = parse_expression(polynomial_text(ring, generators[place]))
        if len(polynomial) > 1 and any(int(one.degrees()[place]) > MAX_EXPONENT for one in pending):
            return None
        pending = [
            one for one in (each.compose(*generators, ctx=ring.context) for each in pending) if not one.is_zero()
        ]
    return solved


def _unit(ring: Ring, polynomial: Polynomial) -> tuple[int, Any] | None:
    """Return the place of an unknown that occurs once, alone, and its coefficient."""
    for place, degree in enumerate(polynomial.degrees()):
        if degree == 1:
            slopes = [(m, c) for m, c in polynomial.to_dict().items() if m[place]]
            if len(slopes) == 1 and sum(slopes[0][0]) == 1:
                return place, slopes[0][1]
    return None


def _on(node: Expression, way: Way) -> Quotient:
    """Return an expression as a quotient of polynomials in s; its divisors are not zero for all s."""
    match node:
        case Number(value):
            return fmpq_poly([fmpq(value.numerator, value.denominator)]), ONE
        case Unknown(name) if name in way:
            return way[name]
        case Operation("^", base, Number(power)) if power.denominator == 1 and 0 <= power <= MAX_EXPONENT:
            top, bottom = _on(base, way)
            if max(top.degree(), bottom.degree(), 1) * power > MAX_DEGREE:
                raise NoRayError
            return top ** int(power), bottom ** int(power)
        case Operation("+" | "-" | "*" | "/" as sign, left, right):
            (a, b), (c, d) = _on(left, way), _on(right, way)
            if a.degree() + b.degree() + c.degree() + d.degree() > 2 * MAX_DEGREE:
                raise NoRayError
            if sign == "/":
                if c.degree() < 0:
                    raise NoRayError
                return a * d, b * c
            return (a * c, b * d) if sign == "*" else (a * d + c * b if sign == "+" else a * d - c * b, b * d)
    raise NoRayError


def _holds_along(equation: Equation, way: Way) -> bool:
    top, _ = _on(Operation("-", equation.left, equation.right), way)
    return bool(top.degree() < 0)


def _holds_eventually(condition: Condition, way: Way) -> bool:
    """Return whether a condition holds for all large multiples s of some whole number."""
    if condition.relation == "=" and isinstance(condition.left, Function):
        return _keeps_remainder(condition.left, condition.right, way)
    if condition.relation in ("=", "!=", "<", "<=", ">", ">="):
        top, bottom = _on(Operation("-", condition.left, condition.right), way)
        sign = 0 if top.degree() < 0 else 1 if top[top.degree()] * bottom[bottom.degree()] > 0 else -1
        return {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0}.get(
            condition.relation, sign >= 0
        )
    start, moves = _start(condition.left, way)
    if start.denominator > 1:
        return False
    match condition.relation:
        case "odd" | "even":
            return start.numerator % 2 == (condition.relation == "odd")
        case "digit":
            return not moves and 0 <= start <= 9
        case "prime":
            return not moves and is_prime(start.numerator)
    return True


def _keeps_remainder(node: Function, right: Expression, way: Way) -> bool:
    match node, right:
        case Function("mod", (argument, Number(modulus))), Number(value) if modulus > 0:
            start, _ = _start(argument, way)
            return start - modulus * math.floor(start / modulus) == value
    raise NoRayError


def _start(node: Expression, way: Way) -> tuple[Fraction, bool]:
    """Return a polynomial's value at s = 0, and whether it has others.

    For the multiples s of a whole number, it differs from it by multiples of any modulus.
    """
    top, bottom = _on(node, way)
    if bottom.degree() > 0:
        raise NoRayError
    return to_fraction(fmpq(1) * top[0] / bottom[0]) if top.degree() >= 0 else Fraction(0), top.degree() > 0


def names_of(condition: Condition) -> tuple[str, ...]:
    """Return the unknowns of a condition."""
    return unknowns_of((Equation(condition.left, condition.right),))
