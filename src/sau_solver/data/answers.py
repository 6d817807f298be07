"""Turn published answers into exact values: "(11/20)", "5%", "1(1/2)", [98.0], "7 (colors)", "{40; 29} or {-2; 9}".

In the Dolphin corpora ";" separates the unknowns, "{}" means that the order does not matter, "or" separates alternative
solutions, and "|" separates formats of one solution; the first format that can be read is used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from sau_solver.equations.expressions import Expression
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.arithmetic import NotEvaluatedError
from sau_solver.solving.arithmetic import evaluate as evaluate_at

FLOAT_DECIMALS = 13  # a JSON number with this many decimals was a binary float; its last digits are noise
_ROUNDED = Context(prec=12)
MAX_BITS = 2_000  # of a numerator or denominator: 600 digits, less than Python's limit for printing integers

_PLAIN = re.compile(r"[+-]?\d{1,300}(?:\.\d{1,300})?", re.ASCII)
_NAME = re.compile(r"^[A-Za-z]\w*\s*=\s*")  # "x = 7"
_CURRENCY = re.compile(r"[$£€¥￥]\s*(?=[\d.(])")
_SPACED_MIXED = re.compile(r"^([+-]?)\s*(\d+)\s+(\d+)\s*/\s*(\d+)$")  # "3 1/2"
_BRACKETED_UNIT = re.compile(r"(?<=[\d)%.])\s*\(\s*[A-Za-z][^()\d]*\)$")  # "7 (gold stars)"
_BRACKETED_FRACTION = re.compile(r"\(\((\d+)\)/\((\d+)\)\)")  # Math23K: "7((2)/(3))" is 7(2/3)
_PERCENT = re.compile(r"(?<=\d)\s*percent$", re.IGNORECASE)
_UNIT = re.compile(r"(?<=[\d)%.])(?:\s+|(?=°))([A-Za-z°]+)[A-Za-z°²³ ./-]*$")  # "152/5 minutes", "640 km/h", "46°"
_CHINESE_UNIT = re.compile(r"(?<=[\d)%.])\s*([\u4e00-\u9fff])[\u4e00-\u9fff/]*$")  # "80千米/小时"

# Words after a number that change its value or make it an expression. They must not be dropped like units.
_NOT_UNITS = frozenset(
    {"pi", "sqrt", "ln", "log", "hundred", "thousand", "million", "billion", "trillion", "dozen", "score"}
    | {"and", "half", "third", "quarter", "remainder"}
)
_LETTER_UNITS = frozenset("mgshlL°")
_CHINESE_SCALES = frozenset("万亿余又点分")


class Answers(NamedTuple):
    """Values in published order, and the other solutions that a corpus accepts. Empty if nothing can be read."""

    answers: tuple[Fraction, ...] = ()
    alternatives: tuple[tuple[Fraction, ...], ...] = ()


def read_answers(published: object) -> Answers:
    """Read an answer field of any published type. Anything that is not numeric gives `Answers()`, never an error."""
    match published:
        case str():
            return _read_text(published)
        case [[*_], *_]:
            solutions = [_read_sequence(solution) for solution in published if isinstance(solution, Sequence)]
            return Answers(solutions[0], tuple(solutions[1:])) if all(solutions) else Answers()
        case [*items]:
            return Answers(_read_sequence(items))
        case _:
            return Answers(_read_sequence([published]))


def read_value(published: object) -> Fraction | None:
    """Read a JSON number, or a text with an optional name, currency sign or unit. Return None if it is neither."""
    match published:
        case bool():
            return None
        case int():
            value: Fraction | None = Fraction(published)
        case Decimal():
            digits, exponent = published.as_tuple()[1:]
            if isinstance(exponent, int) and exponent <= -FLOAT_DECIMALS:  # 0.16699999999999998 is a float, 0.167
                published = _ROUNDED.plus(published)
            small = isinstance(exponent, int) and len(digits) + abs(exponent) < MAX_BITS
            value = Fraction(published) if small else None
        case str():
            value = _read_number(published.strip())
        case _:
            return None
    if value is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        return None
    return value


def _read_sequence(items: Sequence[object]) -> tuple[Fraction, ...]:
    values = [read_value(item) for item in items]
    return tuple(value for value in values if value is not None) if None not in values else ()


def _read_text(text: str) -> Answers:
    for form in text.translate(str.maketrans("；{}", ";  ")).split("|"):
        parts = (part.strip().rstrip(";").split(";") for part in re.split(r"\bor\b", form))
        solutions = list(map(_read_sequence, parts))
        if all(solutions):
            return Answers(solutions[0], tuple(solutions[1:]))
    return Answers()


def _read_number(text: str) -> Fraction | None:
    if _PLAIN.fullmatch(text):  # nearly all answers; keeps reading a large corpus fast
        return Fraction(text)
    text = _CURRENCY.sub("", _NAME.sub("", text))
    text = _BRACKETED_FRACTION.sub(r"(\1/\2)", text)
    text = _PERCENT.sub("%", _BRACKETED_UNIT.sub("", text))
    text = _without_unit(text)
    if mixed := _SPACED_MIXED.match(text):
        text = f"{mixed[1]}{mixed[2]}({mixed[3]}/{mixed[4]})"
    if ":" in text:  # a time of day or a ratio; only the problem decides
        return None
    try:
        return evaluate_text(text)
    except NoValueError:
        return None


class NoValueError(ValueError):
    """An expression has no exact rational value: an unknown, a function, an irrational root, a division by zero."""


def evaluate_text(text: str) -> Fraction:
    """Return the exact value of an arithmetic expression; raise NoValueError if it has none or cannot be parsed."""
    try:
        return evaluate(parse_expression(text))
    except (EquationError, TooLargeError) as error:
        raise NoValueError(str(error)) from None


def evaluate(expression: Expression) -> Fraction:
    """Return the exact value of an expression without unknowns; raise NoValueError if it has none."""
    try:
        return evaluate_at(expression, {}, exact=True)
    except NotEvaluatedError:
        raise NoValueError(f"{expression} has no rational value") from None


def _without_unit(text: str) -> str:
    if unit := _UNIT.search(text):
        word = unit[1]
        known = word in _LETTER_UNITS if len(word) == 1 else word.lower() not in _NOT_UNITS
    elif unit := _CHINESE_UNIT.search(text):
        known = unit[1] not in _CHINESE_SCALES
    else:
        return text
    return text[: unit.start()] if known else text
