"""Text of a problem about angles -> the story that it tells: what it asks for, and how it is found."""

from __future__ import annotations

from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.angle_stories.angle_rules import RULES
from sau_solver.text.angle_stories.chinese_angle_words import CHINESE_ANGLES
from sau_solver.text.angle_stories.english_angle_words import ENGLISH_ANGLES
from sau_solver.text.angle_stories.solved_angles import AngleStory, Working

__all__ = ["AngleStory", "Working", "angle_story"]


@lru_cache(maxsize=256)
def angle_story(text: str, language: Language) -> AngleStory | None:
    """Return the story about angles that a text tells; None if it tells another one, or leaves any doubt."""
    terms = (CHINESE_ANGLES if language == "zh" else ENGLISH_ANGLES).read(text)
    if terms is None:
        return None
    return next((story for rule in RULES if (story := rule(terms))), None)
