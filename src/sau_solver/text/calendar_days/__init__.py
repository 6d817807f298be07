"""Text of a problem -> what it asks about the days of the calendar, if every word of it is understood."""

from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.calendar_days.calendar_story import CalendarStory
from sau_solver.text.calendar_days.chinese_calendar import chinese_calendar_story
from sau_solver.text.calendar_days.english_calendar import english_calendar_story

__all__ = ["CalendarStory", "calendar_story"]


@lru_cache(maxsize=256)
def calendar_story(text: str, language: Language) -> CalendarStory | None:
    """Return what a text asks about the calendar; None if a word is not understood or the answer is open."""
    return (chinese_calendar_story if language == "zh" else english_calendar_story)(text)
