"""Text of a problem -> the story about the digits of a number that it tells, if every word of it is understood."""

from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.digits.chinese_digits import chinese_story
from sau_solver.text.digits.digit_story import DigitAsk, DigitStory
from sau_solver.text.digits.english_digits import english_story

__all__ = ["DigitAsk", "DigitStory", "digit_story"]


@lru_cache(maxsize=256)
def digit_story(text: str, language: Language) -> DigitStory | None:
    """Return the story about digits that a text tells; None if a word is not understood or no single number fits."""
    return (chinese_story if language == "zh" else english_story)(text)
