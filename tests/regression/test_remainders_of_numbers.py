"""Found by random texts: `0%0` was read as an equation, but its printed form was not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.equations.expressions import to_text
from sau_solver.equations.parser import parse, parse_statements
from sau_solver.errors import EquationError
from sau_solver.solving import solve


@pytest.mark.parametrize("text", ["0%0", "7%3", "x=mod(7,3)", "7%3=x"])
def test_a_remainder_of_numbers_is_a_number(text: str) -> None:
    equations = parse(text)
    assert parse(to_text(equations)) == equations


def test_it_is_calculated() -> None:
    assert solve(parse("x=mod(7,3)")).solutions == ({"x": Fraction(1)},)


def test_a_remainder_of_something_unknown_is_a_condition() -> None:
    assert len(parse_statements("mod(x,3)=1").conditions) == 1
    with pytest.raises(EquationError, match="Expected an equation"):
        parse("mod(x,3)=1")


def test_a_remainder_of_something_unknown_alone_is_no_equation() -> None:
    with pytest.raises(EquationError, match="There is no '='"):
        parse("x%3")
