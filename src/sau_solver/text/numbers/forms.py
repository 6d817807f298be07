"""MappedText -> its words, each number as a word that tells how it is written: 一, two, 25 %, 1/3, 0.5, 7, 48, 1200.

A network that sees one word for all numbers cannot tell the 一 of 一辆 from a quantity, nor a share from a count.
"""

from __future__ import annotations

import re

from sau_solver.text.numbers.mapped import NUMBER_WORD, MappedText, NumberSlot

_MARK = f"{NUMBER_WORD} "  # no word of a text has a space in it
PERCENT, FRACTION, DECIMAL = "%", "/", "."
DIGITS = ("0", "00", "000")  # whole numbers of one digit, of two, of more
FORMS = (PERCENT, FRACTION, DECIMAL, *DIGITS)

_PERCENT = re.compile(r"[%％‰]|百分之|per ?cent|pct", re.IGNORECASE)
_NUMERAL = re.compile(r"[^\W\d_](?:[a-z]*)", re.IGNORECASE)  # one Chinese character, or one English word


def shown_words(text: MappedText) -> tuple[str, ...]:
    """The words of a text; `form_of` tells what a number's word says."""
    words = list(text.words)
    for place, number in zip(text.positions, text.numbers, strict=True):
        words[place] = _MARK + _form(number)
    return tuple(words)


def form_of(word: str) -> str | None:
    """What the word of a number says of it: one of FORMS, or a numeral (一, two); "" where nothing; None: no number."""
    if word == NUMBER_WORD:
        return ""
    return word[len(_MARK) :] if word.startswith(_MARK) else None


def _form(number: NumberSlot) -> str:
    if _NUMERAL.fullmatch(number.text):
        return number.text.lower()
    if _PERCENT.search(number.text):
        return PERCENT
    if number.value.denominator != 1:
        return DECIMAL if "." in number.text or "．" in number.text else FRACTION
    return DIGITS[min(len(str(abs(number.value.numerator))), len(DIGITS)) - 1]
