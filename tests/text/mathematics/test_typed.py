"""Typed mathematics is read in every usual notation."""

from __future__ import annotations

import pytest

from sau_solver.equations.expressions import to_text
from sau_solver.text.mathematics import recognize
from sau_solver.text.mathematics.typed import unified


@pytest.mark.parametrize(
    ("text", "equations"),
    [
        ("x+y=3; x-y=1", "x+y=3; x-y=1"),
        ("x+y=3, x-y=1", "x+y=3; x-y=1"),
        ("x+y=3\nx-y=1", "x+y=3; x-y=1"),
        ("x+y=3 and x-y=1", "x+y=3; x-y=1"),
        ("x＋y＝3，x－y＝1", "x+y=3; x-y=1"),
        ("{x+y=3; x-y=1}", "x+y=3; x-y=1"),
        ("x+y=3,2x-y=0", "x+y=3; 2*x-y=0"),  # no decimal comma
        ("1,5x = 3", "1.5*x=3"),
        ("x² − 3·x = 10", "x^2-3*x=10"),
        ("2 1/2 x = 5", "2.5*x=5"),
        ("\\frac{x}{2} = 3", "x/2=3"),
        ("3 + □ = 8", "3+x=8"),
        ("____ + 5 = 12", "x+5=12"),
    ],
)
def test_systems_and_signs_are_read_in_every_notation(text: str, equations: str) -> None:
    request = recognize(text)
    assert request is not None
    assert to_text(request.statements.equations) == equations


def test_x_between_numbers_means_times_and_beside_letters_an_unknown() -> None:
    assert unified("3 x 5") == "3*5"
    assert unified("6 x - 47 = 1") == "6 x - 47 = 1"
