"""An equation in which the unknown occurs once -> all its real solutions, by undoing one operation after the other.

atan(2*x+1)=45 becomes 2*x+1=tan(45), then 2*x=tan(45)-1, then x=(tan(45)-1)/2. Each step keeps exactly the solutions of
the equation before it, so that the list is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Operation, Unknown, unknowns_of
from sau_solver.solving.angles import radians_of
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import NoValueError

MAX_BRANCHES = 64

ZERO = Number(Fraction(0))


class NotInvertibleError(Exception):
    """The unknown occurs several times, or inside something that cannot be undone."""


def inverted(equation: Equation, name: str) -> list[Expression]:
    """Return the constants that the unknown can be; raise NotInvertibleError or UndecidedError if that fails."""
    if _has(equation.left, name) == _has(equation.right, name):
        raise NotInvertibleError
    sides = (equation.left, equation.right) if _has(equation.left, name) else (equation.right, equation.left)
    pending, found = [sides], []
    while pending:
        node, value = pending.pop()
        if not _exists(value):
            continue
        if node == Unknown(name):
            found.append(value)
        else:
            pending += _undone(node, value, name)
        if len(pending) + len(found) > MAX_BRANCHES:
            raise NotInvertibleError
    return found


def _has(node: Expression, name: str) -> bool:
    return name in unknowns_of((Equation(node, node),))


def _exists(value: Expression) -> bool:
    try:
        exact_value(value, {}).sign()
    except NoValueError:
        return False
    return True


def _sign(value: Expression) -> int:
    return exact_value(value, {}).sign()


def _undone(node: Expression, value: Expression, name: str) -> Iterator[tuple[Expression, Expression]]:
    """Yield an equation (node, value) for each way in which an operation can have this value."""
    match node:
        case Operation(sign, left, right):
            if _has(left, name) and _has(right, name):
                raise NotInvertibleError
            yield from (_first if _has(left, name) else _second)(sign, left, right, value)
        case Function("abs", (argument,)):
            yield from _signs(argument, value)
        case Function("exp", (argument,)):
            if _sign(value) > 0:
                yield argument, Function("ln", (value,))
        case Function("ln", (argument,)):
            yield argument, Function("exp", (value,))
        case Function("log", (argument,)):
            yield argument, Operation("^", Number(Fraction(10)), value)
        case Function(called, (argument,)) if called in _ANGLES:
            low, high, back = _ANGLES[called]
            if low(value) and high(value):
                yield argument, Function(back, (radians_of(value),))  # a pi in the value does not mean radians
        case _:
            raise NotInvertibleError


def _first(
    sign: str, left: Expression, right: Expression, value: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Undo an operation whose left side has the unknown."""
    match sign:
        case "+":
            yield left, Operation("-", value, right)
        case "-":
            yield left, Operation("+", value, right)
        case "*":
            yield from _factor(left, right, value)
        case "/":
            if _sign(right) != 0:
                yield left, Operation("*", value, right)
        case "^":
            yield from _base(left, right, value)


def _second(
    sign: str, left: Expression, right: Expression, value: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Undo an operation whose right side has the unknown."""
    match sign:
        case "+":
            yield right, Operation("-", value, left)
        case "-":
            yield right, Operation("-", left, value)
        case "*":
            yield from _factor(right, left, value)
        case "/":
            if _sign(left) == 0 or _sign(value) == 0:
                if _sign(left) == _sign(value):  # 0/u=0 holds for every u but 0
                    raise NotInvertibleError
                return
            yield right, Operation("/", left, value)
        case "^":
            if _sign(left) <= 0 or _sign(Operation("-", left, Number(Fraction(1)))) == 0:
                raise NotInvertibleError
            if _sign(value) > 0:
                yield right, Operation("/", Function("ln", (value,)), Function("ln", (left,)))


def _factor(inner: Expression, factor: Expression, value: Expression) -> Iterator[tuple[Expression, Expression]]:
    if _sign(factor) == 0:
        raise NotInvertibleError
    yield inner, Operation("/", value, factor)


def _base(base: Expression, exponent: Expression, value: Expression) -> Iterator[tuple[Expression, Expression]]:
    """Undo a power with a rational exponent p/q, or with an irrational one, whose base is positive."""
    power = exact_value(exponent, {}).rational
    if power is None:
        if _sign(exponent) != 0 and _sign(value) > 0:
            yield base, Operation("^", value, Operation("/", Number(Fraction(1)), exponent))
        return
    if power == 0:
        raise NotInvertibleError
    if power < 0:
        if _sign(value) == 0:
            return
        value = Operation("/", Number(Fraction(1)), value)
        power = -power
    if power.denominator % 2 == 0:  # neither the base nor the power is negative
        if _sign(value) >= 0:
            yield base, Operation("^", value, Number(1 / power))
    elif power.numerator % 2:
        yield base, Operation("^", value, Number(1 / power))
    elif _sign(value) >= 0:
        yield from _signs(base, Operation("^", value, Number(1 / power)))


def _signs(inner: Expression, value: Expression) -> Iterator[tuple[Expression, Expression]]:
    sign = _sign(value)
    if sign >= 0:
        yield inner, value
    if sign > 0:
        yield inner, Operation("-", ZERO, value)


def _bound(limit: int, times: int, strict: bool) -> Callable[[Expression], bool]:
    """Return the test whether times * value is below, or not above, a limit."""

    def test(value: Expression) -> bool:
        scaled = Operation("*", Number(Fraction(times)), value)
        sign = _sign(Operation("-", scaled, Number(Fraction(limit))))
        return sign < 0 or (sign == 0 and not strict)

    return test


# The values that inverse functions have, in degrees, and the functions that undo them.
_ANGLES: dict[str, tuple[Callable[[Expression], bool], Callable[[Expression], bool], str]] = {
    "asin": (_bound(90, -1, False), _bound(90, 1, False), "sin"),
    "acos": (_bound(0, -1, False), _bound(180, 1, False), "cos"),
    "atan": (_bound(90, -1, True), _bound(90, 1, True), "tan"),
}
