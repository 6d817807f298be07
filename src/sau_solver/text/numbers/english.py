"""Read English number words: twenty-five, one hundred and five, two thirds, two and a half, twice."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: n for n, word in enumerate(_SMALL.split())}
TENS = {word: 10 * n for n, word in enumerate(_TENS.split(), start=2)}
TENS["fourty"] = 40  # a common misspelling
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
MULTIPLES = {
    **dict.fromkeys(("twice", "double", "doubled", "doubles"), 2),
    **dict.fromkeys(("thrice", "triple", "tripled", "triples"), 3),
    **dict.fromkeys(("quadruple", "quadrupled"), 4),
    "dozen": 12,
}
_PARTS = {"third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
_PARTS |= {"tenth": 10, "twelfth": 12, "sixteenth": 16, "twentieth": 20, "hundredth": 100, "thousandth": 1000}
ONE_PART = {"half": 2, **_PARTS}
MANY_PARTS = {"halves": 2, **{part + "s": n for part, n in _PARTS.items()}}
MOST_WORDS = 40  # a longer chain of number words is not read as a number

_WORD = re.compile("[a-z]+")
Found = tuple[int, int, Fraction]


@lru_cache(maxsize=8192)
def split_phrase(phrase: str) -> tuple[Found, ...]:
    """Return the numbers (start, end, value) of a lowercase chain of number words with spaces, hyphens and "and"."""
    places = [(match[0], match.start(), match.end()) for match in _WORD.finditer(phrase)]
    if len(places) > MOST_WORDS:
        return ()
    words = [word for word, _, _ in places]
    found: list[Found] = []
    at = 0
    while at < len(words):
        value, after = _quantity(words, at)
        if after > at:
            found.append((places[at][1], places[after - 1][2], value))
        at = max(after, at + 1)
    return tuple(found)


def _quantity(words: list[str], at: int) -> tuple[Fraction, int]:
    """Read a fraction, mixed number, multiple or cardinal at `at`. The end is `at` itself if there is none."""
    if words[at] in MULTIPLES:
        return Fraction(MULTIPLES[words[at]]), at + 1
    part, after = _part(words, at)
    if after > at:
        return part, after
    value, after = cardinal(words, at)
    if at < after < len(words) - 1 and words[after] == "and":
        part, end = _part(words, after + 1)
        if end > after + 1:
            return value + part, end
    return Fraction(value), after


def _part(words: list[str], at: int) -> tuple[Fraction, int]:
    """Read a fraction such as half, a third, one half, three quarters. The end is `at` itself if there is none."""
    if at < len(words) and words[at] == "half":
        return Fraction(1, 2), at + 1
    if at + 1 < len(words) and words[at] in ("a", "an", "one") and words[at + 1] in ONE_PART:
        return Fraction(1, ONE_PART[words[at + 1]]), at + 2
    count, after = cardinal(words, at)
    if at < after < len(words) and words[after] in MANY_PARTS and 1 < count < MANY_PARTS[words[after]]:
        return Fraction(count, MANY_PARTS[words[after]]), after + 1  # "seven quarters" are coins
    return Fraction(0), at


def cardinal(words: list[str], at: int) -> tuple[int, int]:
    """Return the value and the end of the longest cardinal at `at`."""
    total, current = 0, 0  # the part above the last thousand, million, …, and the part below it
    scale = 10**15  # the last thousand, million, …; the next must be smaller
    room = 100  # words below this value may still be added to `current`: 100, 10 after tens, 1 after ones
    end = at
    position = at
    while position < len(words):
        word = words[position]
        if word in ("a", "an"):
            if position > at or position + 1 >= len(words) or words[position + 1] not in SCALES:
                break
        elif word == "and":
            begun = end > at and room == 100 and current % 100 == 0
            if not begun or position + 1 >= len(words) or words[position + 1] not in SMALL | TENS:
                break
        elif word in SMALL and (end == at or 0 < SMALL[word] < room):
            current, room, end = current + SMALL[word], 1, position + 1
        elif word in TENS and room == 100:
            current, room, end = current + TENS[word], 10, position + 1
        elif word == "hundred" and current < 100 and (current or end == at):
            current, room, end = (current or 1) * 100, 100, position + 1
        elif word in SCALES and word != "hundred" and (current or end == at) and SCALES[word] < scale:
            scale = SCALES[word]
            total, current, room, end = total + (current or 1) * scale, 0, 100, position + 1
        else:
            break
        position += 1
    return total + current, end
