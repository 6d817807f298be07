"""Formulas are exact arithmetic and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.curriculum.formulas import check_names, formula
from sau_solver.errors import FamilyError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a*b+2", 14),
        ("a/b", Fraction(3, 4)),
        ("0.1*a", Fraction(3, 10)),
        ("a^2", 9),
        ("ceil(b/a)", 2),
        ("gcd(12, 18)", 6),
        ("(a+b) % 5", 2),
    ],
)
def test_values_are_exact(text: str, value: Fraction | int) -> None:
    assert formula(text)({"a": 3, "b": 4}) == value


@pytest.mark.parametrize(
    ("text", "met"), [("a < b", True), ("whole(b/a)", False), ("a == 3 and not b == 3", True), ("decimal(b/a)", False)]
)
def test_conditions_are_true_or_false(text: str, met: bool) -> None:
    assert bool(formula(text)({"a": 3, "b": 4})) is met


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "a.real", "open('x')", "[a]", "lambda: a", "'a'", "a if b else c", "(a := 3)", "print(a)"],
)
def test_anything_but_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(FamilyError):
        formula(text)


def test_an_unknown_letter_is_named() -> None:
    with pytest.raises(FamilyError, match="uses c"):
        check_names(formula("a+c"), ["a", "b"])
