"""English stories about a least common multiple: one rule for each kind of story."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.common_stories.english_cues import (
    AGAIN,
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
    stem,
    unit_word,
)
from sau_solver.text.common_stories.told_stories import Ask, CommonStory, Told, all_asks, story_of

_TOGETHER = re.compile(
    r"\b(?:together|same (?:time|day|date|moment|instant|year|month|week|night|position|place|spot|minute)|at once"
    r"|simultaneously|both|all (?:3|three|of them|\w+s)|meet|lin(?:e|ed) up|coincide|happen|each other)\b",
    re.IGNORECASE,
)


_BETWEEN = re.compile(
    rf"\s*-?(?:{TIME}|{LENGTH}|s\b)?\s*(?:,\s*(?:and|or)?|and|or|by|x|×)\s+(?:every )?", re.IGNORECASE
)


def _listed(story: Told) -> list[list[int]]:
    """Return the places of facts in lists: `9, 12 and 15 minutes` is one."""
    return story.listed(lambda _, place: _BETWEEN.fullmatch(story.before(place)) is not None)


_EVERY = re.compile(r"\bevery\s*$", re.IGNORECASE)
_LAP = re.compile(r"\b(?:laps?|rounds?|circles?|orbits?|turns?|revolutions?|rotations?|track)\b", re.IGNORECASE)
_LAP_LEAD = re.compile(r"\b(?:in|takes|take|needs|every|and)\s*$", re.IGNORECASE)
_INTERVAL = re.compile(rf"\s*(?:-\s?)?{TIME}\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\s+([a-z]+)", re.IGNORECASE)
_HOW_LONG = re.compile(
    rf"\bhow many (?:more )?{TIME}\b|\bhow (long)\b|\b(when)\b|\b(?:shortest|least) (?:amount of )?time\b",
    re.IGNORECASE,
)
_AT_START = re.compile(r"\bstart(?:ing|ed|s)?\b|\bposition\b|\blin(?:e|ed) up\b|\bbeginning\b", re.IGNORECASE)
_INTERVALS = re.compile(r"\s*-?\s?\w+\s+intervals?\b|[^.?!]{0,40}\bintervals\b", re.IGNORECASE)
_ALL = re.compile(r"\ball\b|\b[34] [a-z]|\beveryone\b", re.IGNORECASE)
_START_TIME = re.compile(r"\d\s*(?:[ap]\.?m|:\d|o'clock)|\bnoon\b|\bmidnight\b", re.IGNORECASE)
_SPAN = re.compile(r"\bhow many times\b.*\b(?:in|during|within|over) the next\s*$", re.IGNORECASE)


def _events(story: Told, asks: list[str]) -> CommonStory | None:
    """Two events come back at intervals: after how long do they come together again?"""
    if len(asks) != 1 or not AGAIN.search(story.text):
        return None
    (ask,) = asks
    last = len(story.facts) - 1
    within = _INTERVAL.match(story.tail(last)) if _SPAN.search(story.lead(last, 200)) else None
    span = int(story.facts[last].value) if within else 0
    if within:
        story = story.without({last})
    unit = _interval_unit(story)
    if unit is None:
        return None
    if within:
        found = story_of("lcm", "events", story.facts, (Ask("times"),), unit)
        fits = found and within[1].lower() == unit and span >= found.common and _TOGETHER.search(ask)
        return replace(found, span=span) if found and fits else None
    first = re.search(rf"\b(?:which|what(?: number)?) (?:\w+ ){{0,2}}?{re.escape(unit)}\b", ask, re.IGNORECASE)
    how = first or _HOW_LONG.search(ask)
    if not how or not AGAIN.search(ask) or not _TOGETHER.search(ask, how.end()):
        return None
    if not first and ((how[1] and how[1].lower() != unit) or (how[3] and _START_TIME.search(story.text))):
        return None
    return story_of("lcm", "events", story.facts, (Ask("common"),), "" if first else f"{unit}s")


def _interval_unit(story: Told) -> str | None:
    """Return the unit of time, or the thing counted, if all facts are intervals; None if one is not."""
    units = set()
    for places in _listed(story):
        lead, tail = story.lead(places[0]), story.tail(places[-1])
        every = _EVERY.search(lead)
        named = _INTERVAL.match(tail) or (_ORDINAL.match(tail) if every else None)
        lap = _LAP.search(story.text) and _LAP_LEAD.search(lead) and _AT_START.search(story.text)
        if not named or not (every or lap or _INTERVALS.match(tail)):
            return None
        units.add(named[1].lower())
    if len(units) != 1 or (len(story.facts) > 2 and not _ALL.search(story.text)):
        return None
    return units.pop()


_TURNED = re.compile(
    r"\bhow many (?:complete |full |whole )?(?:turns|revolutions|rotations)\b[^.?!]{0,20}?"
    r"\b(small|large|big|first|second)(?:er)?\b",
    re.IGNORECASE,
)


def _gears(story: Told, asks: list[str]) -> CommonStory | None:
    """Marked teeth of two gears meet again after some teeth, or after some turns of one gear."""
    if len(asks) != 1 or len(story.facts) != 2 or not AGAIN.search(asks[0]):
        return None
    if not all(re.match(r"(?:\s|-)(?:teeth|tooth)\b", story.tail(place)) for place in (0, 1)):
        return None
    (ask,) = asks
    if re.search(r"\bhow many teeth\b", ask, re.IGNORECASE):
        return story_of("lcm", "gears", story.facts, (Ask("common"),))
    turned = _TURNED.search(ask)
    if not turned:
        return None
    values = [fact.value for fact in story.facts]
    small, large = values.index(min(values)), values.index(max(values))
    place = {"small": small, "large": large, "big": large, "first": 0, "second": 1}[turned[1].lower()]
    return story_of("lcm", "gears", story.facts, (Ask("quotients", (place,)),))


def _tiles(story: Told, asks: list[str]) -> CommonStory | None:
    """Rectangles form the smallest square."""
    if not is_rectangle(story) or not LEAST.search(story.text) or MOST.search(story.text):
        return None
    if not re.search(
        r"\b(?:form|make|lay|laid|arrange|build|construct)\w*\b[^.?!]{0,60}\bsquare\b(?! [a-z]+s\b)",
        story.text,
        re.IGNORECASE,
    ):
        return None
    if not re.search(
        r"\b(?:tiles|cards|bricks|rectangles|pieces|blocks|sheets|photos|stones)\b", story.text, re.IGNORECASE
    ):
        return None
    return story_of("lcm", "tiles", story.facts, of_squares(asks, length_unit(story)), unit_word(story))


_PACK = re.compile(r"\b([a-z]+)\s+of\s*$", re.IGNORECASE)
_TO_A_PACK = re.compile(r"\s+(?:[a-z]+ )?(?:to|in|per) (?:an?|each|every) ([a-z]+)", re.IGNORECASE)
_EQUAL = re.compile(
    r"\b(?:(?:the |an? )?(?:same|equal) (?:number|amount|quantity|quantities)|equal numbers|equal quantities"
    r"|(?:exactly )?as many [^.?!]{1,40}? as|match(?:es)?)\b",
    re.IGNORECASE,
)
_EQUAL_PACKS = re.compile(  # as many packs of one as of the other: the numbers of things differ
    r"\b(?:same|equal) (?:number|amount) of (?:packs|packages|packets|boxes|bags|sets|bundles|cartons|cases)\b",
    re.IGNORECASE,
)
_CONTAINERS = frozenset(
    {"pack", "package", "packet", "box", "bag", "set", "bundle", "carton", "case", "roll", "tray", "jar", "tin"}
)


def _packs(story: Told, asks: list[str]) -> CommonStory | None:
    """Things come in packs of different sizes, and as many of one are wanted as of the other."""
    if not _EQUAL.search(story.text) or _EQUAL_PACKS.search(story.text) or MOST.search(story.text):
        return None
    if not (LEAST.search(story.text) or re.search(r"\bat least\b", story.text)) or not 2 <= len(story.facts) <= 3:
        return None
    containers, items = set(), []
    for place in story.places:
        found = _PACK.search(story.lead(place)) or _TO_A_PACK.match(story.tail(place))
        if not found or stem(found[1].lower()) not in _CONTAINERS:
            return None
        containers.add(stem(found[1].lower()))
        items.append(content_words(re.split(r"[.?!;]", story.before(place, 120))[-1]) - _CONTAINERS)
    made = story_of("lcm", "packs", story.facts, all_asks(asks, lambda ask: _of_packs(ask, containers, items)))
    names = [_PACKED.search(re.split(r"[.?!;]|\band\b", story.before(place, 120))[-1]) for place in story.places]
    return replace(made, names=tuple(one[1].lower() for one in names if one)) if made and all(names) else made


_PACKED = re.compile(r"([a-z]+(?: (?!come|comes|are|is|in)[a-z]+)?) (?:come|comes|are|is|in)\b", re.IGNORECASE)
_PACKS_OF = re.compile(
    r"\b(?:how many|number of|fewest) (?:\w+ ){0,2}?(?:packs?|packages?|boxes|bags|sets|bundles|cartons|cases|packets"
    r"|trays) of ([a-z]+(?: [a-z]+){0,3})",
    re.IGNORECASE,
)


def _of_packs(ask: str, containers: set[str], items: list[frozenset[str]]) -> Ask | None:
    """Return what one question about packs asks for: the things in them, or the packs of one kind or of each."""
    if not content_words(ask) & (containers | {"pack", "package"}):
        counted = re.search(r"\bhow many\b|\bnumber of\b|\b(?:fewest|least)\b", ask, re.IGNORECASE)
        return Ask("common") if counted else None
    if re.search(r"\b(?:of each|each (?:of|kind|type|item))\b", ask, re.IGNORECASE):
        return Ask("quotients", tuple(range(len(items))))
    named = _PACKS_OF.search(ask)
    places = places_named(items, content_words(named[1])) if named else ()
    return Ask("quotients", places) if len(places) == 1 else None


_LEFT = re.compile(
    r"\b(\d+)\s+(?:(?!with|no|none|nobody|nothing|or|and|without)\w+\s+){0,4}?(?:left|remain\w*|extra)\b"
    r"|\b(?:remainder(?: of)?|leav(?:es?|ing))\s+(\d+)\b",
    re.IGNORECASE,
)
_SIZES_LEAD = re.compile(r"\b(?:of|in|into|by|among|or|between)\s*$", re.IGNORECASE)
_GROUP = (
    r"(?:rows|lines|columns|groups|teams|bags|boxes|piles|stacks|packs|bunches|sets|baskets|jars|tables|bundles|heaps"
    r"|packages|plates|ranks|squads)"
)
_GROUPED = re.compile(rf"\b(?:{_GROUP}|people|children|students|friends|kids|counted)\b", re.IGNORECASE)
_GROUPS_ASKED = re.compile(rf"\b(?:number of|fewest|how many) {_GROUP}\b", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\b(?:or|either|whether|whenever|also|any of)\b|\d+s\b", re.IGNORECASE)


def _arrangements(story: Told, asks: list[str]) -> CommonStory | None:
    """Things can be arranged in groups of several sizes, with none or always as many left over."""
    if len(asks) != 1 or not LEAST.search(story.text) or MOST.search(story.text):
        return None
    if not _ALTERNATIVES.search(story.text) or not _GROUPED.search(story.text):
        return None
    if not LEAST.search(asks[0]) or _GROUPS_ASKED.search(asks[0]):
        return None
    left = [int(found[1] or found[2]) for found in _LEFT.finditer(story.text)]
    even = re.search(r"\b(?:divided|split|arranged|put)\b[^.?!]*\bequal number of\b", story.text, re.IGNORECASE)
    if len(set(left)) > 1 or not (left or even or NOTHING_LEFT.search(story.text)):
        return None
    shift = left[0] if left else 0
    kept = {
        place
        for place, fact in enumerate(story.facts)
        if fact.value == shift
        and (_LEFT.match(story.text, fact.start) or re.search(r"\b(?:than|of|leav(?:es?|ing))\s*$", story.lead(place)))
    }
    story = story.without(kept)
    if len(story.facts) < 2 or min(fact.value for fact in story.facts) <= shift:
        return None
    if not all(_are_sizes(story, places) for places in _listed(story)):
        return None
    if left and not re.search(
        r"\b(?:each|every|always|exactly|still|in all|again|both|whenever|any)\b", story.text, re.IGNORECASE
    ):
        return None
    found = story_of("lcm", "arrangements", story.facts, (Ask("common"),))
    return replace(found, shift=shift) if found else None


def _are_sizes(story: Told, places: list[int]) -> bool:
    """Return whether the facts of a list are sizes or numbers of groups: rows of 3, 4 or 5; in 8 equal rows; in 5s."""
    lead, tail = story.lead(places[0]), story.tail(places[-1])
    named = re.search(r"\b[a-z]+s\s+of\s*$", lead, re.IGNORECASE)
    return bool(_SIZES_LEAD.search(lead) and (named or re.match(r"s\b|(?:\s+equal)?\s+[a-z]+s\b", tail, re.IGNORECASE)))


def _stacked(story: Told, asks: list[str]) -> CommonStory | None:
    """Stacks of blocks are equally high, or steps end at the same place."""
    if len(asks) != 1 or len(story.facts) != 2 or not LEAST.search(story.text) or MOST.search(story.text):
        return None
    if not length_unit(story) or not is_asked_in(length_unit(story), asks[0]):
        return None
    stacks = re.search(r"\bstack", story.text, re.IGNORECASE) and re.search(
        r"\bsame height\b|\bequal(?:ly)? (?:high|tall|height)", story.text, re.IGNORECASE
    )
    steps = re.search(r"\b(?:steps?|strides?|paces?|jumps?|hops?)\b", story.text, re.IGNORECASE) and re.search(
        r"\b(?:whole number of|same (?:spot|place|point)|together|exact number of)\b", asks[0], re.IGNORECASE
    )
    if not (stacks or steps) or not re.search(
        r"\b(?:height|distance|how far|how high|how tall|length)\b", asks[0], re.IGNORECASE
    ):
        return None
    return story_of("lcm", "distances", story.facts, (Ask("common"),), unit_word(story))


MULTIPLE_RULES = (_events, _gears, _tiles, _packs, _arrangements, _stacked)
