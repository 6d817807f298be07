"""A text with 200 questions is refused with a clear sentence or answered; it never fails otherwise."""

from __future__ import annotations

import pytest

import sau_solver as sau
from sau_solver.errors import InputError
from sau_solver.phrases import Language

ENGLISH = "Tom has 3 apples and Anna has 5. "
CHINESE = "小明有3个苹果，小红有5个苹果。"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        (ENGLISH + "How many apples do they have after the last day of the year? " * 200, "en", "characters"),
        (CHINESE + "".join(f"（{number}）一共有多少个？" for number in range(1, 201)), "zh", "题目中有 202 个数"),
    ],
)
def test_too_many_questions_are_refused(text: str, language: Language, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sau.load().solve(text, language=language)


@pytest.mark.slow
@pytest.mark.parametrize("text", [ENGLISH + "How many? " * 200, CHINESE + "一共有多少个？" * 200])
def test_200_short_questions_are_answered(text: str) -> None:
    solution = sau.load().solve(text)
    assert solution.text.text.startswith(text[:20])
    assert len(solution.asked) <= 200
