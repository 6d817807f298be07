"""Text of a word problem -> the story that rules understand without a model, if it tells one.

A new kind of story needs three things: its recognizer here, its answer with steps in explaining/known_story_answers.py,
and a confidence there.
"""

from __future__ import annotations

from sau_solver.problem import Language
from sau_solver.text.angle_stories import AngleStory, angle_story
from sau_solver.text.calendar_days import CalendarStory, calendar_story
from sau_solver.text.clock import ClockStory, clock_story
from sau_solver.text.common_stories import CommonStory, common_story
from sau_solver.text.digits import DigitStory, digit_story

KnownStory = ClockStory | AngleStory | CommonStory | DigitStory | CalendarStory


def known_story(text: str, language: Language, has_obstacle: bool = False) -> KnownStory | None:
    """Return the story of a text that rules understand; None if they leave it to a model.

    A text that equations cannot solve may still tell a story, except one about common divisors and multiples: 9:15 is
    not a number for them, and "How many days does August have?" and a hexagon have none.
    """
    return (
        clock_story(text, language)
        or angle_story(text, language)
        or digit_story(text, language)
        or calendar_story(text, language)
        or (None if has_obstacle else common_story(text, language))
    )
