"""Numbers as people write them in a text: digits, words, fractions, percentages, in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from sau_solver.curriculum.formulas import Value
from sau_solver.curriculum.number_draws import Kind, short_decimal
from sau_solver.phrases import Language

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}
_DIGITS = "零一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class NumberHabits:
    """How the author of one problem writes numbers."""

    language: Language
    words: int  # whole numbers from 2 up to this are written as words
    commas: bool  # 1,200 instead of 1200
    percent_word: bool  # 15 percent, 百分之十五
    fraction_words: bool  # two thirds, 三分之二


def draw_habits(rng: Random, language: Language, values: Iterable[Value]) -> NumberHabits:
    """Return the habits of one author, who writes either all of the given numbers in words or hardly any."""
    words = 0
    if rng.random() < 0.2:
        most = 20 if language == "en" else 99
        alike = all(value.denominator != 1 or value <= most for value in values)
        words = most if alike else rng.choice((0, 0, 10)) if language == "en" else 0
    if language == "zh":
        return NumberHabits("zh", words, False, words > 0, rng.random() < 0.4)
    return NumberHabits("en", words, rng.random() < 0.5, rng.random() < 0.25, rng.random() < 0.5)


def english_word(number: int) -> str:
    """Return a number below 100 in words."""
    if number < 20:
        return _ONES[number]
    return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")


def chinese_word(number: int) -> str:
    """Return a number below 10,000 in Chinese characters."""
    if number < 10:
        return _DIGITS[number]
    if number < 20:
        return "十" + (_DIGITS[number - 10] if number > 10 else "")
    for size, name in ((1000, "千"), (100, "百"), (10, "十")):
        if number >= size:
            head, rest = divmod(number, size)
            gap = "零" if rest and rest < size // 10 else ""
            tail = f"一{chinese_word(rest)}" if 10 <= rest < 20 else chinese_word(rest) if rest else ""
            return _DIGITS[head] + name + gap + tail
    raise ValueError(number)


def grouped(value: Value, habits: NumberHabits) -> str:
    """Return a value in digits, with commas if the author writes them."""
    if value.denominator == 1:
        return f"{int(value):,}" if habits.commas and abs(int(value)) >= 1000 else str(int(value))
    return short_decimal(value)


def spelled(value: Value, kind: Kind, form: str, habits: NumberHabits, rng: Random) -> str:
    """Return a number as the text writes it. `form` is what a slot asks for (templates.NUMBER_FORMS)."""
    if kind == "percent" or form == "percent":
        return _percent(value, form, habits)
    if kind == "discount":
        return _discount(value, rng)
    if kind == "tenths":
        return f"{chinese_word(int(value * 10))}成"
    if form == "money":
        return grouped(value, habits) if value.denominator == 1 else f"{float(value):,.2f}"
    if form == "times":
        return _times(value, habits, rng)
    if form == "mixed" and value.denominator != 1:
        return _mixed(value, habits)
    if form == "ordinal":
        return _ordinal(int(value), habits.language)
    if (kind == "fraction" or form == "fraction") and value.denominator != 1:
        return _fraction(value, habits, rng)
    if form == "words":
        return english_word(int(value)) if habits.language == "en" else _counting(int(value))
    if form != "digits" and value.denominator == 1 and 2 <= value <= habits.words:
        return english_word(int(value)) if habits.language == "en" else _counting(int(value))
    return grouped(value, habits)


def _counting(number: int) -> str:
    return "两" if number == 2 else chinese_word(number)


def _percent(value: Value, form: str, habits: NumberHabits) -> str:
    digits = short_decimal(value * 100)
    if habits.percent_word and form != "digits":
        if habits.language == "en":
            return f"{digits} percent"
        if digits.isdigit() and int(digits) < 100:
            return f"百分之{chinese_word(int(digits))}"
    return f"{digits}%"


def _discount(value: Value, rng: Random) -> str:
    tens, ones = divmod(int(value * 100), 10)
    if rng.random() < 0.3:
        return f"{short_decimal(value * 10)}折"
    return f"{_DIGITS[tens]}{_DIGITS[ones] if ones else ''}折"


def _times(value: Value, habits: NumberHabits, rng: Random) -> str:
    if habits.language == "zh":
        return f"{spelled(value, 'plain', '', habits, rng)}倍"
    if value == 2:
        return "twice" if rng.random() < 0.8 else "two times"
    if value.denominator == 1 and value <= 12 and rng.random() < 0.5:
        return f"{english_word(int(value))} times"
    return f"{short_decimal(value)} times"


def _mixed(value: Value, habits: NumberHabits) -> str:
    whole, part = divmod(Fraction(value), 1)
    written = f"{part.numerator}/{part.denominator}"
    if habits.language == "zh":
        return f"{whole}又{written}" if whole else written
    if whole and part == Fraction(1, 2) and habits.fraction_words and whole < 20:
        return f"{english_word(whole)} and a half"
    return f"{whole} {written}" if whole else written


def _fraction(value: Value, habits: NumberHabits, rng: Random) -> str:
    if not habits.fraction_words:
        return f"{value.numerator}/{value.denominator}"
    if habits.language == "zh":
        return f"{chinese_word(value.denominator)}分之{chinese_word(value.numerator)}"
    name = _PARTS.get(value.denominator)
    if name is None or value.numerator > 19:
        return f"{value.numerator}/{value.denominator}"
    if value == Fraction(1, 2):
        return rng.choice(("half", "one half"))
    return f"{english_word(value.numerator)}{rng.choice(' -')}{name}{'s' if value.numerator > 1 else ''}"


def _ordinal(number: int, language: Language) -> str:
    if language == "zh":
        return f"第{number}"
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
