"""English stories about common divisors and multiples: buses that leave together, identical baskets, square tiles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sau_solver.text.asking.common_stories import MAX_FACTS, Ask, CommonStory, Told, story_of, told

_TIME = r"(second|minute|hour|day|week|month|year|night)s?"
_LENGTH = r"(cm|mm|dm|km|m|ft|inch(?:es)?|feet|foot|yards?|(?:centi|deci|milli|kilo)?met(?:er|re)s?)\b"
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bDr\.)(?<=\.)\s+(?=[A-Z\d])")
_ASKING = re.compile(r"\?|^\s*(?:find|determine|calculate)\b", re.IGNORECASE)
_PART = re.compile(r",?\s+and\s+(?=how many\b|what\b)", re.IGNORECASE)
_MOST = re.compile(
    r"\b(?:greatest|largest|biggest|longest|highest|maximum|maximal|the most|what's the most|at most|"
    r"as (?:many|large|long|big|wide)\b[^.?!,]{0,40}?\b(?:as (?:possible|(?:she|he|they|we|you|it) can)|possible))\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:least|smallest|fewest|minimum|lowest|shortest|as few\b[^.?!,]{0,40}?\bas (?:possible|\w+ can))\b",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"\b(?:identical|alike|the same|all the same|equal(?:ly)?|evenly|equal-(?:sized|length)|all of one size)\b",
    re.IGNORECASE,
)
_NOTHING_LEFT = re.compile(
    r"\b(?:left[ -]?over|left out|(?:nothing|none|nobody|no one|no \w+)(?: \w+){0,3} (?:left|remain\w*|wasted)"
    r"|(?:never|without|not|n't|no)\b[^.?!]{0,30}\b(?:left|leftovers?|remain\w*|wast\w+|cut|cutting|broken|breaking)"
    r"|nothing (?:is )?wasted|us(?:e|es|ing)(?: up)? (?:all|every)\w*|exact number of times)\b",
    re.IGNORECASE,
)
_TWICE_SAME = re.compile(r"\bsame number of\b[^.?!]{0,80}\bsame number of\b|\bsame number of each\b", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:together|same (?:time|day|date|moment|instant|year|month|week|night|position|place|spot|minute)|at once"
    r"|simultaneously|both|all (?:3|three|of them|\w+s)|meet|lin(?:e|ed) up|coincide|happen|each other)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:again|next|first|once more|earliest|second time|until|for the 2nd time|shortest time|least time)\b",
    re.IGNORECASE,
)
_OTHER_ASKED = re.compile(
    r"\b(?:area|perimeter|volume|cost|costs|price|pay|money|average|total (?:number|weight|length|amount)|difference"
    r"|more(?! than \d)|fewer|what time|ratio|percent|fraction|probability|speed|how fast|profit|sum|product)\b|\$",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\$|\bper (?:second|minute|hour|day)\b|/h\b|\bm/s\b|\bmph\b|\btimes as\b|\btwice\b|%", re.IGNORECASE
)
_STOP = frozenset(
    "a an the of in on at to for with and or is are was were be will would can could do does did must should has have "
    "had each every per how many much what that there he she they it you we his her their its number long wide all "
    "least most greatest smallest fewest largest one two three possible into from if more than other another only "
    "come comes sold packaged get gets want wants need needs go goes same as some put buy order".split()
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_CLOCK = re.compile(r"\s*(?:a\.?m\b|p\.?m\b|o'clock)|:\d\d", re.IGNORECASE)


def english_story(text: str) -> CommonStory | None:
    """Return the story about a common divisor or multiple that an English text tells; None if it tells another."""
    if not (_AGAIN.search(text) or _MOST.search(text) or _LEAST.search(text)) or _RATE.search(text):
        return None
    story = told(text, "en")
    if story is None:
        return None
    story = _essential(story)
    if not 2 <= len(story.facts) <= MAX_FACTS:
        return None
    asks = _asked(story.text)
    if not asks or any(_OTHER_ASKED.search(ask) for ask in asks):
        return None
    for rule in (_events, _gears, _tiles, _packs, _arrangements, _stacked, _squares, _lengths, _spaced, _groups):
        if found := rule(story, asks):
            return found
    return None


def _essential(story: Told) -> Told:
    """Leave out the numbers that only count what the story lists (two buses, one of them) and clock times."""
    digits = [place for place, fact in enumerate(story.facts) if not fact.spelled]
    dropped = set()
    for place, fact in enumerate(story.facts):
        every = re.search(r"\bevery\s*$", story.lead(place), re.IGNORECASE)
        if _CLOCK.match(story.tail(place)):
            dropped.add(place)
        elif fact.spelled and (fact.value == 1 or (len(digits) > 1 and fact.value <= 4 and not every)):
            dropped.add(place)
        elif (
            place == 0
            and not every
            and fact.value == len(digits) - 1 > 1
            and not re.match(rf"\s*-?(?:{_TIME}|{_LENGTH})", story.tail(0))
        ):
            dropped.add(place)
    return story.without(dropped)


def _asked(text: str) -> list[str]:
    sentences = [sentence for sentence in _SENTENCE.split(text) if _ASKING.search(sentence)]
    return [part for sentence in sentences for part in _PART.split(sentence)]


def _stem(word: str) -> str:
    for end, new in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("s", "")):
        if word.endswith(end) and len(word) > len(end) + 1 and not word.endswith("ss"):
            return word.removesuffix(end) + new
    return word


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP)


def _own(words: Sequence[frozenset[str]], asked: frozenset[str]) -> tuple[int, ...]:
    """Return the places whose own words, which no other place has, are asked for."""
    found = []
    for place, one in enumerate(words):
        others = frozenset().union(*(other for k, other in enumerate(words) if k != place))
        if (one - others) & asked:
            found.append(place)
    return tuple(found)


def _listed(story: Told) -> list[list[int]]:
    """Return the places of facts in lists: `9, 12 and 15 minutes` is one."""
    lists: list[list[int]] = []
    between = re.compile(
        rf"\s*-?(?:{_TIME}|{_LENGTH}|s\b)?\s*(?:,\s*(?:and|or)?|and|or|by|x|×)\s+(?:every )?", re.IGNORECASE
    )
    for place in range(len(story.facts)):
        if lists and between.fullmatch(story.before(place)):
            lists[-1].append(place)
        else:
            lists.append([place])
    return lists


_EVERY = re.compile(r"\bevery\s*$|\bevery other\s*$", re.IGNORECASE)
_LAP = re.compile(r"\b(?:laps?|rounds?|circles?|orbits?|turns?|revolutions?|rotations?|track)\b", re.IGNORECASE)
_LAP_LEAD = re.compile(r"\b(?:in|takes|take|needs|every|and)\s*$", re.IGNORECASE)
_INTERVAL = re.compile(rf"\s*(?:-\s?)?{_TIME}\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\s+([a-z]+)", re.IGNORECASE)
_HOW_LONG = re.compile(
    rf"\bhow many (?:more )?{_TIME}\b|\bhow (long)\b|\b(when)\b|\b(?:shortest|least) (?:amount of )?time\b",
    re.IGNORECASE,
)
_SPAN = re.compile(rf"\bhow many times\b.*\b(?:in|during|within|over) the next\s*$", re.IGNORECASE)


def _events(story: Told, asks: list[str]) -> CommonStory | None:
    """Two events come back at intervals: after how long do they come together again?"""
    if len(asks) != 1 or not _TOGETHER.search(asks[0]) or not _AGAIN.search(story.text):
        return None
    (ask,) = asks
    span = 0
    if _SPAN.search(story.lead(len(story.facts) - 1, 200)) and (
        unit := _INTERVAL.match(story.tail(len(story.facts) - 1))
    ):
        span = int(story.facts[-1].value)
        story = story.without({len(story.facts) - 1})
    elif not _AGAIN.search(ask):
        return None
    units = set()
    lap = _LAP.search(story.text)
    for places in _listed(story):
        lead, tail = story.lead(places[0]), story.tail(places[-1])
        every = _EVERY.search(lead)
        named = _INTERVAL.match(tail) or (_ORDINAL.match(tail) if every else None)
        if not named or not (
            every
            or (lap and _LAP_LEAD.search(lead))
            or re.match(r"\s*-?\s?\w+\s+intervals?\b|[^.?!]{0,40}\bintervals\b", tail)
        ):
            return None
        units.add(named[1].lower())
    if len(units) != 1 or (
        len(story.facts) > 2 and not re.search(r"\ball\b|\b[34] \w|\beveryone\b", story.text, re.IGNORECASE)
    ):
        return None
    (unit_name,) = units
    if span:
        return _with_span(
            story_of("lcm", "events", story.facts, (Ask("times"),), unit_name),
            span,
            unit and unit[1].lower() == unit_name,
        )
    if re.search(
        rf"\b(?:which|what(?: number)?|what's the first) (?:\w+ ){{0,2}}?{re.escape(unit_name)}\b", ask, re.IGNORECASE
    ):
        return story_of("lcm", "events", story.facts, (Ask("common"),), unit_name)
    how = _HOW_LONG.search(ask)
    if (
        not how
        or (how[1] and how[1].lower() != unit_name)
        or (how[3] and re.search(r"\d\s*(?:[ap]\.?m|:\d|o'clock)|noon|midnight", story.text, re.IGNORECASE))
    ):
        return None
    if re.search(r"\bhow many times\b", ask, re.IGNORECASE):
        return None
    return story_of("lcm", "events", story.facts, (Ask("common"),), unit_name)


def _with_span(story: CommonStory | None, span: int, same_unit: bool) -> CommonStory | None:
    return replace(story, span=span) if story and same_unit and span >= story.common else None


def _gears(story: Told, asks: list[str]) -> CommonStory | None:
    """Marked teeth of two gears meet again after some teeth, or after some turns of one gear."""
    if len(asks) != 1 or len(story.facts) != 2 or not _AGAIN.search(asks[0]):
        return None
    if not all(re.match(r"(?:\s|-)(?:teeth|tooth)\b", story.tail(place)) for place in (0, 1)):
        return None
    (ask,) = asks
    if re.search(r"\bhow many teeth\b", ask, re.IGNORECASE):
        return story_of("lcm", "gears", story.facts, (Ask("common"),))
    turned = re.search(
        r"\bhow many (?:complete |full |whole )?(?:turns|revolutions|rotations)\b[^.?!]{0,20}?\b(small|large|big|first|second)(?:er)?\b",
        ask,
        re.IGNORECASE,
    )
    if not turned:
        return None
    values = [fact.value for fact in story.facts]
    place = {
        "small": values.index(min(values)),
        "large": values.index(max(values)),
        "big": values.index(max(values)),
        "first": 0,
        "second": 1,
    }[turned[1].lower()]
    return story_of("lcm", "gears", story.facts, (Ask("quotients", (place,)),))


def _is_rectangle(story: Told) -> bool:
    """Return whether the facts are the two sides of a rectangle: 48 cm by 36 cm, 48 m long and 36 m wide."""
    if len(story.facts) != 2:
        return False
    between = story.after(0, 200)
    return bool(
        re.fullmatch(rf"\s*-?{_LENGTH[:-2]}?\s*(?:by|x|×)\s*(?:an? )?", between, re.IGNORECASE)
        or (
            re.fullmatch(
                rf"\s*{_LENGTH[:-2]}\s*(?:long|in length|wide)?\s*(?:,|and|, and)\s*(?:(?:its|the|a) )?(?:width |length )?(?:is |of )?",
                between,
                re.IGNORECASE,
            )
            and re.search(r"\b(?:wide|width|breadth)\b", story.text, re.IGNORECASE)
            and re.search(r"\b(?:long|length)\b", story.text, re.IGNORECASE)
        )
    )


_SIDE = re.compile(r"\b(?:side|sides|length|long|size|dimensions?|wide)\b", re.IGNORECASE)


def _tiles(story: Told, asks: list[str]) -> CommonStory | None:
    """Rectangles form the smallest square."""
    if not _is_rectangle(story) or not _LEAST.search(story.text) or _MOST.search(story.text):
        return None
    if not re.search(
        r"\b(?:form|make|lay|laid|arrange|build|construct)\w*\b[^.?!]{0,60}\bsquare\b", story.text, re.IGNORECASE
    ):
        return None
    if not re.search(
        r"\b(?:tiles|cards|bricks|rectangles|pieces|blocks|sheets|photos|stones)\b", story.text, re.IGNORECASE
    ):
        return None
    return story_of("lcm", "tiles", story.facts, _of_squares(asks, _length_unit(story)))


_SHORT = {
    "centimeter": "cm",
    "decimeter": "dm",
    "millimeter": "mm",
    "meter": "m",
    "kilometer": "km",
    "feet": "ft",
    "foot": "ft",
}


def _length_unit(story: Told) -> str | None:
    """Return the unit of length that all facts have, or an empty string if they have none; None if units differ."""
    found = [re.match(rf"[\s-]*{_LENGTH}", story.tail(place), re.IGNORECASE) for place in range(len(story.facts))]
    units = {_short(one[1]) for one in found if one}
    return None if len(units) > 1 else next(iter(units), "")


def _short(unit: str) -> str:
    word = _stem(unit.lower().replace("metre", "meter"))
    return _SHORT.get(word, word)


def _is_in(unit: str | None, ask: str) -> bool:
    """Return whether a question asks for no other unit of length than this one."""
    if unit is None:
        return False
    asked = re.search(rf"\b(?:in|how many) {_LENGTH}", ask, re.IGNORECASE)
    return asked is None or _short(asked[1]) == unit


def _of_squares(asks: list[str], unit: str | None) -> tuple[Ask, ...]:
    """Return what questions about the sides or the number of squares ask for; nothing if one asks for more."""
    if not all(_is_in(unit, ask) for ask in asks):
        return ()
    found = []
    for ask in asks:
        if many := re.search(rf"\bhow many ((?!{_TIME}|{_LENGTH})[a-z]+)|\bnumber of [a-z]+", ask, re.IGNORECASE):
            if _LEAST.search(ask) is None and _MOST.search(ask) and not many[1]:
                return ()
            found.append(Ask("product"))
        elif _SIDE.search(ask):
            found.append(Ask("common"))
        else:
            return ()
    return tuple(found)


_PACK = re.compile(r"\b([a-z]+)\s+of\s*$", re.IGNORECASE)
_TO_A_PACK = re.compile(r"\s+(?:[a-z]+ )?(?:to|in|per) (?:an?|each|every) ([a-z]+)", re.IGNORECASE)
_EQUAL = re.compile(
    r"\b(?:(?:the |an? )?(?:same|equal) (?:number|amount|quantity|quantities)|equal numbers|equal quantities"
    r"|(?:exactly )?as many [^.?!]{1,40}? as|match(?:es)?)\b",
    re.IGNORECASE,
)
_CONTAINERS = frozenset("pack package packet box bag set bundle carton case roll dozen tray jar tin crate".split())


def _packs(story: Told, asks: list[str]) -> CommonStory | None:
    """Things come in packs of different sizes, and as many of one are wanted as of the other."""
    if not _EQUAL.search(story.text) or _MOST.search(story.text):
        return None
    if not (_LEAST.search(story.text) or re.search(r"\bat least\b", story.text)) or not 2 <= len(story.facts) <= 3:
        return None
    containers, items = set(), []
    for place in range(len(story.facts)):
        found = _PACK.search(story.lead(place)) or _TO_A_PACK.match(story.tail(place))
        if not found or _stem(found[1].lower()) not in _CONTAINERS:
            return None
        containers.add(_stem(found[1].lower()))
        items.append(_words(re.split(r"[.?!;]", story.before(place, 120))[-1]) - _CONTAINERS)
    wanted = []
    for ask in asks:
        asked = _words(ask) & (containers | {"pack", "package"})
        if not asked:
            if not re.search(r"\bhow many\b|\bnumber of\b|\b(?:fewest|least)\b", ask, re.IGNORECASE):
                return None
            wanted.append(Ask("common"))
        elif re.search(r"\b(?:of each|each (?:of|kind|type|item))\b", ask, re.IGNORECASE):
            wanted.append(Ask("quotients", tuple(range(len(items)))))
        else:
            named = re.search(
                r"\b(?:how many|(?:number of|fewest)) (?:\w+ ){0,2}?(?:packs?|packages?|boxes|bags|sets|bundles|cartons|cases|packets|trays) of ((?:[a-z]+\s?){1,4})",
                ask,
                re.IGNORECASE,
            )
            places = _own(items, _words(named[1])) if named else ()
            if len(places) != 1:
                return None
            wanted.append(Ask("quotients", places))
    return story_of("lcm", "packs", story.facts, tuple(wanted))


_LEFT = re.compile(
    r"\b(\d+)\s+(?:(?!with|no|none|nobody|nothing|or|and|without)\w+\s+){0,4}?(?:left|remain\w*|extra)\b|\b(?:remainder(?: of)?|leav(?:es?|ing))\s+(\d+)\b",
    re.IGNORECASE,
)
_SIZES_LEAD = re.compile(r"\b(?:of|in|into|by|among|or|between)\s*$", re.IGNORECASE)
_GROUPED = re.compile(
    r"\b(?:rows|lines|columns|groups|teams|bags|boxes|piles|stacks|packs|bunches|sets|baskets|jars|tables|people|children|students"
    r"|friends|bundles|counted|heaps|packages|kids|plates|ranks|fours|squads)\b",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"\b(?:or|either|whether|whenever|also|any of)\b|\d+s\b", re.IGNORECASE)


def _arrangements(story: Told, asks: list[str]) -> CommonStory | None:
    """Things can be arranged in groups of several sizes, with none or always as many left over."""
    if len(asks) != 1 or not _LEAST.search(story.text) or _MOST.search(story.text):
        return None
    if not _ALTERNATIVES.search(story.text) or not _GROUPED.search(story.text):
        return None
    if not re.search(r"\b(?:least|smallest|fewest|minimum|lowest)\b", asks[0], re.IGNORECASE):
        return None
    left = [int(found[1] or found[2]) for found in _LEFT.finditer(story.text)]
    even = re.search(r"\b(?:divided|split|arranged|put)\b[^.?!]*\bequal number of\b", story.text, re.IGNORECASE)
    if len(set(left)) > 1 or not (left or even or _NOTHING_LEFT.search(story.text)):
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
    for places in _listed(story):
        if not (
            _SIZES_LEAD.search(story.lead(places[0]))
            and (
                re.search(r"\b[a-z]+s\s+of\s*$", story.lead(places[0]), re.IGNORECASE)
                or re.match(r"s\b|(?:\s+equal)?\s+[a-z]+s\b", story.tail(places[-1]), re.IGNORECASE)
            )
        ):
            return None
    if left and not re.search(
        r"\b(?:each|every|always|exactly|still|in all|again|both|whenever|any)\b", story.text, re.IGNORECASE
    ):
        return None
    found = story_of("lcm", "arrangements", story.facts, (Ask("common"),))
    return replace(found, shift=shift) if found else None


def _stacked(story: Told, asks: list[str]) -> CommonStory | None:
    """Stacks of blocks are equally high, or steps end at the same place."""
    if len(asks) != 1 or len(story.facts) != 2 or not _LEAST.search(story.text) or _MOST.search(story.text):
        return None
    if not all(re.match(rf"\s*-?{_LENGTH}", story.tail(place), re.IGNORECASE) for place in (0, 1)):
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
    return story_of("lcm", "events", story.facts, (Ask("common"),))


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
        for between in (story.after(place, 200) for place in range(len(story.facts) - 1))
    )


def _divides(story: Told) -> bool:
    return bool(
        2 <= len(story.facts) <= 4
        and _MOST.search(story.text)
        and not _LEAST.search(story.text)
        and _are_parallel(story)
    )


def _squares(story: Told, asks: list[str]) -> CommonStory | None:
    """A rectangle is divided into the largest equal squares."""
    text = story.text
    fewest = re.search(
        r"\b(?:least|smallest|fewest|minimum) (?:possible )?(?:number of )?(?:identical |equal )?square \w+s\b",
        text,
        re.IGNORECASE,
    )
    if not (_divides(story) or (fewest and not _MOST.search(text))) or not _is_rectangle(story):
        return None
    if not re.search(
        r"\bsquares\b|\bsquare [a-z]+s\b|\b(?:largest|biggest|greatest) (?:square |possible )?tile\b",
        text,
        re.IGNORECASE,
    ):
        return None
    if not (_SAME.search(text) or re.search(r"\btile\b", text)):
        return None
    if not (_NOTHING_LEFT.search(text) or re.search(r"\b(?:cover|pave|tile)[a-z]*\b", text, re.IGNORECASE)):
        return None
    return story_of("gcd", "squares", story.facts, _of_squares(asks, _length_unit(story)))


def _lengths(story: Told, asks: list[str]) -> CommonStory | None:
    """Ropes are cut into the longest equal pieces."""
    if (
        not _divides(story)
        or _is_rectangle(story)
        or not (_SAME.search(story.text) and _NOTHING_LEFT.search(story.text))
    ):
        return None
    if not re.search(r"\b(?:cut|cuts|saw|saws|sawn|divided?|split|chop)\b", story.text, re.IGNORECASE):
        return None
    unit = _length_unit(story)
    if not unit or not all(_is_in(unit, ask) for ask in asks):
        return None
    wanted = []
    for ask in asks:
        if re.search(rf"\bhow many (?!{_LENGTH})", ask, re.IGNORECASE):
            if _MOST.search(ask) and not re.search(r"\b(?:longest|long as)\b", ask):
                return None
            wanted.append(Ask("sum"))
        elif re.search(r"\b(?:long|longest|length|size)\b", ask, re.IGNORECASE) and not re.search(
            r"\bnumber of\b", ask
        ):
            wanted.append(Ask("common"))
        else:
            return None
    return story_of("gcd", "lengths", story.facts, tuple(wanted))


def _spaced(story: Told, asks: list[str]) -> CommonStory | None:
    """Trees stand around a rectangle at the greatest equal distance; a container measures two amounts exactly."""
    if not _divides(story) or len(asks) != 1:
        return None
    trees = (
        _is_rectangle(story)
        and re.search(r"\bcorner", story.text)
        and _SAME.search(story.text)
        and re.search(r"\bdistance\b|\bapart\b", asks[0])
    )
    measured = re.search(
        r"\bexact(?:ly)? (?:number of times|measure)|\bmeasure\b[^.?!]{0,60}\bexact", story.text, re.IGNORECASE
    ) and not re.search(r"\bhow many\b", asks[0], re.IGNORECASE)
    return (
        story_of("gcd", "lengths", story.facts, (Ask("common"),))
        if (trees or measured) and _MOST.search(asks[0])
        else None
    )


def _groups(story: Told, asks: list[str]) -> CommonStory | None:
    """Things of several kinds go into the greatest number of identical groups."""
    text = story.text
    if not _divides(story) or not _SAME.search(text):
        return None
    if not (
        _NOTHING_LEFT.search(text)
        or _TWICE_SAME.search(text)
        or _UNMIXED.search(text)
        or re.search(r"\b(?:identical|exactly alike)\b", text)
    ):
        return None
    if any(
        re.match(rf"[\s-]*(?:{_LENGTH}|{_TIME}\b)", story.tail(place), re.IGNORECASE)
        for place in range(len(story.facts))
    ):
        return None
    items = [
        _words(re.split(r"[,.;?!]|\b(?:and|in|to|for|with|that|are|on|from)\b", story.after(place))[0])
        for place in range(len(story.facts))
    ]
    wanted = []
    for ask in asks:
        found = _of_groups(ask, text, items)
        if found is None:
            return None
        wanted.append(found)
    return story_of("gcd", "groups", story.facts, tuple(wanted))


_UNMIXED = re.compile(
    r"\b(?:each|every) (?:row|column|team|line|group|shelf|table)\b[^.?!]{0,40}\b(?:the same|an equal) number of\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"\bhow many of each\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (.*?)(?=\b(?:are|is|will|would|can|could|does|do|did|must|should|in|go|goes|per|on|for|each|were|was)\b|\?|$)",
    re.IGNORECASE,
)


def _of_groups(ask: str, text: str, items: list[frozenset[str]]) -> Ask | None:
    """Return what one question about identical groups asks for."""
    if _OF_EACH.search(ask):
        return Ask("quotients", tuple(range(len(items))))
    counted = _COUNTED.search(ask)
    named = _own(items, _words(counted[1])) if counted else ()
    if named:
        return Ask("quotients", named)
    if _MOST.search(ask):
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
    if counted and most and _words(counted[1]) & _words(most[1]) and not re.search(r"\beach\b", ask):
        return Ask("common")
    return None
