"""Irrational numbers were compared as floats, and different numbers can have equal floats."""

from __future__ import annotations

import pytest

from tests import by_heart

ABOVE = "1.41421356237309504881"  # the square root of 2 is 1.414213562373095048801...
BELOW = "1.41421356237309504879"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (f"Is sqrt(2) bigger than {BELOW}?", ["yes"]),
        (f"Is sqrt(2) bigger than {ABOVE}?", ["no"]),
        (f"Sort {ABOVE}, sqrt(2), 1 in descending order.", [None, "sqrt(2)", "1"]),
        (f"Sort sqrt(2), {BELOW}, 1 in descending order.", ["sqrt(2)", None, "1"]),
    ],
)
def test_irrational_numbers_are_compared_exactly(text: str, answers: list[str | None]) -> None:
    found = [str(answer) for answer in by_heart.solver().solve(text).answers]
    assert all(wanted in (one, None) for one, wanted in zip(found, answers, strict=True))
