"""Find the numbers of an English text: digits with their words (25 percent, 2 million) and number words."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from sau_solver.text.numbers.digits import FORM, FREE, SIGN, ascii_digits, read_digits
from sau_solver.text.numbers.english import MANY_PARTS, MULTIPLES, ONE_PART, SCALES, SMALL, TENS, split_phrase
from sau_solver.text.numbers.lexicon import any_of
from sau_solver.text.numbers.mapped import NumberSlot

_CARDINALS = (*SMALL, *TENS, *SCALES)
_END = "(?![a-z]|['’]s)"
_OF_SOMETHING = r" (?:of|the|as|their|his|her|its|my|your|our)(?![a-z])"  # 21 and half their number is not 21.5
_AND_HALF = re.compile(rf" and half(?={_OF_SOMETHING})")
_PERCENT = re.compile(r"[ -](?:percent|per cent|pct)(?![a-z])")
_AFTER_DIGITS = re.compile(
    rf"[ -](?:(?P<scale>{any_of(tuple(SCALES))})|(?P<half>and (?:(?:an?|one)[ -]half|half(?!{_OF_SOMETHING})))"
    rf"|percent|per cent|pct){_END}"
)
# Words before "one" that make it a pronoun instead of a number.
_POINTING = """this that each every any no which another other the only last next first second third larger smaller
bigger older younger longer shorter big small new old right wrong"""
_PRONOUN_BEFORE = tuple(f" {word} " for word in _POINTING.split())
_PRONOUN_AFTER = (" of ", " another", "'s", "’s", " by one")

_RATIO_BEFORE = re.compile(r"ratio|\bscale of |\bscale is |\bproportions? ")
_RATIO_AFTER = re.compile(r" (?:scale|ratio|map|plan|model|drawing)s?\b")

_DIGITS, _WORDS = 1, 2
_HALF = Fraction(1, 2)


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern: names and times to skip first, then digits (group 1), then number words (group 2)."""
    start = any_of((*_CARDINALS, *MULTIPLES, "half"))
    inside = any_of((*_CARDINALS, *ONE_PART, *MANY_PARTS))
    ordinal = any_of(tuple(part for part in ONE_PART if part != "half"))
    # "a third" is a fraction before "of" or punctuation; in "a third number" it is an ordinal.
    article = (
        rf"an?[ -](?=(?:half|{any_of(tuple(SCALES))}){_END}"
        rf"|(?:{ordinal})(?: (?:of|off|as|more|less|the|full|mile|cup|hour|pound|inch|gallon){_END}|[.,;?!)]|$))"
    )
    return re.compile(
        rf"(?<![a-z])(?:[0-9]d{_END}|{FREE}[0-9]{{1,2}}:[0-5][0-9](?![0-9:]|,[0-9]{{3}})|({SIGN}?+{FREE}{FORM})"
        rf"|((?:{article}(?:{inside})|(?:{start})){_END}(?:(?:[ -]| - )(?:and[ -](?:an?[ -])?)?(?:{inside}){_END})*+))"
    )


def find_english(text: str) -> list[NumberSlot]:
    """Return the numbers of an English text in order."""
    plain = ascii_digits(lower(text))
    search = _pattern().search
    slots: list[NumberSlot] = []
    position = 0
    while match := search(plain, position):
        start, position = match.span()
        if match.lastindex == _WORDS:
            position = _add_words(text, plain, match, slots)
            continue
        if match.lastindex == _DIGITS:
            value = read_digits(match[_DIGITS])
            if value is None:
                continue
            if more := _AFTER_DIGITS.match(plain, position):
                value, position = _with_words(value, more), more.end()
        elif ":" in match[0] and _is_ratio(plain, start, position):
            position = start + match[0].index(":")
            value = Fraction(plain[start:position])
        else:
            continue
        slots.append(NumberSlot(value, text[start:position], start, position))
    return slots


def _is_ratio(plain: str, start: int, end: int) -> bool:
    """Return whether 3:10 is a ratio or a scale and not a time, because of the words around it."""
    return bool(_RATIO_BEFORE.search(plain[max(0, start - 30) : start]) or _RATIO_AFTER.match(plain, end))


def _with_words(value: Fraction, more: re.Match[str]) -> Fraction:
    if more["scale"]:
        return value * SCALES[more["scale"]]
    return value + _HALF if more["half"] else value / 100


def _add_words(text: str, plain: str, match: re.Match[str], slots: list[NumberSlot]) -> int:
    """Append the numbers of a chain of number words to the slots and return where to continue."""
    offset, position = match.span()
    for begin, end, value in split_phrase(match[_WORDS]):
        start, stop = offset + begin, offset + end
        if plain[start:stop] == "one" and (
            plain.endswith(_PRONOUN_BEFORE, 0, start) or plain.startswith(_PRONOUN_AFTER, stop)
        ):
            continue
        if percent := _PERCENT.match(plain, stop):
            value, stop = value / 100, percent.end()
            position = max(position, stop)
        if (half := _AND_HALF.match(plain, stop - len(" and half"))) and value > 1:
            slots.append(NumberSlot(value - _HALF, text[start : half.start()], start, half.start()))
            value, start = _HALF, stop - len("half")
        slots.append(NumberSlot(value, text[start:stop], start, stop))
    return position


def lower(text: str) -> str:
    """Convert to lower case without changing the length: İ, whose lower case has two characters, stays."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
