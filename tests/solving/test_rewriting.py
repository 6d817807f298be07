"""Expanded, factored and simplified expressions are equal to the expression; SymPy checks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Mul, cancel, diff, expand, factor_list, sympify

from sau_solver.equations.parser import parse_expression
from sau_solver.solving.rewriting import derivative, expanded, factored
from sau_solver.solving.whole_numbers import divisors, euclid, prime_powers, product_text

small = st.integers(-6, 6)


def read(text: str) -> object:
    return sympify(text.replace("^", "**"))


@given(st.lists(st.tuples(small, small), min_size=1, max_size=3), small)
def test_products_of_linear_factors_expand_and_factor_back(pairs: list[tuple[int, int]], number: int) -> None:
    text = "*".join(f"({a}*x+({b}))" for a, b in pairs) + f"+({number})"
    expression = parse_expression(text)
    assert read(expanded(expression)) == expand(read(text))
    assert expand(read(factored(expression))) == expand(read(text))


@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=3))
def test_as_many_factors_as_sympy_finds(triples: list[tuple[int, int, int]]) -> None:
    text = "*".join(f"({a}*x+({b})*y+({c}))" for a, b, c in triples)
    whole = expand(read(text))
    if not whole.free_symbols:
        return
    found = read(factored(parse_expression(text)))
    assert expand(found) == whole
    letters = [one for one in Mul.make_args(found) if one.free_symbols]
    assert len(letters) == len(factor_list(whole)[1])


@pytest.mark.parametrize("text", ["(x^2-1)/(x-1)", "(x+1)/(x-1)+1/2", "(x^2-y^2)/(x-y)", "(6x+3)/(9x)"])
def test_quotients_are_reduced(text: str) -> None:
    plain = text.replace("6x", "6*x").replace("9x", "9*x")
    assert cancel(read(expanded(parse_expression(text))) - read(plain)) == 0  # type: ignore[operator]
    assert len(expanded(parse_expression(text))) <= len(plain)


def test_polynomials_are_differentiated() -> None:
    assert read(derivative(parse_expression("3x^2+2x*y-5"), "x")) == diff(read("3*x^2+2*x*y-5"), "x")
    assert derivative(parse_expression("3y"), "x") == "0"


@given(st.integers(2, 10**9), st.integers(2, 10**9))
def test_euclid_divides_with_remainders_down_to_zero(one: int, other: int) -> None:
    lines = euclid(one, other)
    assert all(a == q * b + r and 0 <= r < b for a, b, q, r in lines)
    assert lines[-1][3] == 0


@given(st.integers(2, 10**6))
def test_prime_factors_multiply_to_the_number(number: int) -> None:
    assert sympify(product_text(prime_powers(number)).replace("^", "**")) == number
    assert all(number % one == 0 for one in divisors(number))
