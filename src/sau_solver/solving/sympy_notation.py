"""Expressions <-> SymPy: built node by node, because SymPy's parser would evaluate the text that it reads.

Angles are in degrees in our notation unless pi is written in them (`angles`), and always in radians in SymPy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Operator, Unknown
from sau_solver.equations.parser import parse_expression
from sau_solver.solving.angles import CIRCULAR, in_radians
from sau_solver.solving.reals import UndecidedError

UNDEFINED = (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)


def build(node: Expression, symbols: dict[str, Any]) -> Any:
    """Return an expression as a SymPy expression."""
    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Unknown(name):
            return symbols[name]
        case Operation("^", base, exponent):
            return _power(build(base, symbols), build(exponent, symbols))
        case Operation(sign, left, right):
            one, other = build(left, symbols), build(right, symbols)
            return {"+": one + other, "-": one - other, "*": one * other}[sign] if sign != "/" else one / other
        case Function(name, (angle,)) if name in CIRCULAR:
            radians = build(angle, symbols) * (1 if in_radians(angle) else sympy.pi / 180)
            return getattr(sympy, name)(radians)
        case Function(name, arguments):
            return _FUNCTIONS[name](*(build(argument, symbols) for argument in arguments))


def _power(base: Any, exponent: Any) -> Any:
    """Return a power; an odd root of a negative number is real, as in our notation."""
    if base.is_zero and not exponent.is_number:
        raise NotImplementedError  # 0^x is 0 for every x > 0, which SymPy's solvers overlook
    if exponent.is_Rational and exponent.q % 2 and exponent.q > 1 and not base.is_nonnegative:
        return sympy.real_root(base, exponent.q) ** exponent.p
    return base**exponent


def _round(value: Any, places: Any = sympy.S.Zero) -> Any:
    return sympy.floor(value * 10**places + sympy.Rational(1, 2)) / 10**places


def _in_degrees(function: Any) -> Any:
    return lambda value: function(value) * 180 / sympy.pi


_FUNCTIONS: dict[str, Any] = {
    "pi": lambda: sympy.pi, "abs": sympy.Abs, "ln": sympy.log, "exp": sympy.exp,
    "log": lambda value, base=10: sympy.log(value, base),
    "asin": _in_degrees(sympy.asin), "acos": _in_degrees(sympy.acos), "atan": _in_degrees(sympy.atan),
    "comb": sympy.binomial, "perm": sympy.ff, "factorial": sympy.factorial, "floor": sympy.floor,
    "gcd": lambda *numbers: sympy.sympify(sympy.igcd(*numbers)),
    "lcm": lambda *numbers: sympy.sympify(sympy.ilcm(*numbers)),
    "ceiling": sympy.ceiling, "mod": sympy.Mod, "round": _round,
}  # fmt: skip


def expression_of(value: Any) -> Expression:
    """Return a SymPy number made of sums, products and powers as an expression; raise UndecidedError for others."""
    if value.is_Rational:
        return Number(Fraction(int(value.p), int(value.q)))
    signs: dict[Any, Operator] = {sympy.Add: "+", sympy.Mul: "*", sympy.Pow: "^"}
    if value.func not in signs:
        raise UndecidedError
    first, *others = map(expression_of, value.args)
    for other in others:
        first = Operation(signs[value.func], first, other)
    return first


class _Printer(StrPrinter):  # type: ignore[misc]
    """Prints our notation: ^ for powers, ln for logarithms, exp(1) for E, angles as `angles` reads them."""

    def _print_Exp1(self, value: Any) -> str:  # noqa: N802
        return "exp(1)"

    def _print_log(self, value: Any) -> str:
        return f"ln({self._print(value.args[0])})"

    def _print_Abs(self, value: Any) -> str:  # noqa: N802
        return f"abs({self._print(value.args[0])})"

    def _print_circular(self, value: Any) -> str:
        (angle,) = value.args
        text = self._print(angle)
        if not in_radians(parse_expression(text.replace("**", "^"))):
            text = f"pi*({text})/pi"  # without pi it would be read as degrees
        return f"{type(value).__name__}({text})"

    _print_sin = _print_cos = _print_tan = _print_circular


class _Degrees:
    """Functions that print as asin, acos and atan of our notation, which give degrees."""

    asin, acos, atan = (sympy.Function(name) for name in ("asin", "acos", "atan"))


def shown(value: Any) -> str:
    """Return a SymPy number as text in our notation."""
    for inverse in (sympy.asin, sympy.acos, sympy.atan):
        degrees = getattr(_Degrees, inverse.__name__)
        value = value.replace(inverse, lambda argument, degrees=degrees: sympy.pi * degrees(argument) / 180)
    text: str = _Printer().doprint(value)
    return text.replace("**", "^")
