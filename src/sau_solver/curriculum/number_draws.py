"""The numbers of a family: how they are drawn and which conditions they meet.

A specification such as `a: 4..12; b: 20..90 by 5; f: 1/2, 2/3; p: 10%..40% by 5%; c = a*b` is read from left to right.
Later numbers may use earlier ones: `b: 2..a-1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Literal

from sau_solver.curriculum.formulas import Formula, Value, check_names, exact, formula
from sau_solver.errors import FamilyError
from sau_solver.explaining.formats import decimal_text

# How a number is written: 12 or 2.5; 2/3; 25%; 八折; 三成.
Kind = Literal["plain", "fraction", "percent", "discount", "tenths"]

UNKNOWNS = ("x", "y", "z")
_ENTRY = re.compile(r"([a-z])\s*(:|=)\s*(.+)")
_RANGE = re.compile(r"(.+?)\.\.(.+?)(?:\s+by\s+(.+))?")
_PRICE = re.compile(r"price of (\w+)")

Values = dict[str, Value]
PriceRange = Callable[[str], tuple[Value, Value]]


@dataclass(frozen=True, slots=True)
class NumberDraw:
    """How one number is found: a range with a step, one of several values, a formula, or the price of a word."""

    letter: str
    kind: Kind
    low: Formula | None = None
    high: Formula | None = None
    step: Value = 1
    choices: tuple[Value, ...] = ()
    computed: Formula | None = None
    priced: str = ""

    def draw(self, rng: Random, values: Values, price_range: PriceRange) -> Value:
        """Return a value. Raise ValueError if the range is empty with the earlier values."""
        if self.computed is not None:
            return exact(self.computed(values))
        if self.choices:
            return rng.choice(self.choices)
        if self.priced:
            low, high = price_range(self.priced)
            step: Value = 1 if high > 12 or rng.random() < 0.6 else Fraction(1, 2)
        else:
            assert self.low is not None
            assert self.high is not None
            low, high, step = self.low(values), self.high(values), self.step
        if isinstance(low, int) and isinstance(high, int) and step == 1:
            return rng.randint(low, high)
        return exact(low + step * rng.randint(0, (high - low) // step))


def read_numbers(text: str) -> tuple[NumberDraw, ...]:
    """Return the draws of a specification; raise FamilyError if it cannot be read."""
    draws: list[NumberDraw] = []
    for entry in filter(None, map(str.strip, text.split(";"))):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise FamilyError(f"{entry!r} must be a letter with a range, a list or a formula, such as 'a: 2..9'.")
        known = [draw.letter for draw in draws]
        if match[1] in known:
            raise FamilyError(f"The number {match[1]} is defined twice.")
        draws.append(_computed(match[1], match[3], known) if match[2] == "=" else _drawn(match[1], match[3], known))
    return tuple(draws)


def _computed(letter: str, text: str, known: Sequence[str]) -> NumberDraw:
    kind: Kind = "plain"
    for name in ("percent", "fraction"):
        if text.endswith(f" as {name}"):
            text, kind = text.removesuffix(f" as {name}"), "percent" if name == "percent" else "fraction"
    computed = formula(text)
    check_names(computed, known)
    return NumberDraw(letter, kind, computed=computed)


def _drawn(letter: str, text: str, known: Sequence[str]) -> NumberDraw:
    if priced := _PRICE.fullmatch(text):
        return NumberDraw(letter, "plain", priced=priced[1])
    kind: Kind = "plain"
    for mark, name in (("%", "percent"), ("折", "discount"), ("成", "tenths")):
        if mark in text:
            kind = name  # type: ignore[assignment]
            text = text.replace(mark, "")
    size = {"plain": 1, "percent": 100, "discount": 1, "tenths": 10}[kind]
    if match := _RANGE.fullmatch(text):
        low, high = (formula(bound if size == 1 else f"({bound})/{size}") for bound in match.group(1, 2))
        check_names(low, known)
        check_names(high, known)
        return NumberDraw(letter, kind, low, high, exact(Fraction(match[3] or 1) / size))
    try:
        choices = tuple(Fraction(item.strip()) for item in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise FamilyError(f"{text!r} must be a range such as 2..9 or values such as 1/2, 2/3.") from None
    if kind == "discount":  # 8折 is 0.8, 85折 is 0.85
        choices = tuple(choice / (10 if choice < 10 else 100) for choice in choices)
    else:
        choices = tuple(choice / size for choice in choices)
    if kind == "plain" and "/" in text:
        kind = "fraction"
    return NumberDraw(letter, kind, choices=tuple(map(exact, choices)))


def read_conditions(text: str, known: Sequence[str]) -> tuple[Formula, ...]:
    """Return the conditions of a text such as `a != b; a*b < 200`."""
    conditions = tuple(formula(entry) for entry in map(str.strip, text.split(";")) if entry)
    for condition in conditions:
        check_names(condition, known)
    return conditions


def draw_numbers(
    draws: Sequence[NumberDraw], conditions: Sequence[Formula], rng: Random, price_range: PriceRange
) -> Values | None:
    """Return values that meet every condition, or None if this try does not."""
    values: Values = {}
    try:
        for draw in draws:
            values[draw.letter] = draw.draw(rng, values, price_range)
        if all(condition(values) for condition in conditions):
            return values
    except (ValueError, ZeroDivisionError):  # an empty range or a division by zero with these values
        pass
    return None


def equation_number(value: Value, kind: Kind) -> str:
    """Return a number as an equation writes it: 12, 2.5, (2/3), 25%, (-5)."""
    if kind == "percent":
        return f"{short_decimal(value * 100)}%"
    if kind == "fraction" and value.denominator != 1:
        return f"({value.numerator}/{value.denominator})"
    text = short_decimal(value)
    return f"({text})" if "/" in text or text.startswith("-") else text


def short_decimal(value: Value) -> str:
    """Return a value as decimal digits if it has at most four places, otherwise as a fraction."""
    for places in range(5):
        if (value * 10**places).denominator == 1:
            return decimal_text(Fraction(value), places)
    return f"{value.numerator}/{value.denominator}"


class LetterPattern:
    """A formula in our notation over the letters of a family, to be written with the numbers in their place."""

    __slots__ = ("_parts", "letters", "text")

    def __init__(self, text: str) -> None:
        self.text = text.replace(" ", "")
        self._parts = re.split(r"(?<![a-z])([a-z])(?![a-z(])", self.text)
        self.letters = frozenset(part for part in self._parts[1::2] if part not in UNKNOWNS)

    def write(self, written: Mapping[str, str]) -> str:
        """Return the text with the numbers in place of their letters."""
        return "".join(written.get(part, part) if place % 2 else part for place, part in enumerate(self._parts))


class EquationPattern(LetterPattern):
    """An equation over the letters of a family, such as `x=a*b` or `x+y=s`."""

    __slots__ = ("computed", "unknown")

    def __init__(self, text: str, letters: Sequence[str]) -> None:
        super().__init__(text)
        if unknown := sorted(self.letters - set(letters)):
            raise FamilyError(f"The equation {text!r} uses {', '.join(unknown)}, which no number defines.")
        left, equals, right = self.text.partition("=")
        if not (equals and left and right):
            raise FamilyError(f"{text!r} must be an equation such as x=a*b.")
        self.unknown = left if left in UNKNOWNS else ""
        computed = formula(right) if self.unknown else None
        self.computed = computed if computed is not None and not computed.names & set(UNKNOWNS) else None
