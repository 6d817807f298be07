"""The steps of a typed average could not be printed: they lacked values of their sentence."""

from __future__ import annotations

import pytest

from tests import by_heart


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Find the mean of 2, 3, 7.", ["2+3+7 = 12", "12/3 = 4"]),
        ("12、15、18、23的平均数", ["12+15+18+23 = 68", "68/4 = 17"]),
        ("Find the mean of 1/3 and 1.", ["1/3+1 = 4/3", "(4/3)/2 = 2/3"]),
    ],
)
def test_steps_of_an_average(text: str, steps: list[str]) -> None:
    assert [str(step) for step in by_heart.solver().solve(text).steps][:2] == steps
