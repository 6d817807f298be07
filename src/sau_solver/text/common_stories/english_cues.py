"""Words of English stories about common divisors and multiples, and what several rules need."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.text.common_stories.told_stories import Ask, Told, all_asks

TIME = r"(second|minute|hour|day|week|month|year|night)s?"
_LENGTH = r"(cm|mm|dm|km|m|ft|inch(?:es)?|feet|foot|yards?|(?:centi|deci|milli|kilo)?met(?:er|re)s?)"
LENGTH = rf"{_LENGTH}\b"
MOST = re.compile(
    r"\b(?:greatest|largest|biggest|longest|highest|maximum|maximal|the most|what's the most|at most|"
    r"as (?:many|large|long|big|wide)\b[^.?!,]{0,40}?\b(?:as (?:possible|(?:she|he|they|we|you|it) can)|possible))\b",
    re.IGNORECASE,
)
LEAST = re.compile(
    r"\b(?:least|smallest|fewest|minimum|lowest|shortest|as few\b[^.?!,]{0,40}?\bas (?:possible|\w+ can))\b",
    re.IGNORECASE,
)
NOTHING_LEFT = re.compile(
    r"\b(?:left[ -]?over|left out|(?:nothing|none|nobody|no one|no \w+)(?: \w+){0,3} (?:left|remain\w*|wasted)"
    r"|(?:never|without|not|n't|no)\b[^.?!]{0,30}\b(?:left|leftovers?|remain\w*|wast\w+|cut|cutting|broken|breaking)"
    r"|nothing (?:is )?wasted|us(?:e|es|ing)(?: up)? (?:all|every)\w*|exact number of times)\b",
    re.IGNORECASE,
)
AGAIN = re.compile(
    r"\b(?:again|next|first|once more|earliest|second time|until|for the 2nd time|shortest time|least time)\b",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"(?:a|an|the|of|in|on|at|to|for|with|and|or|is|are|was|were|be|will|would|can|could|do|does|did|must"
    r"|should|has|have|had|each|every|per|how|many|much|what|that|there|he|she|they|it|you|we|his|her|their"
    r"|its|number|long|wide|all|least|most|greatest|smallest|fewest|largest|one|two|three|possible|into"
    r"|from|if|more|than|other|another|only|come|comes|sold|packaged|get|gets|want|wants|need|needs|go|goes"
    r"|same|as|some|put|buy|order)"
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def stem(word: str) -> str:
    """Return a noun without the ending of its plural."""
    for end, new in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("s", "")):
        if word.endswith(end) and len(word) > len(end) + 1 and not word.endswith("ss"):
            return word.removesuffix(end) + new
    return word


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that name things."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if not _STOP.fullmatch(word))


def places_named(words: Sequence[frozenset[str]], asked: frozenset[str]) -> tuple[int, ...]:
    """Return the places whose own words, which no other place has, are asked for."""
    found = []
    for place, one in enumerate(words):
        others = frozenset().union(*(other for k, other in enumerate(words) if k != place))
        if (one - others) & asked:
            found.append(place)
    return tuple(found)


_BY = re.compile(rf"\s*-?{_LENGTH}?\s*(?:by|x|×)\s*(?:an? )?", re.IGNORECASE)
_AND_WIDTH = re.compile(
    rf"\s*{_LENGTH}\s*(?:long|in length|wide)?\s*(?:,|and|, and)\s*(?:(?:its|the|a) )?(?:width |length )?(?:is |of )?",
    re.IGNORECASE,
)
_WIDE = re.compile(r"\b(?:wide|width|breadth)\b", re.IGNORECASE)
_LONG = re.compile(r"\b(?:long|length)\b", re.IGNORECASE)


def is_rectangle(story: Told) -> bool:
    """Return whether the facts are the two sides of a rectangle: 48 cm by 36 cm, 48 m long and 36 m wide."""
    if len(story.facts) != 2:
        return False
    between = story.after(0, 200)
    if _BY.fullmatch(between):
        return True
    named = _WIDE.search(story.text) and _LONG.search(story.text)
    return bool(named and _AND_WIDTH.fullmatch(between))


_SIDE = re.compile(r"\b(?:side|sides|length|long|size|dimensions?|wide)\b", re.IGNORECASE)
_SHORT = {
    "centimeter": "cm",
    "decimeter": "dm",
    "millimeter": "mm",
    "meter": "m",
    "kilometer": "km",
    "feet": "ft",
    "foot": "ft",
}


_LENGTH_TAIL = re.compile(rf"[\s-]*{LENGTH}", re.IGNORECASE)


def length_unit(story: Told) -> str | None:
    """Return the unit of length that all facts have, or an empty string if they have none; None if units differ."""
    return story.unit(_LENGTH_TAIL, short_unit)


def unit_word(story: Told) -> str:
    """Return the unit of length of the last fact as the text writes it, or an empty string."""
    found = _LENGTH_TAIL.match(story.tail(story.places[-1]))
    return found[1] if found else ""


def short_unit(unit: str) -> str:
    """Return the short form of a unit of length: cm for centimeters."""
    word = stem(unit.lower().replace("metre", "meter"))
    return _SHORT.get(word, word)


def is_asked_in(unit: str | None, ask: str) -> bool:
    """Return whether a question asks for no other unit of length than this one."""
    if unit is None:
        return False
    asked = re.search(rf"\b(?:in|how many) {LENGTH}", ask, re.IGNORECASE)
    return asked is None or short_unit(asked[1]) == unit


def of_squares(asks: list[str], unit: str | None) -> tuple[Ask, ...]:
    """Return what questions about the sides or the number of squares ask for; nothing if one asks for more."""

    def asked(ask: str) -> Ask | None:
        if not is_asked_in(unit, ask):
            return None
        if many := re.search(rf"\bhow many ((?!{TIME}|{LENGTH})[a-z]+)|\bnumber of [a-z]+", ask, re.IGNORECASE):
            most = MOST.search(ask) and not LEAST.search(ask)
            return None if most and not many[1] else Ask("product")
        return Ask("common") if _SIDE.search(ask) else None

    return all_asks(asks, asked)
