"""Text of a problem -> the story about a common divisor or multiple that it tells without naming it, if it does."""

from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.common_stories.chinese_stories import CHINESE
from sau_solver.text.common_stories.english_stories import ENGLISH
from sau_solver.text.common_stories.told_stories import Ask, CommonStory

__all__ = ["Ask", "CommonStory", "common_story"]


@lru_cache(maxsize=256)
def common_story(text: str, language: Language) -> CommonStory | None:
    """Return the story about a common divisor or multiple that a text tells; None if it tells another."""
    return (CHINESE if language == "zh" else ENGLISH).story(text)
