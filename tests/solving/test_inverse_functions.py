"""Undoing operations gives every solution: the planted one, and none that the oracle of signs would miss."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Operation, Unknown
from sau_solver.equations.parser import parse
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.inverse_functions import NotInvertibleError, inverted
from sau_solver.solving.reals import NoValueError, Real, UndecidedError

X = Unknown("x")
NUMBERS = st.fractions(-4, 4, max_denominator=6)
CONSTANTS = st.one_of(
    NUMBERS.filter(bool).map(Number), st.just(Function("pi", ())), st.just(Function("ln", (Number(Fraction(3)),)))
)
POWERS = st.sampled_from([Fraction(n) for n in (2, 3, -1, -2)] + [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)])


@st.composite
def wrapped(draw: st.DrawFn) -> Expression:
    """An expression in which x occurs once."""
    node: Expression = X
    for _ in range(draw(st.integers(1, 4))):
        match draw(st.sampled_from(["+", "-", "*", "/", "^", "a^", "-r", "/r", "f"])):
            case "+" | "-" | "*" | "/" as sign:
                node = Operation(sign, node, draw(CONSTANTS))
            case "-r":
                node = Operation("-", draw(CONSTANTS), node)
            case "/r":
                node = Operation("/", draw(CONSTANTS), node)
            case "^":
                node = Operation("^", node, Number(draw(POWERS)))
            case "a^":
                node = Operation("^", Number(draw(st.sampled_from([Fraction(2), Fraction(1, 3), Fraction(5)]))), node)
            case _:
                node = Function(draw(st.sampled_from(["abs", "ln", "exp", "log", "asin", "acos", "atan"])), (node,))
    return node


def at(node: Expression, root: Fraction) -> Real:
    return exact_value(node, {"x": Real.of(root)})


def put(node: Expression, root: Fraction) -> Expression:
    match node:
        case Unknown():
            return Number(root)
        case Operation(sign, left, right):
            return Operation(sign, put(left, root), put(right, root))
        case Function(name, arguments):
            return Function(name, tuple(put(one, root) for one in arguments))
    return node


@given(wrapped(), NUMBERS)
@settings(max_examples=60, deadline=None)
def test_a_planted_root_is_found_and_everything_found_is_a_root(node: Expression, root: Fraction) -> None:
    try:
        at(node, root).sign()
        found = inverted(Equation(node, put(node, root)), "x")
        values = [exact_value(one, {}) for one in found]
        planted = [(value - Real.of(root)).enclosure(300) for value in values]
        residuals = [(exact_value(node, {"x": value}) - at(node, root)).enclosure(300) for value in values]
    except (NoValueError, UndecidedError, NotInvertibleError):
        return  # the planted number is outside the domain, or a sign is not decided
    assert any(difference.contains(0) for difference in planted)
    assert all(residual.contains(0) or not residual.is_finite() for residual in residuals)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("abs(abs(x)-3)=1", 4),
        ("abs(abs(x)-3)=4", 2),
        ("abs(x)=0", 1),
        ("abs(x)=-1", 0),
        ("(x-1)^4=pi", 2),
        ("(x-1)^4=0-pi", 0),
        ("x^(2/3)=pi", 2),
        ("sqrt(x)=0-pi", 0),
        ("asin(x)=91", 0),
        ("acos(x)=0-1", 0),
        ("atan(x)=90", 0),
        ("pi/x=0", 0),
        ("exp(x)=0", 0),
        ("x^pi=2", 1),
        ("x^pi=0-2", 0),
    ],
)
def test_how_many_solutions_there_are(text: str, count: int) -> None:
    (equation,) = parse(text)
    assert len(inverted(equation, "x")) == count


@pytest.mark.parametrize("text", ["x+x=pi", "1^x=1", "0*x=0", "0/x=0", "x^0=1", "sin(x)=1", "floor(x)=3"])
def test_what_cannot_be_undone_is_left_to_others(text: str) -> None:
    (equation,) = parse(text)
    with pytest.raises(NotInvertibleError):
        inverted(equation, "x")
