"""A common divisor or multiple that an English text gives is not what it asks for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answering.given_equations import chosen


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        (
            "x=(180*6)/36",
            "The LCM of two numbers is 180 and their HCF is 6. One number is 36. What is the other number?",
            30,
        ),
        ("x=60/15", "The hcf and lcm of two numbers are 5 and 60. One number is 15. What is 60 divided by it?", 4),
        ("x=6+36", "What is the sum of the greatest common factor and the least common multiple of 12 and 18?", 42),
    ],
)
def test_a_given_divisor_is_not_asked_for(equations: str, text: str, answer: int) -> None:
    assert chosen(equations, text, "en").answers == (Fraction(answer),)


def test_a_divisor_that_is_asked_for_is_computed_from_the_numbers_of_the_text() -> None:
    assert chosen("x=12*18", "What is the greatest common factor of 12 and 18?", "en").answers == (Fraction(6),)
