"""What is known while a text about digits is read: the number, what is said about it and what is asked.

Both languages first write the text with one letter for each quantity:

    N  the number            S  the sum of its digits       O, T, H, K  the digits of the ones, tens, hundreds
    R  the turned number     P  the product of its digits               and thousands places

Then every clause must match a pattern from its first to its last character. A text with any other word is left alone.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from sau_solver.equations.expressions import Condition, Equation, Expression, Function, Number, Operation
from sau_solver.text.digits.digit_story import DigitAsk, DigitStory, Numeral, Said, plus, times

PLACES = "OTHK"
MAX_VALUE = 100_000

_NUMBER = re.compile(r"\d{1,5}(?:/\d{1,3})?")


class DigitReading(ABC):
    """Reads the clauses of one text; `said`, `asks` and `turned` are what was found."""

    def __init__(self, length: int) -> None:
        self.numeral = Numeral(length)
        self.said: list[Said] = []
        self.asks: list[DigitAsk] = []
        self.turned: tuple[int, ...] = ()

    @abstractmethod
    def quantity(self, words: str) -> Expression | None:
        """Return the quantity that some words name; None if they name none."""

    def atom(self, letter: str) -> Expression | None:
        """Return the expression of a letter or of a number that is written with digits."""
        numeral = self.numeral
        match letter:
            case "N":
                return numeral.number()
            case "R":
                return numeral.number(self.turned) if self.turned else None
            case "S":
                return numeral.total()
            case "P":
                return numeral.product()
        if len(letter) == 1 and letter in PLACES:
            place = PLACES.index(letter)
            return numeral.digits[place] if place < numeral.length else None
        if _NUMBER.fullmatch(letter) and not letter.endswith("/0"):
            return Number(Fraction(letter))
        return None

    def turn(self, first: int, second: int) -> bool:
        """Exchange the digits of two places in the turned number; False if the text turns it in two ways."""
        places = list(range(self.numeral.length))
        if max(first, second) >= len(places):
            return False
        places[first], places[second] = places[second], places[first]
        return self.turn_to(tuple(places))

    def turn_to(self, places: tuple[int, ...]) -> bool:
        """Let the turned number have the digits of these places; False if the text turns it in two ways."""
        self.turned = self.turned or places
        return self.turned == places

    def turn_around(self) -> bool:
        """Let the turned number have all digits in the opposite order."""
        return self.turn_to(tuple(reversed(range(self.numeral.length))))

    def equal(self, left: str, right: str) -> list[Said] | None:
        """Return that the quantities of two groups of words are equal; nothing said if they are the same."""
        one, other = self.quantity(left), self.quantity(right)
        if one is None or other is None or (isinstance(one, Number) and isinstance(other, Number)):
            return None
        return [] if one == other else [Equation(one, other)]

    def compared(self, left: str, relation: str, right: str) -> list[Said] | None:
        """Return that the quantity of some words is greater or less than that of others."""
        one, other = self.quantity(left), self.quantity(right)
        if one is None or other is None or one == other or isinstance(one, Number):
            return None
        return [Condition("<" if relation == "<" else ">", one, other)]

    def differing(self, left: str, right: str, more: str) -> list[Said] | None:
        """Return that one quantity is larger by an amount than another one; smaller if the amount starts with -."""
        one, other, amount = self.quantity(left), self.quantity(right), self.quantity(more.lstrip("-"))
        if one is None or other is None or amount is None or isinstance(one, Number):
            return None
        return [Equation(one, Operation("-", other, amount) if more.startswith("-") else plus(other, amount))]

    def apart(self, left: str, right: str) -> Expression | None:
        """Return the absolute difference of two quantities."""
        one, other = self.quantity(left), self.quantity(right)
        return None if one is None or other is None else Function("abs", (Operation("-", one, other),))

    def differing_by(self, left: str, right: str, amount: str) -> list[Said] | None:
        """Return that two quantities differ by an amount, whichever is larger."""
        distance, number = self.apart(left, right), self.atom(amount)
        return None if distance is None or number is None else [Equation(distance, number)]

    def multiple(self, factor: str, words: str) -> Expression | None:
        """Return a multiple or a part of a quantity, but not of a plain number."""
        own, many = self.quantity(words), self.atom(factor)
        if own is None or not isinstance(many, Number) or isinstance(own, Number) or not many.value:
            return None
        return times(many.value, own)

    def joined(self, operator: str, words: Sequence[str]) -> Expression | None:
        """Return the sum or the product of quantities, of which at most one is a plain number."""
        found = [self.quantity(one) for one in words]
        known = [one for one in found if one is not None]
        if len(known) < len(found) or sum(isinstance(one, Number) for one in known) > 1:
            return None
        result = known[0]
        for one in known[1:]:
            result = plus(result, one) if operator == "+" else Operation("*", result, one)
        return result

    def less(self, words: str, taken: str) -> Expression | None:
        """Return a quantity less another one."""
        own, other = self.quantity(words), self.quantity(taken)
        return None if own is None or other is None or isinstance(own, Number) else Operation("-", own, other)

    def divisible(self, words: str, divisor: str, remainder: str = "0") -> list[Said] | None:
        """Return that a quantity has a remainder when it is divided by a number."""
        own, number, rest = self.quantity(words), self.atom(divisor), self.atom(remainder)
        if own is None or not isinstance(number, Number) or number.value < 2 or not isinstance(rest, Number):
            return None
        return [Condition("=", Function("mod", (own, number)), rest)] if rest.value < number.value else None

    def divided(self, words: str, divisor: str, quotient: str, rest: str) -> list[Said] | None:
        """Return that a quantity has a quotient and a remainder when it is divided by another one."""
        own, by, whole, left = (self.quantity(one) for one in (words, divisor, quotient, rest))
        if own is None or by is None or not isinstance(whole, Number) or not isinstance(left, Number):
            return None
        if isinstance(own, Number) or whole.value < 1:
            return None
        product = times(whole.value, by)
        return [Equation(own, plus(product, left) if left.value else product), Condition(">", by, left)]

    def parity(self, words: str, kind: str) -> list[Said] | None:
        """Return that a quantity is odd or even."""
        own = self.quantity(words)
        if own is None or isinstance(own, Number):
            return None
        return [Condition("odd" if kind == "odd" else "even", own, Number(Fraction(0)))]

    def squares(self) -> Expression:
        """Return the sum of the squares of the digits."""
        terms: list[Expression] = [Operation("*", one, one) for one in reversed(self.numeral.digits)]
        return reduce(plus, terms)

    def all_equal(self) -> list[Said]:
        """Return that all digits are the same."""
        first, *rest = reversed(self.numeral.digits)
        return [Equation(first, one) for one in rest]

    def all_different(self) -> list[Said]:
        """Return that no two digits are the same."""
        digits = tuple(reversed(self.numeral.digits))
        return [Condition("!=", one, other) for place, one in enumerate(digits) for other in digits[place + 1 :]]

    def ask(self, words: str) -> list[DigitAsk] | None:
        """Return that the quantity of some words is asked for."""
        own = self.quantity(words)
        return None if own is None or isinstance(own, Number) else [DigitAsk("value", own)]

    def story(self, cards: tuple[int, ...] = ()) -> DigitStory | None:
        """Return the story that was read if it is decided."""
        if not self.asks or any(_largest_number(one) > MAX_VALUE for one in self.said):
            return None
        said = tuple(dict.fromkeys(self.said))
        found = DigitStory(self.numeral.length, said, tuple(self.asks), self.turned, cards)
        return found if found.is_decided else None


def together(found: Sequence[list[Said] | None]) -> list[Said] | None:
    """Return everything that several clauses say; None if one of them is not understood."""
    known = [one for one in found if one is not None]
    return [said for one in known for said in one] if len(known) == len(found) else None


def _largest_number(said: Said) -> Fraction:
    pending, largest = [said.left, said.right], Fraction(0)
    while pending:
        node = pending.pop()
        if isinstance(node, Number):
            largest = max(largest, abs(node.value))
        elif isinstance(node, Operation):
            pending += (node.left, node.right)
        elif isinstance(node, Function):
            pending += node.arguments
    return largest
