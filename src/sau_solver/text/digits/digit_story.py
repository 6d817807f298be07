"""What a story says and asks about the digits of a number, and the numbers that fit, found by trying all of them.

The digits of a number are unknowns: x and y of a two-digit number, which is 10*x+y. What the story says becomes
equations and conditions in these unknowns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import permutations
from typing import Literal

from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Operator,
    Unknown,
    signed_terms,
    unknowns_of,
)

MIN_LENGTH, MAX_LENGTH = 2, 4
_NAMES = {2: "xy", 3: "xyz", 4: "abcd"}

Said = Equation | Condition
# What is asked for.
#   value       an expression of the digits: the number, the reversed number, one digit
#   digits      all digits of the number
#   count       how many numbers fit
#   largest     the largest of the numbers that fit; smallest: the smallest one
#   difference  the largest minus the smallest number that fits; sum: their sum
Wanted = Literal["value", "digits", "count", "largest", "smallest", "difference", "sum"]


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number of some length whose digits are unknowns. Place 0 is the ones place."""

    length: int

    @property
    def digits(self) -> tuple[Unknown, ...]:
        """The unknown digits from the ones place upwards."""
        return tuple(Unknown(name) for name in reversed(_NAMES[self.length]))

    def number(self, places: Iterable[int] = ()) -> Expression:
        """Return 10*x+y, or the number with other digits at its places: places 1, 0 make it 10*y+x."""
        order = tuple(places) or range(self.length)
        terms = [times(10**place, self.digits[order[place]]) for place in reversed(range(self.length))]
        return reduce(plus, terms)

    def total(self) -> Expression:
        """Return the sum of the digits."""
        digits: list[Expression] = list(reversed(self.digits))
        return reduce(plus, digits)

    def product(self) -> Expression:
        """Return the product of the digits."""
        digits: list[Expression] = list(reversed(self.digits))
        return reduce(lambda left, right: Operation("*", left, right), digits)


@dataclass(frozen=True, slots=True)
class DigitAsk:
    """One thing that a story asks for."""

    wanted: Wanted
    expression: Expression | None = None  # of a value


@dataclass(frozen=True, slots=True)
class DigitStory:
    """What is said and asked about a number of some length, or about the numbers that some cards make."""

    length: int
    said: tuple[Said, ...]
    asks: tuple[DigitAsk, ...]
    turned: tuple[int, ...] = ()  # the places of the digits in the new number, if digits change places
    cards: tuple[int, ...] = ()  # the digits that the number is made of, each used at most once

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers that fit, in order."""
        return _fitting(self)

    @property
    def answers(self) -> tuple[Fraction, ...]:
        """The values asked for, in the order of the questions."""
        return tuple(Fraction(value) for ask in self.asks for value in self.values(ask))

    def values(self, ask: DigitAsk) -> tuple[Fraction | int, ...]:
        """Return the values of one thing asked for."""
        numbers = self.numbers
        match ask.wanted:
            case "value":
                assert ask.expression is not None
                return (value_of(ask.expression, assigned(self.length, numbers[0])),)
            case "digits":
                return tuple(map(int, str(numbers[0])))
            case "count":
                return (len(numbers),)
            case "largest":
                return (numbers[-1],)
            case "smallest":
                return (numbers[0],)
            case "difference":
                return (numbers[-1] - numbers[0],)
        return (numbers[-1] + numbers[0],)

    @property
    def is_decided(self) -> bool:
        """Whether exactly one number fits, or some if the story asks about all that fit."""
        single = any(ask.wanted in ("value", "digits") for ask in self.asks)
        return len(self.numbers) == 1 if single else len(self.numbers) > 0


@lru_cache(maxsize=64)
def _fitting(story: DigitStory) -> tuple[int, ...]:
    found = all_numbers(story)
    for one in sorted(story.said, key=lambda one: len(_digits_in(one))):  # a digit that is known leaves few numbers
        found = fitting(one, story.length, found)
    return tuple(found)


def all_numbers(story: DigitStory) -> list[int]:
    """Return all numbers of the story's length, or all that its cards make."""
    if not story.cards:
        return list(range(10 ** (story.length - 1), 10**story.length))
    made = {digits for digits in permutations(story.cards, story.length) if digits[0]}
    return sorted(int("".join(map(str, digits))) for digits in made)


def fitting(said: Said, length: int, numbers: Iterable[int]) -> list[int]:
    """Return the numbers for which something said is true."""
    return [number for number in numbers if is_true(said, assigned(length, number))]


def assigned(length: int, number: int) -> dict[str, int]:
    """Return the digits of a number by the names of its unknowns."""
    return dict(zip(_NAMES[length], map(int, str(number)), strict=True))


def is_true(said: Said, digits: Mapping[str, int]) -> bool:
    """Return whether something said is true of some digits; False if it divides by zero."""
    try:
        left, right = value_of(said.left, digits), value_of(said.right, digits)
    except ZeroDivisionError:
        return False
    if isinstance(said, Equation) or said.relation == "=":
        return left == right
    if said.relation in ("odd", "even"):
        return left % 2 == (said.relation == "odd")
    return left < right if said.relation == "<" else left > right if said.relation == ">" else left != right


def value_of(expression: Expression, digits: Mapping[str, int]) -> Fraction | int:
    """Return the value of an expression of the digits."""
    match expression:
        case Number(value):
            return value.numerator if value.denominator == 1 else value
        case Unknown(name):
            return digits[name]
        case Operation(operator, left, right):
            return _operate(operator, value_of(left, digits), value_of(right, digits))
        case Function(name, arguments):
            values = [value_of(one, digits) for one in arguments]
            return max(values[0], -values[0]) if name == "abs" else Fraction(values[0]) % Fraction(values[1])


def _operate(operator: Operator, left: Fraction | int, right: Fraction | int) -> Fraction | int:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else Fraction(left) / Fraction(right)


def _digits_in(said: Said) -> tuple[str, ...]:
    return unknowns_of((Equation(said.left, said.right),))


def plus(left: Expression, right: Expression) -> Expression:
    """Return a sum, without brackets around a sum on the right: x+(y+z) is x+y+z."""
    for sign, term in signed_terms(right):
        left = Operation("+" if sign > 0 else "-", left, term)
    return left


def times(factor: Fraction | int, expression: Expression) -> Expression:
    """Return a multiple: 3*x, x/5, or the expression itself if the factor is 1."""
    if factor == 1:
        return expression
    factor = Fraction(factor)
    if factor.numerator == 1:
        return Operation("/", expression, Number(Fraction(factor.denominator)))
    if isinstance(expression, Operation) and expression.operator == "*":  # 2*x*y, not 2*(x*y)
        return Operation("*", times(factor, expression.left), expression.right)
    return Operation("*", Number(factor), expression)
