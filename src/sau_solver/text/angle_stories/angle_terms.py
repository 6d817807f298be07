"""Text of a problem about angles -> terms that are the same in both languages: `ord3 angle = 48° ? other angle`.

Words that change a calculation and that no rule knows (an area, a radius, "at most") refuse the text. Words without a
meaning for angles are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS, with_digits
from sau_solver.text.numbers import NumberSlot, find_numbers

NUMBER = r"\d+(?:/\d+)?"
MAX_TERMS = 60

_ZERO_DIVISOR = re.compile(r"/0+(?!\d)")
_FIRST_NUMBER = re.compile(NUMBER)
_TIME = re.compile(r"(\d{1,2})(?: o'?clock|[时点]整?|[:：])(\d{1,2})?", re.IGNORECASE)
_HALF_OF_DAY = re.compile(r"[ap]\.?m|[上下]午|早上|晚上", re.IGNORECASE)
_HOURS = 12
_NAME = re.compile(r"([A-Za-z]|\d+)\W*$")
_TWICE: dict[str, str] = {"twice": "2 times", "double": "2 times", "triple": "3 times", "thrice": "3 times"}
_LISTED = re.compile(r"(?<=° )(?:\| )+(?=\S+° )")  # 48°, 65° and 80°
_BREAKS = re.compile(r"(?:\| )+")
_IDLE_IS = re.compile(r"(?:(?<=\| )|^)(?:= )+|(?:= )+(?=[|?]|$)")


@dataclass(frozen=True, slots=True)
class AngleWords:
    """The words of one language: those that are terms, and those that refuse a text."""

    language: Language
    cue: re.Pattern[str]  # every text about angles has one of them
    refused: str
    terms: tuple[tuple[str, str], ...]  # pattern -> terms; the first pattern that matches at a place counts
    unknown: str  # a word without a meaning

    def read(self, text: str) -> str | None:
        """Return the terms of a text, each followed by a space; None if the text is about something else."""
        if len(text) > MAX_CHARACTERS or not self.cue.search(text):
            return None
        told, _ = with_digits(text, find_numbers(text, self.language), _digits)
        if _ZERO_DIVISOR.search(told) or _alternatives((self.refused,)).search(told):
            return None
        scanner = _alternatives((*(f"({pattern})" for pattern, _ in self.terms), self.unknown))
        found = [
            _written(self.terms[match.lastindex - 1][1], match[0])
            for match in scanner.finditer(told)
            if match.lastindex
        ]
        terms = " ".join(found).split()
        if len(terms) > MAX_TERMS:
            return None
        line = "".join(f"{term} " for term in terms)
        line = _BREAKS.sub("| ", _LISTED.sub("", line)).removeprefix("| ")
        return _BREAKS.sub("| ", _IDLE_IS.sub("", line))


@lru_cache(maxsize=8)
def _alternatives(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Return one pattern of several. It takes long to compile, so it waits for the first text about angles."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def _digits(number: NumberSlot) -> str:
    """Return a number as digits; a percentage keeps its sign, twice is 2 times."""
    if re.search("%|％|percent|per cent|百分之", number.text):
        return f"{number.value * 100}%"
    return _TWICE.get(number.text.lower(), str(number.value))


def _written(term: str, words: str) -> str:
    """Fill a term with the number, the ratio or the name among its words."""
    if "{n}" in term and (number := _FIRST_NUMBER.search(words)):
        return term.replace("{n}", number[0])
    if "{ratio}" in term:
        return term.replace("{ratio}", ":".join(_FIRST_NUMBER.findall(words)))
    if "{span}" in term:
        return " odd " if _HALF_OF_DAY.search(words) else term.replace("{span}", f"{_minutes(words)}min")
    if "{steps}" in term:
        first, last = map(int, _FIRST_NUMBER.findall(words))
        steps = f"{(last - first) % _HOURS}steps" if min(first, last) > 0 and max(first, last) <= _HOURS else "odd"
        return term.replace("{steps}", steps)
    if "{name}" in term and (name := _NAME.search(words)):
        return term.replace("{name}", name[1].upper())
    return term


def _minutes(words: str) -> int:
    """Return the minutes from one time on the face of a clock to the next: 2 o'clock, 3:20, 2时20分."""
    first, last = (int(hour) * 60 + int(minute or 0) for hour, minute in _TIME.findall(words))
    return last - first if last > first else (last - first) % (60 * _HOURS)
