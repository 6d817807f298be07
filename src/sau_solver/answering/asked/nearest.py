"""Texts that say how exact the answer must be -> the rounded answer: to the nearest cent, 得数保留一位小数."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from sau_solver.solving import Value, decimal_of
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import stem

_SENTENCE = re.compile(r"(?:\d\.(?=\d)|[^.?!\n(])+[.?!)]*|\(")
_NEAREST = re.compile(
    r"(?:\bto the |^|\()nearest (?:"
    r"(?P<place>tenth|hundredth|thousandth|ten|hundred|thousand)s?\b(?: of an? (?P<of>[a-z]+))?"
    r"|(?P<unit>%|[a-z]+(?: [a-z]+)?))",
    re.IGNORECASE,
)
_DECIMALS = re.compile(
    r"\b(?:to|with|at|rounded) (?:only )?(?P<count>one|two|three|four|[1-4]) (?:decimal places?|decimals\b|d\.?p\b)"
    r"|\b(?P<one>to one decimal)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?|\b(?:round|find|give|express|calculate|determine|answer|how|what)\b", re.IGNORECASE)
_TOLD = re.compile(  # somebody of the story rounds
    r"\b(?:rounds|rounded (?:it|them|his|her|all|both|each|up|the)|rounding|estimates?d?|measured|sold|charged)\b",
    re.IGNORECASE,
)
_PLACES = {
    "tenth": Fraction(1, 10),
    "hundredth": Fraction(1, 100),
    "thousandth": Fraction(1, 1000),
    "ten": Fraction(10),
    "hundred": Fraction(100),
    "thousand": Fraction(1000),
}
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}
_WHOLE = re.compile(r"(?:whole|integer|unit|full)\b", re.IGNORECASE)
_CENT = re.compile(r"(?:cent|penny)\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|(?:whole )?percent(?:age)?\b", re.IGNORECASE)
_HUNDREDTH = Fraction(1, 100)
_NO_UNITS = {"the", "a", "an", "of", "in", "is", "to", "and", "per"}


def nearest(thing: Thing, reading: Reading, value: Value | None, share: bool) -> Fraction | None:
    """Return the value rounded as the text says; None if it says nothing or if nothing would remain of the value.

    `share` tells that the value is a share of one which is shown as a percentage, so that a percent is 1/100 of it.
    """
    if value is None:
        return None
    if reading.language == "zh":
        step = None if reading.decimals is None else Fraction(1, 10**reading.decimals)
        return to_nearest(value, step) if step and _is_finite(value) else None
    for sentence in _SENTENCE.finditer(reading.text):
        found = _NEAREST.search(sentence[0]) or _DECIMALS.search(sentence[0])
        if found and _ASKS.search(sentence[0]) and not _TOLD.search(sentence[0]) and _is_finite(value):
            step = _step(found.groupdict(), thing, value, share)
            return to_nearest(value, step) or None if step else None
    return None


def _is_finite(value: Value) -> bool:
    return math.isfinite(decimal_of(value))


def _step(told: dict[str, str | None], thing: Thing, value: Value, share: bool) -> Fraction | None:
    part = _HUNDREDTH if share else Fraction(1)
    if "count" in told:
        return Fraction(1, 10 ** _count(told["count"] or "one")) * part
    unit = told["of"] or told["unit"] or ""
    size = _PLACES[told["place"].lower()] if told["place"] else Fraction(1)
    if _PERCENT.match(unit):  # of a probability too
        return size * (_HUNDREDTH if share or abs(decimal_of(value)) < 1 else 1)
    if _CENT.match(unit):
        return size if thing.unit == "cents" else size * _HUNDREDTH
    if told["place"]:
        return size * part if not unit or not thing.unit or _is_unit(unit, thing) else None
    return part if _WHOLE.match(unit) or _is_unit(unit, thing) else None


def _count(word: str) -> int:
    return _COUNTS.get(word.lower()) or int(word)


def _is_unit(word: str, thing: Thing) -> bool:
    """Return whether a word is the unit of the thing asked for, or a noun of the question."""
    asked = _NEAREST.sub("", f"{thing.words} {thing.question}")
    return bool(_stems(word) & _stems(f"{thing.unit} {asked}"))


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[a-z]+", text.lower())} - _NO_UNITS


def to_nearest(value: Value, step: Fraction) -> Fraction:
    """Return the multiple of the step that is nearest to a value; a half is rounded away from zero."""
    exact = value if isinstance(value, Fraction) else Fraction(decimal_of(value))
    size = math.floor(abs(exact) / step + Fraction(1, 2)) * step
    return size if exact >= 0 else -size
