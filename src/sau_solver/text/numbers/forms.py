"""A mapped text -> words in which each number is a word for its form: 一, two, 25 %, 1/3, 0.5, 7, 48, 1200.

If all numbers were the same word, a network could not distinguish the 一 of 一辆 from a quantity, or a share from a
count.
"""

from __future__ import annotations

import re

from sau_solver.equations.expressions import number_text
from sau_solver.text.numbers.mapped import NUMBER_WORD, MappedText, NumberSlot

_MARK = f"{NUMBER_WORD} "  # unambiguous, because no word of a text contains a space
PERCENT, FRACTION, DECIMAL = "%", "/", "."
DIGITS = ("0", "00", "000")  # integers with one digit, two digits, and more
FORMS = (PERCENT, FRACTION, DECIMAL, *DIGITS)

_PERCENT = re.compile(r"[%％‰]|百分之|per ?cent|pct", re.IGNORECASE)
_NUMERAL = re.compile(r"[^\W\d_](?:[a-z]*)", re.IGNORECASE)  # one Chinese character, or one English word


def shown_words(text: MappedText) -> tuple[str, ...]:
    """Return the words of a text, with a word for the form of each number; `form_of` reads it back."""
    words = list(text.words)
    for place, number in zip(text.positions, text.numbers, strict=True):
        words[place] = _MARK + _form(number)
    return tuple(words)


def form_of(word: str) -> str | None:
    """Return the form in a number's word: one of FORMS, a numeral (一, two), or "". Return None for other words."""
    if word == NUMBER_WORD:
        return ""
    return word[len(_MARK) :] if word.startswith(_MARK) else None


def _form(number: NumberSlot) -> str:
    if _NUMERAL.fullmatch(number.text):
        return number.text.lower()
    if _PERCENT.search(number.text):
        return PERCENT
    if number.value.denominator != 1:
        if number.unit:  # 2 hours 30 minutes is shown as 2.5
            return FRACTION if "/" in number_text(number.value) else DECIMAL
        return DECIMAL if "." in number.text or "．" in number.text else FRACTION
    return DIGITS[min(len(str(abs(number.value.numerator))), len(DIGITS)) - 1]
