"""Equations and conditions -> a box outside of which no solution meets them all, by interval constraint propagation.

Each expression is evaluated from the unknowns up and then narrowed from its relation down to the unknowns (HC4,
Benhamou et al., Revising hull and box consistency, 1999). An empty interval proves that the statements contradict each
other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    walk,
)
from sau_solver.solving.angles import CIRCULAR
from sau_solver.solving.intervals import NONNEGATIVE, POSITIVE, REALS, EmptyError, Interval, exp_of, ln_of
from sau_solver.solving.reals import expect_time

Box = dict[str, Interval]
Relations = tuple[tuple[Expression, str, Expression], ...]

MAX_ROUNDS = 12
MAX_NODES = 400
_POINT_ZERO = Interval(Fraction(0), Fraction(0), False, False)
_POINT_ONE = Interval(Fraction(1), Fraction(1), False, False)
_ONE = Interval(Fraction(-1), Fraction(1), False, False)
_ALLOWED = {
    "<": Interval(-math.inf, Fraction(0), True, True), "<=": Interval(-math.inf, Fraction(0), True, False),
    ">": Interval(Fraction(0), math.inf, True, True), ">=": NONNEGATIVE, "=": _POINT_ZERO, "!=": REALS,
}  # fmt: skip
_WORDS = {"digit": Interval(Fraction(0), Fraction(9), False, False), "prime": Interval(Fraction(2), math.inf, False)}


def relations_of(equations: Iterable[Equation], conditions: Iterable[Condition]) -> Relations:
    """Return statements of a size that is worth narrowing, as two sides and a relation."""
    stated = [(one.left, "=", one.right) for one in equations]
    stated += [(one.left, one.relation, one.right) for one in conditions]
    return tuple(one for one in stated if sum(1 for side in (one[0], one[2]) for _ in walk(side)) <= MAX_NODES)


def contracted(relations: Relations, box: Mapping[str, Interval], rounds: int = MAX_ROUNDS) -> Box:
    """Return a box with all points of the given one that can meet the relations; raise EmptyError if there are none.

    Raise UndecidedError if the time is over.
    """
    narrowed = dict(box)
    for _ in range(rounds):
        before = dict(narrowed)
        for left, relation, right in relations:
            expect_time()
            if relation in _ALLOWED:
                one, other = _value(left, narrowed), _value(right, narrowed)
                if left == right and relation in ("<", ">", "!="):
                    raise EmptyError
                if relation == "!=" and one.low == one.high == other.low == other.high:
                    raise EmptyError
                allowed = _ALLOWED[relation]
                _narrow(left, one & (other + allowed), narrowed)
                _narrow(right, other & (one - allowed), narrowed)
            else:
                _narrow(left, _value(left, narrowed) & _WORDS.get(relation, REALS), narrowed)
                if relation in ("digit", "integer", "odd", "even", "prime") and isinstance(left, Unknown):
                    narrowed[left.name] = _whole(narrowed.get(left.name, REALS))
        if narrowed == before:
            break
    return narrowed


def _whole(interval: Interval) -> Interval:
    """Return the interval between the first and the last whole number."""
    low, high = interval.low, interval.high
    first = low if isinstance(low, float) else Fraction(math.floor(low) + 1 if interval.low_open else math.ceil(low))
    last = (
        high if isinstance(high, float) else Fraction(math.ceil(high) - 1 if interval.high_open else math.floor(high))
    )
    return Interval.of(first, last, isinstance(first, float), isinstance(last, float))


def _value(node: Expression, box: Mapping[str, Interval]) -> Interval:
    """Return an interval with all values of an expression on a box; raise EmptyError if it is defined nowhere."""
    match node:
        case Number(value):
            return Interval.of(value, value)
        case Unknown(name):
            return box.get(name, REALS)
        case Operation(sign, left, right):
            one = _value(left, box)
            if sign == "^":
                return _power(one, right, box)
            other = _value(right, box)
            if left == right and sign != "+":
                return one.power(2) if sign == "*" else (_POINT_ONE if sign == "/" else _POINT_ZERO)
            if sign == "+":
                return one + other
            return one - other if sign == "-" else one * other if sign == "*" else one / other
        case Function("abs", (argument,)):
            return abs(_value(argument, box))
        case Function("exp", (argument,)):
            return exp_of(_value(argument, box))
        case Function("ln", (argument,)):
            return ln_of(_value(argument, box))
        case Function("log", (argument,)):
            ln_of(_value(argument, box))  # raises EmptyError outside of the domain
        case Function(name, (argument,)):
            inner = _value(argument, box)
            if name in ("asin", "acos"):
                _ = inner & _ONE
            if name in CIRCULAR and name != "tan":
                return _ONE
            if name in ("floor", "ceiling"):
                return inner + _ONE
    return REALS


def _power(base: Interval, exponent: Expression, box: Mapping[str, Interval]) -> Interval:
    if not isinstance(exponent, Number):
        _value(exponent, box)
        positive = base.low > 0 or (base.low == 0 and base.low_open)
        return POSITIVE if positive else NONNEGATIVE if base.low >= 0 else REALS
    power = exponent.value
    if power.denominator == 1:
        return base.power(power.numerator) if abs(power) <= 1_000 else REALS
    if power.denominator > 60:
        return NONNEGATIVE if power.denominator % 2 == 0 and power > 0 else REALS
    return base.root(power.denominator).power(power.numerator)


def _narrow(node: Expression, to: Interval, box: Box) -> None:
    """Narrow the unknowns of an expression whose value is in an interval."""
    match node:
        case Unknown(name):
            box[name] = box.get(name, REALS) & to
        case Operation(sign, left, right) if sign != "^" and left != right:
            one, other = _value(left, box), _value(right, box)
            match sign:
                case "+":
                    _narrow(left, one & (to - other), box)
                    _narrow(right, other & (to - one), box)
                case "-":
                    _narrow(left, one & (to + other), box)
                    _narrow(right, other & (one - to), box)
                case "*":
                    _narrow(left, one & _factor(to, other), box)
                    _narrow(right, other & _factor(to, one), box)
                case "/":
                    _narrow(left, one & (to * other), box)
                    _narrow(right, other & _factor(one, to), box)
        case Operation("*", left, right):
            _narrow(Operation("^", left, Number(Fraction(2))), to, box)
        case Operation("^", base, Number(power)) if power.denominator == 1 and 0 < power <= 60:
            root = to.root(power.numerator)
            inside = root if power.numerator % 2 else root | -root
            _narrow(base, _value(base, box) & inside, box)
        case Operation("^", base, Number(power)) if power.denominator % 2 == 0 and power > 0 and power.denominator < 60:
            inside = (to & NONNEGATIVE).power(power.denominator)
            inside = inside.root(power.numerator) if power.numerator <= 60 else NONNEGATIVE
            _narrow(base, _value(base, box) & inside & NONNEGATIVE, box)
        case Function("abs", (argument,)):
            inside = to & NONNEGATIVE
            _narrow(argument, _value(argument, box) & (inside | -inside), box)
        case Function("ln", (argument,)):
            _narrow(argument, _value(argument, box) & exp_of(to), box)
        case Function("exp", (argument,)):
            _narrow(argument, _value(argument, box) & ln_of(to), box)


def _factor(product: Interval, other: Interval) -> Interval:
    """Return what a factor can be if the product and the other factor are in intervals."""
    if 0 in product and 0 in other:
        return REALS
    return product * other.inverse()
