"""Expressions can be taken apart."""

from __future__ import annotations

import pytest

from sau_solver.equations.expressions import signed_terms
from sau_solver.equations.parser import parse_expression


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        ("x", [(1, "x")]),
        ("x+2*y-3", [(1, "x"), (1, "2*y"), (-1, "3")]),
        ("a-(b-(c+d))", [(1, "a"), (-1, "b"), (1, "c"), (1, "d")]),
        ("2*(x+1)", [(1, "2*(x+1)")]),
    ],
)
def test_the_terms_of_a_sum_have_their_signs(expression: str, terms: list[tuple[int, str]]) -> None:
    assert [(sign, str(term)) for sign, term in signed_terms(parse_expression(expression))] == terms
