"""English texts that may tell a story about a common divisor or multiple: their numbers and their questions."""

from __future__ import annotations

import re

from sau_solver.text.common_stories.english_cues import AGAIN, LEAST, LENGTH, MOST, TIME
from sau_solver.text.common_stories.english_divisors import DIVISOR_RULES
from sau_solver.text.common_stories.english_multiples import MULTIPLE_RULES
from sau_solver.text.common_stories.story_languages import StoryLanguage
from sau_solver.text.common_stories.told_stories import Told

_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bDr\.)(?<=\.)\s+(?=[A-Z\d])")
_ASKING = re.compile(r"\?|^\s*(?:find|determine|calculate)\b", re.IGNORECASE)
_PART = re.compile(r",?\s+and\s+(?=how many\b|what\b)", re.IGNORECASE)
_OTHER_ASKED = re.compile(
    r"\b(?:area|perimeter|volume|cost|costs|price|pay|money|average|total (?:number|weight|length|amount)|difference"
    r"|more(?! than \d)|fewer|what time|ratio|percent|fraction|probability|speed|how fast|profit|sum|product)\b|\$",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\$|\bper (?:second|minute|hour|day)\b|/h\b|\bm/s\b|\bmph\b|\btimes as\b|\btwice\b|%", re.IGNORECASE
)
_MEASURED = re.compile(rf"\s*-?(?:{TIME}|{LENGTH})", re.IGNORECASE)
_CLOCK = re.compile(r"\s*(?:a\.?m\b|p\.?m\b|o'clock)|:\d\d", re.IGNORECASE)


def _essential(story: Told) -> Told:
    """Leave out the numbers that only count what the story lists (two buses, one of them) and clock times."""
    digits = [place for place, fact in enumerate(story.facts) if not fact.spelled]
    dropped = set()
    for place, fact in enumerate(story.facts):
        every = re.search(r"\bevery\s*$", story.lead(place), re.IGNORECASE)
        clock = _CLOCK.match(story.tail(place))
        counts = fact.spelled and (fact.value == 1 or (len(digits) > 1 and fact.value <= 4 and not every))
        opens = place == 0 and fact.value == len(digits) - 1 > 1 and not every and not _MEASURED.match(story.tail(0))
        if clock or counts or opens:
            dropped.add(place)
    return story.without(dropped)


def _asked(text: str) -> list[str]:
    """Return the questions of a text, each on its own: `What is …` and `how many …` of one sentence are two."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if _ASKING.search(sentence)]
    return [part for sentence in sentences for part in _PART.split(sentence)]


def _asks_other(ask: str) -> bool:
    return bool(_OTHER_ASKED.search(ask))


ENGLISH = StoryLanguage(
    "en", (AGAIN, MOST, LEAST), _RATE, _asks_other, _essential, _asked, (*MULTIPLE_RULES, *DIVISOR_RULES)
)
