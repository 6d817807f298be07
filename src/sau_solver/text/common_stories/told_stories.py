"""A story -> the greatest common divisor or least common multiple that it asks for without naming it.

Two buses leave every 12 and every 18 minutes: when do they leave together again? A story is only recognized if each of
its numbers has a place in it. All other texts are left to the network.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.problem import Language
from sau_solver.text.numbers import NumberSlot, find_numbers

MAX_CHARACTERS = 500  # stories of school books are shorter, and the search stays quick
MAX_FACTS = 8
MAX_NUMBER = 1_000_000

Relation = Literal["gcd", "lcm"]
# What is asked for, from the common number and the numbers of the story.
#   common     the divisor or multiple itself, plus `shift`
#   quotients  how often each of `places` goes: number / divisor, or multiple / number
#   sum        the sum of all quotients; product: their product
#   times      how often the multiple goes into `span`
Wanted = Literal["common", "quotients", "sum", "product", "times"]
# What the numbers of the story are, which decides how a step explains the calculation.
Scene = Literal[
    "events", "distances", "packs", "arrangements", "tiles", "gears", "lengths", "squares", "groups", "rows"
]


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a story asks for."""

    wanted: Wanted
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CommonStory:
    """A story about a common divisor or multiple of its numbers."""

    relation: Relation
    scene: Scene
    numbers: tuple[int, ...]
    asks: tuple[Ask, ...]
    shift: int = 0  # that is left over in each arrangement, or missing if it is negative
    span: int = 0  # the time in which common events are counted
    unit: str = ""  # of the numbers, if the story measures them
    names: tuple[str, ...] = ()  # of the things that the numbers count, if they are known

    @property
    def common(self) -> int:
        """The greatest common divisor or least common multiple of the numbers."""
        return math.gcd(*self.numbers) if self.relation == "gcd" else math.lcm(*self.numbers)

    @property
    def quotients(self) -> tuple[int, ...]:
        """How often the divisor goes into each number, or each number into the multiple."""
        common = self.common
        return tuple(number // common if self.relation == "gcd" else common // number for number in self.numbers)

    @property
    def answers(self) -> tuple[Fraction, ...]:
        """The values asked for, in the order of the questions."""
        return tuple(Fraction(value) for ask in self.asks for value in self.values(ask))

    def values(self, ask: Ask) -> tuple[int, ...]:
        """Return the values of one thing asked for."""
        match ask.wanted:
            case "quotients":
                return tuple(self.quotients[place] for place in ask.places)
            case "sum":
                return (sum(self.quotients),)
            case "product":
                return (math.prod(self.quotients),)
            case "times":
                return (self.span // self.common,)
        return (self.common + self.shift,)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a story: its value and its place in the text that is written with digits."""

    value: Fraction
    start: int
    end: int
    spelled: bool  # two, 两


@dataclass(frozen=True, slots=True)
class Told:
    """A story with all its numbers written in digits, so that rules see one form."""

    text: str
    facts: tuple[Fact, ...]

    @property
    def places(self) -> range:
        """The places of all facts."""
        return range(len(self.facts))

    def before(self, place: int, most: int = 60) -> str:
        """Return the text between the fact before and a fact; at most some characters."""
        start = self.facts[place - 1].end if place else 0
        return self.text[max(start, self.facts[place].start - most) : self.facts[place].start]

    def after(self, place: int, most: int = 60) -> str:
        """Return the text between a fact and the next; at most some characters."""
        end = self.facts[place + 1].start if place + 1 < len(self.facts) else len(self.text)
        return self.text[self.facts[place].end : min(end, self.facts[place].end + most)]

    def lead(self, place: int, most: int = 60) -> str:
        """Return the characters before a fact, with other facts among them."""
        start = self.facts[place].start
        return self.text[max(0, start - most) : start]

    def tail(self, place: int, most: int = 60) -> str:
        """Return the characters after a fact, with other facts among them."""
        end = self.facts[place].end
        return self.text[end : end + most]

    def without(self, dropped: set[int]) -> Told:
        """Return the story without the facts of these places."""
        return Told(self.text, tuple(fact for place, fact in enumerate(self.facts) if place not in dropped))

    def listed(self, continues: Callable[[int, int], bool]) -> list[list[int]]:
        """Return the places of facts in lists; `continues` gets the first place of a list and the next place."""
        lists: list[list[int]] = []
        for place in self.places:
            if lists and continues(lists[-1][0], place):
                lists[-1].append(place)
            else:
                lists.append([place])
        return lists

    def unit(self, pattern: re.Pattern[str], short: Callable[[str], str]) -> str | None:
        """Return the short form of the unit that all facts have; "" if they have none, None if units differ."""
        found = [pattern.match(self.tail(place)) for place in self.places]
        units = {short(one[1]) for one in found if one}
        return None if len(units) > 1 else next(iter(units), "")


def told(text: str, language: Language, whole: bool = True) -> Told | None:
    """Return a text with its numbers in digits; None if a number is negative or, with `whole`, no positive integer."""
    found = find_numbers(text, language)
    if any(number.value < 0 or (whole and (number.value.denominator != 1 or not number.value)) for number in found):
        return None
    written, spans = with_digits(text, found, lambda number: str(number.value))
    facts = [
        Fact(number.value, start, end, not any(map(str.isdigit, number.text)))
        for number, (start, end) in zip(found, spans, strict=True)
    ]
    return Told(written, tuple(facts))


def with_digits(
    text: str, numbers: Sequence[NumberSlot], write: Callable[[NumberSlot], str]
) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with its numbers as `write` writes them, and the place of each number in the new text."""
    parts: list[str] = []
    spans = []
    end = length = 0
    for number in numbers:
        digits = write(number)
        parts += [text[end : number.start], digits]
        start = length + number.start - end
        end, length = number.end, start + len(digits)
        spans.append((start, length))
    parts.append(text[end:])
    return "".join(parts), spans


def story_of(
    relation: Relation, scene: Scene, facts: tuple[Fact, ...], asks: tuple[Ask, ...], unit: str = ""
) -> CommonStory | None:
    """Return the story of these facts if their numbers suit it: two to four of them, not all the same, none of 1."""
    numbers = tuple(int(fact.value) for fact in facts)
    if not asks or not 2 <= len(numbers) <= 4 or min(numbers) < 2 or max(numbers) > MAX_NUMBER or len(set(numbers)) < 2:
        return None
    story = CommonStory(relation, scene, numbers, asks, unit=unit)
    return story if relation == "lcm" or story.common > 1 else None


def all_asks(asks: Sequence[str], read: Callable[[str], Ask | None]) -> tuple[Ask, ...]:
    """Return what each question asks for; nothing if one of them is not understood."""
    found = [read(ask) for ask in asks]
    return tuple(one for one in found if one) if all(found) else ()
