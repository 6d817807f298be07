"""Exact answers -> what a reader sees: 13 goats, $21.50, 8 厘米, 20%, 2 1/2, 12/5 (= 2.4) hours.

The forms of the text decide: a text with fractions is answered with fractions, one with decimals with decimals, one
with mixed numbers with mixed numbers. An exact value is never shown with ≈.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from sau_solver.answering.asked import Asked
from sau_solver.equations.expressions import number_text
from sau_solver.equations.readable import FRACTIONS, readable
from sau_solver.explaining.work import value_expression
from sau_solver.phrases import say
from sau_solver.problem import Language
from sau_solver.solving import Formula, Value, about, decimal_of
from sau_solver.solving.values import is_printable

CENTS = 2

_MIXED = re.compile(r"\d\s+\d+\s*/\s*\d+|\d又\d*分之|\d[½¼¾⅓⅔]")
_FRACTION = re.compile(
    r"(?<![\d/])\d+\s*/\s*\d+(?!\s*/)|分之|[½¼¾⅓⅔⅛]|\b(?:half|third|quarter|fifth|sixth"
    r"|eighth)s?\b(?! (?:grade|day|week|place|person|number|one))"
)
_DECIMAL = re.compile(r"\d\.\d|\d．\d")
_GROUPED = re.compile(r"\d,\d{3}(?!\d)")
_ONE = {
    "people": "person",
    "children": "child",
    "feet": "foot",
    "men": "man",
    "women": "woman",
    "inches": "inch",
    "boxes": "box",
}
_ES = ("ches", "shes", "sses", "xes")


@dataclass(frozen=True, slots=True)
class Forms:
    """How a text writes its numbers."""

    fractions: bool = False
    mixed: bool = False
    decimals: bool = False
    grouped: bool = False  # 1,200
    sign: bool = False  # $21 instead of 21 dollars


PLAIN = Forms()


@lru_cache(maxsize=256)
def forms_of(text: str) -> Forms:
    """Return how a text writes its numbers."""
    mixed = bool(_MIXED.search(text))
    return Forms(
        fractions=mixed or bool(_FRACTION.search(text)),
        mixed=mixed,
        decimals=bool(_DECIMAL.search(text)),
        grouped=bool(_GROUPED.search(text)),
        sign="$" in text,
    )


def display(asked: Asked, language: Language, forms: Forms = PLAIN) -> str:
    """Return the answer to one question with its unit, without saying what it is; empty if it was skipped."""
    if asked.answer is None:
        return ""
    return asked.shown or value_with_unit(asked.answer, asked.unit, language, forms, asked.share)


def display_all(entries: Sequence[Asked], language: Language, forms: Forms = PLAIN) -> str:
    """Return the answers to all questions, each with its name where it needs one: goats: 13; 长 8 厘米，宽 5 厘米."""
    answered = [one for one in entries if one.answer is not None]
    if len(answered) == 1 and not _needs_label(answered[0], entries):
        return display(answered[0], language, forms)
    if len({(one.question, one.unknown) for one in answered}) == 1 < len(answered):  # several values of one unknown
        return say(language, "or").join(display(one, language, forms) for one in answered)
    if len(choices := _alternatives(answered)) > 1:
        return say(language, "or_else").join(display_all(one, language, forms) for one in choices)
    if (
        len(answered) > 1 and len({one.quantity for one in answered}) == 1
    ):  # if all have the same name, the name does not distinguish them
        answered = [replace(one, quantity="") for one in answered]
    nameless = len(answered) > 1 and all(one.certain and not one.quantity for one in answered)
    if nameless and len({one.question for one in answered}) == 1:  # the two numbers
        shown = [display(one, language, forms) for one in answered]
    else:
        shown = [_labeled(one, language, forms) for one in answered]
    if any(one.quantity for one in answered) or language == "zh":
        return say(language, "list").join(shown)
    *first, last = shown or [""]
    return (say(language, "list").join(first) + say(language, "and") if first else "") + last


def _alternatives(answered: list[Asked]) -> list[list[Asked]]:
    """Divide answers by the solutions they come from: 11 and 13, or -13 and -11."""
    keys = [(one.question, one.quantity, one.unknown) for one in answered]
    for size in range(2, len(keys) // 2 + 1):
        if keys == keys[:size] * (len(keys) // size):
            return [answered[start : start + size] for start in range(0, len(keys), size)]
    return [answered]


def common_unit(entries: Sequence[Asked]) -> str:
    """Return the unit that all answers share, or an empty string."""
    units = {one.unit for one in entries if one.answer is not None}
    return units.pop() if len(units) == 1 else ""


def value_with_unit(value: Value, unit: str, language: Language, forms: Forms = PLAIN, share: bool = False) -> str:
    """Return a value with its unit: $21.50, 8 厘米, 20%."""
    if unit == "%":
        return _per_cent(value, language, share)
    if unit in ("dollars", "dollar") and (money := _money(value, forms)):
        return money
    if unit == "折" and isinstance(value, Fraction) and 0 < value < 1:  # 0.8 is 8折
        value *= 10
    shown = value_shown(value, forms)
    if unit == "元" and isinstance(value, Fraction) and value.denominator != 1 and (value * 100).denominator == 1:
        shown = decimal_text(value, CENTS) if (value * 10).denominator != 1 else number_text(value)
    if not unit:
        return shown
    return f"{shown} {_singular(unit) if value == 1 else unit}"


def value_shown(value: Value, forms: Forms = PLAIN) -> str:
    """Return a value as the text would write it; a value that is not whole is followed by its decimal."""
    if isinstance(value, Formula):
        return str(value)
    if not isinstance(value, Fraction):
        return _with_decimal(readable(value_expression(value), FRACTIONS), value)
    if value.denominator == 1:
        return f"{value.numerator:,}" if forms.grouped and is_printable(value) and abs(value) >= 1000 else str(value)
    if forms.mixed and abs(value) > 1:
        whole, rest = divmod(abs(value), 1)
        return f"{'-' if value < 0 else ''}{whole} {rest}"
    decimal = number_text(value)
    if forms.fractions:
        return str(value)
    if "/" in decimal:
        return _with_decimal(str(value), value)
    return decimal if forms.decimals else f"{value} (= {decimal})"


def _with_decimal(text: str, value: Value) -> str:
    """Return the text of a value, followed by its decimal if there is one."""
    decimal = about(value)
    return f"{text} (≈ {decimal})" if decimal else text


def decimal_text(value: Fraction, decimals: int) -> str:
    """Return a rational number rounded half up to a number of decimals."""
    scaled = abs(value) * 10**decimals
    whole = int(scaled + Fraction(1, 2))
    digits = str(whole).rjust(decimals + 1, "0")
    return ("-" if value < 0 else "") + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


def _needs_label(one: Asked, entries: Sequence[Asked]) -> bool:
    """Return whether an answer is shown with its name: it is one of several things asked, or of several unknowns."""
    return bool(one.quantity) and (len(entries) > 1 or one.of_several)


def _labeled(one: Asked, language: Language, forms: Forms) -> str:
    value = display(one, language, forms)
    label = one.quantity or ("" if one.certain else one.unknown)
    if not label:
        return value
    if one.unit and label.split()[-1:] == [one.unit]:  # adult tickets: 80
        value = display(replace(one, unit=""), language, forms)
    return say(language, "named_value", label=label, value=value)


def _per_cent(value: Value, language: Language, share: bool) -> str:
    if isinstance(value, Fraction):
        percent = number_text(value * 100 if share else value)
        if "/" not in percent:
            return f"{percent}%"
        return f"{value if share else percent} (≈ {decimal_of(value) * (100 if share else 1):.4g}%)"
    return f"≈ {decimal_of(value) * (100 if share else 1):.4g}%"


def _money(value: Value, forms: Forms) -> str:
    """Return an amount with the dollar sign, if it can be paid; otherwise an empty string."""
    if not isinstance(value, Fraction) or (value * 100).denominator != 1 or not is_printable(value):
        return ""
    digits = str(abs(value)) if value.denominator == 1 else decimal_text(abs(value), CENTS)
    whole, dot, rest = digits.partition(".")
    if forms.grouped or len(whole) > 4:
        whole = f"{int(whole):,}"
    return f"{'-' if value < 0 else ''}${whole}{dot}{rest}"


def _singular(unit: str) -> str:
    first, _, rest = unit.partition(" per ")
    if not first.isascii():
        return unit
    *before, word = first.split(" ")
    if word in _ONE:
        word = _ONE[word]
    elif word.endswith(_ES):
        word = word[:-2]
    elif word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith("ss") and len(word) > 2:
        word = word[:-1]
    return " ".join([*before, word]) + (f" per {rest}" if rest else "")
