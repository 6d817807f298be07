"""Smooth functions of one unknown -> certified enclosures of their real roots, by interval arithmetic.

Where the function excludes 0 on an interval there is no root; where its derivative excludes 0 there is at most one, and
the signs at the ends decide. Other intervals are halved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_series, ctx

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Operation, Unknown, unknowns_of
from sau_solver.solving.angles import CIRCULAR, in_radians
from sau_solver.solving.budget import MAX_BOXES, ROOT_BITS
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import TINY, NoValueError, UndecidedError, exact_ball, precision_of

Slope = Callable[[Any], tuple[Any, Any]]  # the value and the derivative on a ball


class NotIsolatedError(Exception):
    """The roots could not be separated, or the function is not smooth."""


@dataclass(frozen=True, slots=True)
class Root:
    """The only root between two numbers."""

    low: Fraction
    high: Fraction

    def overlaps(self, ball: Any) -> bool:
        """Return whether a ball can contain the root."""
        return bool(between(self.low, self.high).overlaps(ball))


def between(low: Fraction, high: Fraction) -> Any:
    """Return a ball that contains all numbers from low to high."""
    return exact_ball(low).union(exact_ball(high))


def isolate(function: Slope, low: Fraction, high: Fraction) -> list[Root]:
    """Return all roots between two numbers, in increasing order; raise NotIsolatedError if that fails."""
    with precision_of(ROOT_BITS + 80):
        pending = [(low, high)]
        found: list[Root] = []
        for _ in range(MAX_BOXES):
            if not pending:
                return [_refined(function, one) for one in sorted(found, key=lambda root: root.low)]
            left, right = pending.pop()
            value, slope = function(between(left, right))
            if _excludes_zero(value):
                continue
            if _excludes_zero(slope):
                signs = [_sign(function, end) for end in (left, right)]
                if signs[0] * signs[1] < 0:
                    found.append(Root(left, right))
                continue
            # Roots are often at simple numbers, which must not become ends.
            middle = left + (right - left) * Fraction(4_999, 10_007)
            if right - left < Fraction(1, 2**60):
                break
            pending += [(middle, right), (left, middle)]
    raise NotIsolatedError


def _excludes_zero(ball: Any) -> bool:
    return bool(ball > 0 or ball < 0)


def _sign(function: Slope, at: Fraction) -> int:
    value, _ = function(exact_ball(at))
    if not _excludes_zero(value):
        raise NotIsolatedError
    return 1 if value > 0 else -1


def _refined(function: Slope, root: Root) -> Root:
    """Return a narrower enclosure, by bisection with rounded midpoints.

    It is narrow relative to the root, even near 0, unless the precision does not suffice.
    """
    low, high = root.low, root.high
    rising = _sign(function, high) > 0
    coarse = max(abs(low), abs(high), Fraction(1, 2**60)) / 2**ROOT_BITS
    while high - low > max(abs(low), abs(high), TINY) / 2**ROOT_BITS:
        bits = max(0, (high - low).denominator.bit_length() - (high - low).numerator.bit_length()) + 8
        middle = Fraction(round((low + high) / 2 * 2**bits), 2**bits)
        value, _ = function(exact_ball(middle))
        if not _excludes_zero(value):  # at the root itself, or too close to it to tell
            step = (high - low) / 16
            ends = [end for end in (middle - step, middle + step) if low < end < high]
            try:
                signs = {end: _sign(function, end) > 0 for end in ends}
            except NotIsolatedError:
                if high - low > coarse:
                    raise
                break
            low = max([low, *(end for end in ends if signs[end] != rising)])
            high = min([high, *(end for end in ends if signs[end] == rising)])
        elif (value > 0) == rising:
            high = middle
        else:
            low = middle
    return Root(low, high)


def slope_of(node: Expression, name: str) -> Slope:
    """Return an expression as a function of its one unknown, with the derivative."""

    def function(ball: Any) -> tuple[Any, Any]:
        try:
            series = _series(node, name, arb_series([ball, 1], prec=2))
        except (NoValueError, UndecidedError):
            raise NotIsolatedError from None
        return series[0], series[1]

    return function


_UNDEFINED = arb_series([arb.nan(), arb.nan()], prec=2)


def _series(node: Expression, name: str, unknown: Any) -> Any:
    if name not in unknowns_of((Equation(node, node),)):
        return arb_series([exact_value(node, {}).enclosure(ctx.prec)], prec=2)

    def inner(part: Expression) -> Any:
        return _series(part, name, unknown)

    match node:
        case Unknown():
            return unknown
        case Operation("^", base, Number(power)) if power.denominator == 1 and 0 <= power <= 1_000:
            return inner(base) ** int(power)
        case Operation("^", base, exponent):
            return (inner(base).log() * inner(exponent)).exp()
        case Operation("+", left, right):
            return inner(left) + inner(right)
        case Operation("-", left, right):
            return inner(left) - inner(right)
        case Operation("*", left, right):
            return inner(left) * inner(right)
        case Operation("/", left, right):
            return _quotient(inner(left), inner(right))
        case Function(called, (angle,)) if called in CIRCULAR:
            turned = inner(angle) if in_radians(angle) else inner(angle) * (arb.pi() / 180)
            if called == "tan":
                return _quotient(turned.sin(), turned.cos())
            return turned.sin() if called == "sin" else turned.cos()
        case Function("exp", (argument,)):
            return inner(argument).exp()
        case Function("ln", (argument,)):
            return inner(argument).log()
        case Function("log", (argument,)):
            return inner(argument).log() / arb_series([arb(10).log()], prec=2)
    raise NotIsolatedError


def _quotient(one: Any, other: Any) -> Any:
    return one / other if _excludes_zero(other[0]) else _UNDEFINED
