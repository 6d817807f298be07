"""A number of a text -> the words it stands with, what it counts, and whether it is a rate such as 12 in each box."""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.text.numbers import MappedText, NumberSlot
from sau_solver.text.units import is_unit, leading_measure

MAX_BEFORE = 40  # characters before a bare number that are searched for the words that introduce it

_EN_AFTER = re.compile(
    r"(?:-|\s)?(?:(?:square|cubic)\s)?[A-Za-z][A-Za-z'-]*(?:\s(?:of|per)\s(?:an?\s|the\s)?[A-Za-z'-]+|\s(?:each|apiece)\b)?"
)
_EN_EMPTY = re.compile(
    r"^\s?(?:and|or|is|are|was|were|has|have|had|does|do|did|will|can|in|on|at|to|from|for|by|if|then|than|as|with|but|the|a|an|he|she|they|it|of|how)\b",
    re.IGNORECASE,
)
_EN_BEFORE = re.compile(r"(?:[A-Za-z'-]+\s){1,2}$")
_ZH_BEFORE = re.compile(r"(?![了的着过得])[\u4e00-\u9fff]{1,4}$")
_ZH_AFTER = re.compile(r"[\u4e00-\u9fff]{1,2}")
_ZH_EMPTY = re.compile(r"^[的了和与及是为占等而且则后时]")
_EN_THINGS = re.compile(r"\s?((?:square |cubic )?[a-z]+s|people|children|men|women|feet|fish|sheep|kg|km|cm|mm)\b")
_EN_NO_THING = re.compile(r"\s?(?:is|was|has|does|times|plus|minus|less|others|its|his|this|as|us|always|besides)\b")
_EN_DESCRIBED = re.compile(r"\s[a-z]{3,}(?<!s)\s([a-z]+s)\b(?<!was)(?<!is)(?<!has)(?<!does)(?<!each)")  # 7 equal pieces
_EN_RATE = re.compile(
    r"\b(?:each|every|apiece|per|an? (?:hour|minute|second|day|week|month|year|piece))\b", re.IGNORECASE
)
_EN_EACH = re.compile(r"\b(?:each|every)\b[^\d$]*\$?$", re.IGNORECASE)
_ZH_EACH = re.compile(r"每[\u4e00-\u9fff]{1,5}$")
_ZH_RATE = re.compile(r"(?:每|平均|单价)[^\d]*$")
_CLAUSE = re.compile(r"[,.;?!，。；？！:：](?!\d)")


def number_words(text: MappedText, number: NumberSlot) -> str:
    """Return a number as the text writes it, with the word that it counts or the words before it."""
    start = number.start
    if start and text.text[start - 1] in "$¥￥€£-−":
        start -= 1
    later = [other.start for other in text.numbers if other.start >= number.end]
    after = text.text[number.end : min([*later, len(text.text)])]
    if number.unit:
        return text.text[start : number.end]
    counted = _counted_zh(after) if text.language == "zh" else _counted_en(after)
    if not counted and start == number.start:  # the words before a bare number say what it is
        earlier = max([start - MAX_BEFORE, *(other.end for other in text.numbers if other.end <= start), 0])
        before = (_ZH_BEFORE if text.language == "zh" else _EN_BEFORE).search(text.text[earlier:start])
        start -= len(before[0]) if before else 0
    elif text.language == "zh" and (each := _ZH_EACH.search(text.text[max(start - MAX_BEFORE, 0) : start])):
        start -= len(each[0])
    return text.text[start : number.end] + counted


def _counted_en(after: str) -> str:
    if (described := _EN_DESCRIBED.match(after)) and not _EN_EMPTY.match(described[0]):
        return described[0]
    match = _EN_AFTER.match(after)
    return match[0] if match and not _EN_EMPTY.match(match[0]) else ""


def _counted_zh(after: str) -> str:
    """Return a unit (千米), or a measure word with what it counts (个头)."""
    measure = leading_measure(after)
    noun = _ZH_AFTER.match(after, len(measure))
    if len(measure) > 1 or noun is None or _ZH_EMPTY.match(noun[0]):
        return measure
    return measure + noun[0] if not is_unit(measure) else measure


def things_of(text: MappedText, number: NumberSlot) -> str:
    """Return what a number counts or measures (pencils, 支, 千米), or an empty string if that is not certain."""
    after = text.text[number.end :]
    if number.unit:
        return number.unit
    if text.text[: number.start].endswith("$"):
        return "dollars"
    if text.language == "zh":
        return leading_measure(after).strip()
    if (described := _EN_DESCRIBED.match(after)) and not _EN_EMPTY.match(described[0]):
        return described[1]
    found = _EN_THINGS.match(after)
    return found[1] if found and not _EN_NO_THING.match(after) else ""


def is_rate(text: MappedText, number: NumberSlot) -> bool:
    """Return whether the clause of a number says that it holds for each of several things."""
    before = _CLAUSE.split(text.text[: number.start])[-1]
    later = [other.start for other in text.numbers if other.start >= number.end]
    after = _CLAUSE.split(text.text[number.end : min([*later, len(text.text)])])[0]
    if text.language == "zh":
        return bool(_ZH_RATE.search(before)) or after.startswith(("/", "／"))
    begins = number.start - len(before)
    first = not any(begins <= other.start < number.start for other in text.numbers)  # else "each" belongs to that one
    return bool(_EN_RATE.search(after) or (first and _EN_EACH.search(before)))


def as_written(number: NumberSlot) -> str:
    """Return 25%, 1/4 or 2.50 if the text writes a number so; otherwise an empty string."""
    written = " ".join(number.text.replace("％", "%").split())
    if re.fullmatch(r"\d+ \d+/\d+", written):
        return written
    written = written.replace(" ", "")
    if re.fullmatch(r"\d+(?:\.\d+)?%", written) and Fraction(written[:-1]) == number.value * 100:
        return written
    return written if re.fullmatch(r"\d+/\d+|\d+\.\d+", written) else ""
