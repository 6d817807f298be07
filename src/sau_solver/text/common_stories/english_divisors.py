"""English stories about a greatest common divisor: one rule for each kind of story."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.common_stories.english_cues import (
    LEAST,
    LENGTH,
    MOST,
    NOTHING_LEFT,
    TIME,
    content_words,
    is_asked_in,
    is_rectangle,
    length_unit,
    of_squares,
    places_named,
    unit_word,
)
from sau_solver.text.common_stories.told_stories import Ask, CommonStory, Told, all_asks, story_of

_SAME = re.compile(
    r"\b(?:identical|alike|the same|all the same|equal(?:ly)?|evenly|equal-(?:sized|length)|all of one size)\b",
    re.IGNORECASE,
)
_TWICE_SAME = re.compile(r"\bsame number of\b[^.?!]{0,80}\bsame number of\b|\bsame number of each\b", re.IGNORECASE)


def _are_parallel(story: Told) -> bool:
    """Return whether the facts say the same of several things: 96 apples and 72 pears, 24 feet and 36 feet long."""
    if re.search(r"\b(?:into|among|each|every|per|by|at least|than|of)\s*$", story.lead(0), re.IGNORECASE):
        return False
    return all(
        re.fullmatch(r"[\w\s'’-]{0,60}?(?:,|\band\b|\bby\b|×|\bx\b)[\w\s'’-]{0,40}", between, re.IGNORECASE)
        and not re.search(
            r"\b(?:each|every|per|into|among|holds?|groups? of|if|then|so|sold|gave|left|costs?|old)\b",
            between,
            re.IGNORECASE,
        )
        for between in (story.after(place, 200) for place in story.places[:-1])
    )


def _divides(story: Told) -> bool:
    """Return whether something is to be as large or as many as possible that depends on parallel numbers."""
    return bool(
        2 <= len(story.facts) <= 4 and MOST.search(story.text) and not LEAST.search(story.text) and _are_parallel(story)
    )


def _squares(story: Told, asks: list[str]) -> CommonStory | None:
    """A rectangle is divided into the largest equal squares."""
    text = story.text
    fewest = re.search(
        r"\b(?:least|smallest|fewest|minimum) (?:possible )?(?:number of )?(?:identical |equal )?square \w+s\b",
        text,
        re.IGNORECASE,
    )
    if not (_divides(story) or (fewest and not MOST.search(text))) or not is_rectangle(story):
        return None
    if not re.search(
        r"\bsquares\b|\bsquare [a-z]+s\b|\b(?:largest|biggest|greatest) (?:square |possible )?tile\b",
        text,
        re.IGNORECASE,
    ):
        return None
    if not (_SAME.search(text) or re.search(r"\btile\b", text)):
        return None
    if not (NOTHING_LEFT.search(text) or re.search(r"\b(?:cover|pave|tile)[a-z]*\b", text, re.IGNORECASE)):
        return None
    return story_of("gcd", "squares", story.facts, of_squares(asks, length_unit(story)), unit_word(story))


def _lengths(story: Told, asks: list[str]) -> CommonStory | None:
    """Ropes are cut into the longest equal pieces."""
    if not _divides(story) or is_rectangle(story) or not (_SAME.search(story.text) and NOTHING_LEFT.search(story.text)):
        return None
    if re.search(r"\b(?:tied|joined|glued|sewn|connected)\b", story.text, re.IGNORECASE):  # they become one
        return None
    if not re.search(r"\b(?:cut|cuts|saw|saws|sawn|divided?|split|chop)\b", story.text, re.IGNORECASE):
        return None
    unit = length_unit(story)
    if not unit or not all(is_asked_in(unit, ask) for ask in asks):
        return None
    return story_of("gcd", "lengths", story.facts, all_asks(asks, _of_lengths), unit_word(story))


def _of_lengths(ask: str) -> Ask | None:
    """Return what one question about equal pieces asks for: their length, or how many there are."""
    if re.search(rf"\bhow many (?!{LENGTH})", ask, re.IGNORECASE):
        most = MOST.search(ask) and not re.search(r"\b(?:longest|long as)\b", ask)
        return None if most else Ask("sum")
    length = re.search(r"\b(?:long|longest|length|size)\b", ask, re.IGNORECASE)
    return Ask("common") if length and not re.search(r"\bnumber of\b", ask) else None


def _spaced(story: Told, asks: list[str]) -> CommonStory | None:
    """Trees stand around a rectangle at the greatest equal distance; a container measures two amounts exactly."""
    if not _divides(story) or len(asks) != 1:
        return None
    trees = (
        is_rectangle(story)
        and re.search(r"\bcorner", story.text)
        and _SAME.search(story.text)
        and re.search(r"\bdistance\b|\bapart\b", asks[0])
    )
    measured = re.search(
        r"\bexact(?:ly)? (?:number of times|measure)|\bmeasure\b[^.?!]{0,60}\bexact", story.text, re.IGNORECASE
    ) and not re.search(r"\bhow many\b", asks[0], re.IGNORECASE)
    if not (trees or measured) or not MOST.search(asks[0]):
        return None
    amount = re.match(r"\s*([a-z]+)\b", story.tail(0), re.IGNORECASE)
    unit = unit_word(story) or (amount[1] if measured and amount else "")
    return story_of("gcd", "lengths", story.facts, (Ask("common"),), unit)


def _groups(story: Told, asks: list[str]) -> CommonStory | None:
    """Things of several kinds go into the greatest number of identical groups."""
    text = story.text
    if not _divides(story) or not _SAME.search(text):
        return None
    if not (
        NOTHING_LEFT.search(text)
        or _TWICE_SAME.search(text)
        or _UNMIXED.search(text)
        or re.search(r"\b(?:identical|exactly alike)\b", text)
    ):
        return None
    if any(re.match(rf"[\s-]*(?:{LENGTH}|{TIME}\b)", story.tail(place), re.IGNORECASE) for place in story.places):
        return None
    items = [
        content_words(re.split(r"[,.;?!]|\b(?:and|in|to|for|with|that|are|on|from)\b", story.after(place))[0])
        for place in story.places
    ]
    wanted = all_asks(asks, lambda ask: _of_groups(ask, text, items))
    if any(one.wanted == "quotients" for one in wanted) and not any(map(_INSIDE.search, asks)):
        return None
    rows = _UNMIXED.search(text) and not _TWICE_SAME.search(text)
    found = story_of("gcd", "rows" if rows else "groups", story.facts, wanted)
    names = [_COUNTED_THINGS.match(story.after(place)) for place in story.places]
    return replace(found, names=tuple(one[1] for one in names if one)) if found and all(names) else found


_UNMIXED = re.compile(
    r"\b(?:each|every) (?:row|column|team|line|group|shelf|table)\b[^.?!]{0,40}\b(?:the same|an equal) number of\b",
    re.IGNORECASE,
)
_COUNTED_THINGS = re.compile(r"\s+((?:[a-z]+ )?[a-z]+s)\b", re.IGNORECASE)
_INSIDE = re.compile(r"\b(?:each|every|per|an?|1)\b", re.IGNORECASE)
_OF_EACH = re.compile(r"\bhow many of each\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (.*?)"
    r"(?=\b(?:are|is|will|would|can|could|does|do|did|must|should|in|go|goes|per|on|for|each|were|was)\b|\?|$)",
    re.IGNORECASE,
)


def _of_groups(ask: str, text: str, items: list[frozenset[str]]) -> Ask | None:
    """Return what one question about identical groups asks for."""
    if _OF_EACH.search(ask):
        return Ask("quotients", tuple(range(len(items))))
    counted = _COUNTED.search(ask)
    named = places_named(items, content_words(counted[1])) if counted else ()
    if named:
        return Ask("quotients", named)
    if MOST.search(ask):
        number = re.search(r"\b(?:number|most)(?: of)? (.*)", ask, re.IGNORECASE)
        if not number and not counted:
            return None
        inside = re.search(
            r"\b(?:in|on|for) (?:each|every|an?)\b|\bcan have\b|\beach [a-z]+ (?:can )?(?:have|has)\b",
            ask,
            re.IGNORECASE,
        )
        unmixed = re.search(r"\bsame number of\b", text, re.IGNORECASE) and not _TWICE_SAME.search(text)
        if inside and not unmixed:
            return None
        return Ask("common")
    most = re.search(r"\b(?:as many|number of) ([^.?!,]{1,40})", text, re.IGNORECASE)
    if counted and most and content_words(counted[1]) & content_words(most[1]) and not re.search(r"\beach\b", ask):
        return Ask("common")
    return None


DIVISOR_RULES = (_squares, _lengths, _spaced, _groups)
