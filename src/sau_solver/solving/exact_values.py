"""Expressions and the values of their unknowns -> exact real numbers, whose signs are decided and never guessed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq, fmpz_poly

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Unknown
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.algebraic import real_enclosures
from sau_solver.solving.angles import CIRCULAR, in_radians
from sau_solver.solving.budget import MAX_ROOT_WORK, MAX_WHOLE
from sau_solver.solving.reals import Ball, NoValueError, Real, Separation, UndecidedError, expect_time, is_writable
from sau_solver.solving.values import Algebraic, ClosedForm, Formula, Periodic, Surd, Value

MAX_ROOT = 1_000
MAX_ORDER = 1_000_000  # of the roots of unity behind the sine of an angle
NICE = 360  # logarithms and angles that are k/360 are recognized as rational


def real_of(value: Value) -> Real:
    """Return a solution as an exact real number."""
    match value:
        case Fraction():
            return Real.of(value)
        case Surd(rational, factor, radicand):
            return Real.of(rational) + Real.of(factor) * Real.of(radicand).root(2, radicand)
        case Algebraic(polynomial, index, _):
            return _algebraic(polynomial, index)
        case ClosedForm(text, _, bounds):
            try:
                return exact_value(parse_expression(text), {})
            except (EquationError, TooLargeError, UndecidedError):
                if bounds is None:
                    raise UndecidedError from None
                low, high = (arb(fmpq(bound.numerator, bound.denominator)) for bound in bounds)
                return Real(lambda: low.union(high))
        case Periodic() | Formula():
            raise UndecidedError


def _algebraic(polynomial: tuple[int, ...], index: int) -> Real:
    factor = fmpz_poly(list(polynomial))
    degree = len(polynomial) - 1
    cache: dict[int, Ball] = {}

    def enclose() -> Ball:
        if ctx.prec not in cache:
            if ctx.prec * degree * degree > MAX_ROOT_WORK:
                raise UndecidedError
            cache[ctx.prec] = real_enclosures(factor)[index]
        return cache[ctx.prec]

    leading = abs(polynomial[-1])
    # leading * root is an algebraic integer, and Cauchy's bound holds for all conjugates of the root.
    upper = (leading + max(map(abs, polynomial))).bit_length()
    leaves = frozenset({((polynomial, index), degree)})
    return Real(enclose, Separation(upper, leading.bit_length(), leaves))


def exact_value(node: Expression, known: Mapping[str, Real]) -> Real:
    """Return the value; raise NoValueError if there is none, UndecidedError if it is beyond the limits."""
    if not isinstance(node, Number):
        expect_time()
    match node:
        case Number(value):
            return Real.of(value)
        case Unknown(name) if name in known:
            return known[name]
        case Operation("^", base, exponent):
            return _power(exact_value(base, known), exact_value(exponent, known), node)
        case Operation(sign, left, right):
            one, other = exact_value(left, known), exact_value(right, known)
            return {"+": one.__add__, "-": one.__sub__, "*": one.__mul__, "/": one.__truediv__}[sign](other)
        case Function("pi", ()):
            return Real(arb.pi)
        case Function(name, (angle,)) if name in CIRCULAR:
            return _circular(name, angle, known)
        case Function(name, arguments):
            values = [exact_value(argument, known) for argument in arguments]
            if name in _WHOLE:
                return _of_whole(name, values)
            if name in _FUNCTIONS:
                least, most, function = _FUNCTIONS[name]
                if least <= len(values) <= most:
                    return function(*values)
    raise UndecidedError


def _power(base: Real, exponent: Real, node: Expression) -> Real:
    """Return base^exponent; `node` names the root in it."""
    power = exponent.rational
    if power is None:
        sign = base.sign()
        if sign == 0 and exponent.sign() > 0:
            return Real.of(0)
        if sign <= 0:
            raise NoValueError
        return Real.of(1) if base.rational == 1 else (exponent * _ln(base)).mapped(arb.exp)
    if power == 0:  # 0^0 is 1, because x^0 is 1 for all x in polynomials
        return Real.of(1)
    if power.denominator > MAX_ROOT:
        raise UndecidedError
    if power.denominator == 1:
        return base.power(power.numerator)
    if base.rational is not None and (rational := _rational_root(base.rational, power.denominator)) is not None:
        return Real.of(rational).power(power.numerator)
    return base.root(power.denominator, (node, power.denominator)).power(power.numerator)


def _rational_root(value: Fraction, degree: int) -> Fraction | None:
    from flint import fmpz

    if value < 0 and degree % 2 == 0:
        raise NoValueError
    top, bottom = (int(fmpz(abs(part)).root(degree)) for part in (value.numerator, value.denominator))
    root = Fraction(top, bottom) * (-1 if value < 0 else 1)
    return root if root**degree == value else None


def _circular(name: str, angle: Expression, known: Mapping[str, Real]) -> Real:
    """Return a sine, cosine or tangent; those of rational degrees and of inverse functions are algebraic."""
    if isinstance(angle, Function) and angle.name in _SIDES and len(angle.arguments) == 1:
        exact_value(angle, known)  # raises NoValueError if there is no such angle
        sine, cosine = _SIDES[angle.name](exact_value(angle.arguments[0], known), angle)
        return sine if name == "sin" else cosine if name == "cos" else sine / cosine
    value = exact_value(angle, known)
    radians = in_radians(angle)
    factor = _pi_factor(angle) if radians else None
    turns = value.rational if not radians else None if factor is None else factor * 180
    if turns is not None:
        half = turns % 360 / 180  # in half turns
        if (half * 2).denominator == 1:
            quarter = int(half * 2)
            sine, cosine = Real.of((0, 1, 0, -1)[quarter]), Real.of((1, 0, -1, 0)[quarter])
        else:
            order = math.lcm(4, (half / 2).denominator)
            if order > MAX_ORDER:
                raise UndecidedError
            bound = Separation(1, 1, order=order)
            exact = fmpq(half.numerator, half.denominator)
            sine, cosine = Real(lambda: arb.sin_pi_fmpq(exact), bound), Real(lambda: arb.cos_pi_fmpq(exact), bound)
    else:
        turned = value if radians else value * Real(lambda: arb.pi() / 180)
        sine, cosine = turned.mapped(arb.sin), turned.mapped(arb.cos)
    found = sine if name == "sin" else cosine if name == "cos" else sine / cosine
    return _recognized(found, lambda simple: (found - Real.of(simple)).sign() == 0) if found.separation else found


def _root_of(value: Real, key: Expression) -> Real:
    """Return the square root, exactly if it is rational."""
    root = _rational_root(value.rational, 2) if value.rational is not None else None
    return value.root(2, ("side", key)) if root is None else Real.of(root)


def _leg(value: Real, key: Expression) -> Real:
    """Return sqrt(1 - value²)."""
    return _root_of(Real.of(1) - value * value, key)


def _of_tangent(value: Real, key: Expression) -> tuple[Real, Real]:
    """Return sine and cosine of the angle with that tangent."""
    cosine = Real.of(1) / _root_of(Real.of(1) + value * value, key)
    return value * cosine, cosine


# Sine and cosine of an inverse function.
_SIDES: dict[str, Callable[[Real, Expression], tuple[Real, Real]]] = {
    "asin": lambda value, key: (value, _leg(value, key)),
    "acos": lambda value, key: (_leg(value, key), value),
    "atan": _of_tangent,
}


def _pi_factor(node: Expression) -> Fraction | None:
    """Return the rational q of an expression that is q * pi, or None."""
    match node:
        case Function("pi", ()):
            return Fraction(1)
        case Operation("*" | "/" as sign, left, right):
            for one, other in ((left, right), (right, left)):
                factor, number = _pi_factor(one), _number(other)
                if factor is not None and number is not None and (sign == "*" or one is left):
                    if sign == "/" and number == 0:
                        raise NoValueError
                    return factor * number if sign == "*" else factor / number
        case Operation("+" | "-" as sign, left, right):
            one_factor = Fraction(0) if _number(left) == 0 else _pi_factor(left)
            other_factor = Fraction(0) if _number(right) == 0 else _pi_factor(right)
            if one_factor is not None and other_factor is not None:
                return one_factor + (other_factor if sign == "+" else -other_factor)
    return None


def _number(node: Expression) -> Fraction | None:
    try:
        return exact_value(node, {}).rational
    except (NoValueError, UndecidedError):
        return None


# --- functions -------------------------------------------------------------------------------------------------------


def _ln(value: Real) -> Real:
    if value.sign() <= 0:
        raise NoValueError
    return Real.of(0) if value.rational == 1 else value.mapped(arb.log)


def _log(value: Real, base: Real | None = None) -> Real:
    """Return the logarithm to a base, 10 unless it is given; log(1000) is exactly 3."""
    base = base or Real.of(10)
    top, bottom = _ln(value), _ln(base)
    if bottom.sign() == 0:
        raise NoValueError

    def is_power(exponent: Fraction) -> bool:
        return (_power(base, Real.of(exponent), Number(exponent)) - value).sign() == 0

    return _recognized(top / bottom, is_power) if base.rational and value.rational else top / bottom


def _recognized(number: Real, is_it: Callable[[Fraction], bool]) -> Real:
    """Return the number as a rational one if it is near one with a small denominator, and `is_it` proves that."""
    ball = number.enclosure(128) * NICE
    near = ball.unique_fmpz() if ball.is_finite() and is_writable(ball) else None
    if near is None:
        return number
    candidate = Fraction(int(near), NICE)
    try:
        return Real.of(candidate) if is_it(candidate) else number
    except (NoValueError, UndecidedError):  # atan(10^40) is near 90, which has no tangent
        return number


def _inverse(name: str, function: Callable[[Ball], Ball]) -> Callable[[Real], Real]:
    """Return an inverse circular function, in degrees; asin(1/2) is exactly 30."""

    def degrees(value: Real) -> Real:
        if name != "tan" and (abs(value) - Real.of(1)).sign() > 0:
            raise NoValueError
        if name != "tan" and (abs(value) - Real.of(1)).sign() == 0:
            quarter = 90 * value.sign()
            return Real.of(quarter if name == "sin" else 90 - quarter)
        angle = value.mapped(function) * Real(lambda: 180 / arb.pi())

        def is_angle(candidate: Fraction) -> bool:
            return (_circular(name, Number(candidate), {}) - value).sign() == 0

        return _recognized(angle, is_angle) if value.separation else angle

    return degrees


def _round(value: Real, places: Real | None = None) -> Real:
    count = 0 if places is None else places.whole()
    if count is None or abs(count) > MAX_WHOLE:
        raise UndecidedError
    scale = Real.of(Fraction(10) ** count)
    return Real.of((value * scale + Real.of(Fraction(1, 2))).floor()) / scale


def _mod(value: Real, divisor: Real) -> Real:
    return value - divisor * Real.of((value / divisor).floor())


def _of_whole(name: str, values: Sequence[Real]) -> Real:
    """Return a function of whole numbers."""
    whole = [value.whole() for value in values]
    least, most, limit, function = _WHOLE[name]
    if not least <= len(whole) <= most or any(number is None or abs(number) > limit for number in whole):
        raise UndecidedError
    if name not in ("gcd", "lcm") and any(number is None or number < 0 for number in whole):
        raise UndecidedError
    return Real.of(function(*whole))


def _exp(value: Real) -> Real:
    return Real.of(1) if value.sign() == 0 else value.mapped(arb.exp)


_LARGE = 10**4_200
_WHOLE: dict[str, tuple[int, int, int, Callable[..., int]]] = {
    "factorial": (1, 1, MAX_WHOLE, math.factorial), "comb": (2, 2, MAX_WHOLE, math.comb),
    "perm": (2, 2, MAX_WHOLE, math.perm), "gcd": (1, 20, _LARGE, math.gcd), "lcm": (1, 20, _LARGE, math.lcm),
}  # fmt: skip
_FUNCTIONS: dict[str, tuple[int, int, Callable[..., Real]]] = {
    "abs": (1, 1, abs), "ln": (1, 1, _ln), "log": (1, 2, _log), "exp": (1, 1, _exp), "mod": (2, 2, _mod),
    "round": (1, 2, _round), "floor": (1, 1, lambda value: Real.of(value.floor())),
    "ceiling": (1, 1, lambda value: Real.of(-(-value).floor())),
    "asin": (1, 1, _inverse("sin", arb.asin)), "acos": (1, 1, _inverse("cos", arb.acos)),
    "atan": (1, 1, _inverse("tan", arb.atan)),
}  # fmt: skip
