"""All real roots of equations with powers and logarithms are enclosed, or none is claimed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.parser import parse
from sau_solver.solving.exponential_sums import IdentityError, all_roots
from sau_solver.solving.root_isolation import NotIsolatedError
from tests.strategies import times


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("2^x=x^2", [-0.766664695962, 2, 4]),
        ("2^x+3^x=10*x^2", [-0.378093205615, 0.582587885074, 4.85203102244]),
        ("exp(x)=1000000*x^3", [0.0100335009941, 23.2550815687]),
        ("ln(x)=3-x", [2.20794003157]),
        ("x*ln(x)=5", [3.76867946379]),
        ("100/(1+exp(0-x))=50", [0]),
        ("ln(2*x-1)=2", [4.19452804947]),
        ("2^x+1=0", []),
        ("exp(x)=x/1000", []),
        ("4^x=2^(2*x)+1", []),
    ],
)
def test_all_roots_are_enclosed(text: str, roots: list[float]) -> None:
    found = all_roots(parse(text)[0], "x")
    assert [float(root.low) for root in found] == pytest.approx(roots, abs=1e-9)
    assert all(root.high - root.low < Fraction(1, 10**20) for root in found)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=3, unique=True), st.sampled_from([2, 3, 10]))
@times(25)
def test_planted_roots_are_found_and_no_others(roots: list[int], base: int) -> None:
    text = "*".join(f"({base}^x-({Fraction(base) ** root}))" for root in roots)
    found = all_roots(parse(f"{text}=0")[0], "x")
    assert [round(float(root.low), 9) for root in found] == sorted(roots)


def test_an_identity_is_no_list_of_roots() -> None:
    with pytest.raises(IdentityError):
        all_roots(parse("4^x=2^(2*x)")[0], "x")


@pytest.mark.parametrize("text", ["4^x-2*2^x+1=0", "x^x=4", "sin(x)=0.5", "abs(x)=2"])
def test_what_cannot_be_enclosed_is_left_to_others(text: str) -> None:
    with pytest.raises(NotIsolatedError):
        all_roots(parse(text)[0], "x")
