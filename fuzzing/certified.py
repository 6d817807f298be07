"""Equations and printed solutions -> certified facts by interval arithmetic, with an evaluator of its own.

A solution is read from the text that a user sees. Its residual must contain 0, its decimal must be near, and where an
equation changes its sign continuously there must be a solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from fuzzing.target import require
from sau_solver.equations.expressions import (
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
from sau_solver.errors import TooLargeError
from sau_solver.solving import Outcome, Periodic, Solved, Value, decimal_of

Ball: TypeAlias = Any
PRECISION = 400
MAX_EXPONENT = 10**6  # larger powers are not evaluated
NARROW = 60  # bits in which a residual must be known, if it is to prove anything
_ROOT = re.compile(r"root\((?P<function>.*), (?P<decimal>[^,]*)\)", re.DOTALL)
_RATIONAL = re.compile(r"-?[0-9]+(?:/[0-9]+)?")


class UnclearError(Exception):
    """Interval arithmetic says nothing here."""


def ball_of(number: Fraction) -> Ball:
    """Return a rational number as a ball."""
    return arb(fmpq(number.numerator, number.denominator))


def enclosure(node: Expression, known: Mapping[str, Ball]) -> Ball:
    """Return a ball around the value of an expression; it is not finite where there may be no value."""
    match node:
        case Number(number):
            return ball_of(number)
        case Unknown(name):
            return known[name]
        case Operation("^", base, exponent):
            return _power(enclosure(base, known), exponent, known)
        case Operation(sign, left, right):
            one, other = enclosure(left, known), enclosure(right, known)
            return one / other if sign == "/" else {"+": one + other, "-": one - other, "*": one * other}[sign]
        case Function("pi", ()):
            return arb.pi()
        case Function("sin" | "cos" | "tan" as name, (angle,)):
            turned = enclosure(angle, known) * (1 if _writes_pi(angle) else arb.pi() / 180)
            return {"sin": turned.sin, "cos": turned.cos, "tan": turned.tan}[name]()
        case Function("asin" | "acos" | "atan" as name, (inner,)):
            return getattr(enclosure(inner, known), name)() * 180 / arb.pi()
        case Function("abs" | "exp" | "ln" | "log" as name, (inner,)):
            number = enclosure(inner, known)
            return {"abs": number.__abs__, "exp": number.exp, "ln": number.log, "log": number.log}[name]() / (
                arb(10).log() if name == "log" else 1
            )
    raise UnclearError


def _writes_pi(node: Expression) -> bool:
    if isinstance(node, Operation):
        return _writes_pi(node.left) or _writes_pi(node.right)
    return node == Function("pi", ())


def _power(base: Ball, exponent: Expression, known: Mapping[str, Ball]) -> Ball:
    if not base.is_finite():  # what has no value has no power, not even 1 as its power 0
        return base
    power = exponent.value if isinstance(exponent, Number) else None
    if power is None and not unknowns_of((Equation(exponent, exponent),)):
        near = enclosure(exponent, known)
        small = near.is_finite() and near.abs_upper() < MAX_EXPONENT  # FLINT writes down all digits
        whole = near.unique_fmpz() if small else None
        if whole is not None and near == arb(whole):
            power = Fraction(int(whole))
    if power is None:
        if base == 0 and enclosure(exponent, known) > 0:
            return arb(0)
        return (base.log() * enclosure(exponent, known)).exp()
    if max(abs(power.numerator), power.denominator) > MAX_EXPONENT:
        raise UnclearError
    if power.denominator == 1:
        return base ** int(power)
    if power.denominator % 2 and base < 0:
        return (-((-base).root(power.denominator))) ** power.numerator
    if base.contains(0) and base.is_finite() and power > 0:  # a root of what may be slightly below 0 is near 0
        most = arb(base.abs_upper()).root(power.denominator) ** power.numerator
        return most.union(-most if power.denominator % 2 else arb(0))
    return base.root(power.denominator) ** power.numerator


def residual(equation: Equation, known: Mapping[str, Ball]) -> Ball:
    """Return a ball around the difference of both sides."""
    return enclosure(equation.left, known) - enclosure(equation.right, known)


def value_ball(text: str) -> Ball:
    """Return a ball around a solution, from its printed text."""
    found = _ROOT.fullmatch(text)
    if _RATIONAL.fullmatch(text):  # it may have more digits than can be typed
        return ball_of(Fraction(text))
    try:
        if found is None:
            return enclosure(parse_expression(text), {})
        function = parse_expression(found["function"])
    except TooLargeError:
        raise UnclearError from None
    names = unknowns_of((Equation(function, function),))
    decimal = Fraction(found["decimal"])
    reach = abs(decimal) / 10**9 or Fraction(1, 2**1_000)
    low, high = decimal - reach, decimal + reach
    sign = _sign(function, names[0], low)
    require(sign * _sign(function, names[0], high) < 0, "root() changes its sign at its decimal", text)
    for _ in range(200):
        middle = (low + high) / 2
        at = enclosure(function, {names[0]: ball_of(middle)})
        if not (at > 0 or at < 0):
            break
        low, high = (middle, high) if (at > 0) == (sign > 0) else (low, middle)
    return ball_of(low).union(ball_of(high))


def _sign(function: Expression, name: str, at: Fraction) -> int:
    ball = enclosure(function, {name: ball_of(at)})
    if not (ball > 0 or ball < 0):
        raise UnclearError
    return 1 if ball > 0 else -1


def check_solutions(equations: Equations, solved: Solved) -> list[dict[str, Ball]]:
    """Check that every solution satisfies every equation and has the right decimal; return balls around them."""
    balls = []
    with ctx.workprec(PRECISION):
        for solution in solved.solutions:
            try:
                known = {name: value_ball(str(value)) for name, value in solution.items()}
            except UnclearError:
                continue
            for name, value in solution.items():
                _check_decimal(value, known[name])
            for equation in equations:
                _check_residual(equation, known)
            balls.append(known)
    return balls


def _check_decimal(value: Value, ball: Ball) -> None:
    decimal = decimal_of(value)
    if ball.is_finite() and ball.rel_accuracy_bits() > NARROW and abs(decimal) < 1e300:
        error = abs(ball - arb(decimal))
        require(not error > abs(ball) * 1e-9 + 1e-300, "decimal is near the value", f"{value}: {decimal}")


def _check_residual(equation: Equation, known: Mapping[str, Ball]) -> None:
    try:
        left, right = enclosure(equation.left, known), enclosure(equation.right, known)
    except UnclearError:
        return
    if left.is_finite() and right.is_finite():
        shown = {name: str(ball) for name, ball in known.items()}
        require((left - right).contains(0), "solutions satisfy their equations", f"{equation} at {shown}")


def check_sign_changes(equation: Equation, name: str, solved: Solved, points: Sequence[Fraction]) -> int:
    """Check that there is a solution wherever the equation changes its sign continuously; return how often it does."""
    if solved.outcome not in (Outcome.SOLVED, Outcome.NONE, Outcome.INFINITE):
        return 0
    found = 0
    with ctx.workprec(PRECISION):
        try:
            solutions = [value_ball(str(one[name])) for one in solved.solutions]
            families = [(value_ball(str(v.base)), value_ball(str(v.period))) for v in _periodic(solved, name)]
            if solved.outcome is Outcome.INFINITE and not families:
                return 0
            for low, high in pairwise(sorted(points)):
                if _changes(equation, name, low, high):
                    found += 1
                    between = ball_of(low).union(ball_of(high))
                    met = any(one.overlaps(between) for one in solutions) or any(
                        _has_member(base, period, low, high) for base, period in families
                    )
                    shown = [str(one[name]) for one in (*solved.solutions, *solved.families)]
                    require(met, "solved is complete", f"{equation} between {low} and {high}: {solved.outcome} {shown}")
        except UnclearError:
            return found
    return found


def _periodic(solved: Solved, name: str) -> Iterable[Periodic]:
    for family in solved.families:
        value = family.get(name)
        if not isinstance(value, Periodic):
            raise UnclearError
        yield value


def _has_member(base: Ball, period: Ball, low: Fraction, high: Fraction) -> bool:
    """Return whether base + period * k can be between two numbers for a whole k."""
    return bool((((ball_of(low).union(ball_of(high))) - base) / period).contains_integer())


def _changes(equation: Equation, name: str, low: Fraction, high: Fraction) -> bool:
    ends = [residual(equation, {name: ball_of(end)}) for end in (low, high)]
    if not ((ends[0] > 0 and ends[1] < 0) or (ends[0] < 0 and ends[1] > 0)):
        return False
    parts = 16  # a narrower ball is more often finite, which proves that the function is continuous there
    step = (high - low) / parts
    return all(
        residual(equation, {name: ball_of(low + k * step).union(ball_of(low + (k + 1) * step))}).is_finite()
        for k in range(parts)
    )
