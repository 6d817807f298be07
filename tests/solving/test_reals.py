"""Exact real numbers: their signs agree with high precision, and zeros that do not look like zeros are found."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from sau_solver.equations.expressions import Expression, Function, Number, Operation
from sau_solver.equations.parser import parse_expression
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import NoValueError, UndecidedError

numbers = st.builds(lambda p, q: Number(Fraction(p, q)), st.integers(-9, 9), st.integers(1, 4))
angles = st.builds(
    lambda name, angle: Function(name, (Number(Fraction(angle, 2)),)),
    st.sampled_from(["sin", "cos", "tan"]),
    st.integers(-400, 400),
)


def grown(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    roots = st.builds(lambda base, q: Operation("^", base, Number(Fraction(1, q))), inner, st.sampled_from([2, 3]))
    pairs = st.builds(Operation, st.sampled_from(["+", "-", "*", "/"]), inner, inner)
    return pairs | roots | st.builds(lambda one: Function("abs", (one,)), inner)


expressions = st.recursive(numbers | angles, grown, max_leaves=5)


def rounded(node: Expression) -> mpmath.mpf:
    """Return the value; what is smaller than its rounding errors is 0, before a root makes it larger."""
    value = unsnapped(node)
    return mpmath.mpf(0) if abs(value) < mpmath.mpf(10) ** -150 else value


def unsnapped(node: Expression) -> mpmath.mpf:
    match node:
        case Number(value):
            return mpmath.mpf(value.numerator) / value.denominator
        case Function("abs", (one,)):
            return abs(rounded(one))
        case Function(name, (Number(angle),)):
            return getattr(mpmath, name)(mpmath.pi * angle.numerator / angle.denominator / 180)
        case Operation("^", base, Number(power)):
            value = rounded(base)
            root = mpmath.root(abs(value), power.denominator)
            return -root if value < 0 else root
        case Operation(sign, left, right):
            one, other = rounded(left), rounded(right)
            return {"+": one + other, "-": one - other, "*": one * other}[sign] if sign != "/" else one / other
    raise AssertionError(node)


@given(expressions)
@settings(max_examples=300, deadline=None)
def test_signs_agree_with_two_hundred_digits(node: Expression) -> None:
    try:
        sign = exact_value(node, {}).sign()
    except (NoValueError, UndecidedError):
        return
    with mpmath.workdps(200):
        assert sign == mpmath.sign(rounded(node))


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(2)*sqrt(3)-sqrt(6)",
        "sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3)",
        "(2+sqrt(5))^(1/3)+(2-sqrt(5))^(1/3)-1",
        "sin(10)^2+cos(10)^2-1",
        "8*sin(10)*sin(50)*sin(70)-1",
        "tan(20)*tan(40)*tan(80)-sqrt(3)",
        "sin(18)-(sqrt(5)-1)/4",
        "cos(pi/7)-cos(2*pi/7)+cos(3*pi/7)-1/2",
        "sin(atan(2))-2/sqrt(5)",
        "log(1000)-3",
        "log(8,4)-1.5",
        "asin(1/2)-30",
    ],
)
def test_zeros_in_disguise_are_zero(text: str) -> None:
    assert exact_value(parse_expression(text), {}).sign() == 0


@pytest.mark.parametrize(
    ("text", "sign"),
    [("sqrt(10^60+1)-10^30", 1), ("exp(pi*sqrt(163))-262537412640768744", -1), ("ln(2)-0.693147180559945309", 1)],
)
def test_numbers_near_zero_are_not_zero(text: str, sign: int) -> None:
    assert exact_value(parse_expression(text), {}).sign() == sign


def test_what_cannot_be_proven_equal_is_undecided() -> None:
    with pytest.raises(UndecidedError):
        exact_value(parse_expression("ln(6)-ln(2)-ln(3)"), {}).sign()


@pytest.mark.parametrize("text", ["1/(sqrt(2)*sqrt(2)-2)", "sqrt(1-2)", "ln(0)", "tan(90)", "asin(2)", "mod(5,0)"])
def test_what_has_no_real_value_says_so(text: str) -> None:
    with pytest.raises(NoValueError):
        exact_value(parse_expression(text), {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("floor(sqrt(2)*10^20)", 141421356237309504880),
        ("floor(sqrt(2)*sqrt(2))", 2),
        ("ceiling(0-sqrt(3))", -1),
        ("round(2.5)", 3),
        ("mod(0-7,3)", 2),
        ("gcd(12,18)", 6),
        ("5!", 120),
    ],
)
def test_whole_numbers(text: str, value: int) -> None:
    assert exact_value(parse_expression(text), {}).rational == value


def test_threads_do_not_change_the_precision_of_each_other() -> None:
    before = ctx.prec
    nodes = [parse_expression(f"sqrt({k})*sqrt({k + 1})-sqrt({k * (k + 1)})") for k in range(2, 40)]
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda node: exact_value(node, {}).sign(), nodes)) == {0}
    assert ctx.prec == before
