"""Pools of interchangeable words: names, things with their plural or measure word, places, usual prices.

An entry of words/en.toml is `candy/candies @1..3`: singular, plural if it is irregular, usual price. An entry of
words/zh.toml is `支 铅笔 @1..4`: measure word, noun, usual price. `Mrs. Green (f)` is a person with a pronoun.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from random import Random

from sau_solver.curriculum.formulas import Value, exact
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language

PEOPLE = ("N", "M", "K", "L")  # the slots of children's names

_PRICE = re.compile(r"\s*@([\d.]+)\.\.([\d.]+)$")
_GENDER = re.compile(r"\s*\(([fm])\)$")
_HE = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
_TA = {"他": "她"}


@dataclass(frozen=True, slots=True)
class Word:
    """A noun or name with its forms."""

    one: str
    many: str
    measure: str = ""
    price: tuple[Value, Value] | None = None
    female: bool = False

    def form(self, name: str) -> str:
        """Return the form that a slot wants: one, m (measure word), mn (measure word and noun), he, his, him, 他."""
        if not name:
            return self.many
        if name == "one":
            return self.one
        if name == "m":
            return self.measure
        if name == "mn":
            return self.measure + self.many
        pronoun = name.lower()
        pronoun = (_HE if pronoun in _HE else _TA).get(pronoun, pronoun) if self.female else pronoun
        return pronoun.capitalize() if name[0].isupper() else pronoun


FORMS = frozenset({"", "one", "m", "mn", *_HE, *_TA, *map(str.capitalize, _HE)})


def read_word(entry: str, language: Language) -> Word:
    """Return the word of an entry."""
    price = None
    if match := _PRICE.search(entry):
        entry, price = entry[: match.start()], (exact(Fraction(match[1])), exact(Fraction(match[2])))
    if match := _GENDER.search(entry):
        return Word(entry[: match.start()], entry[: match.start()], female=match[1] == "f")
    if language == "zh":
        measure, _, noun = entry.rpartition(" ")
        return Word(noun, noun, measure, price)
    one, _, many = entry.partition("/")
    return Word(one, many or plural(one), price=price)


def plural(noun: str) -> str:
    """Return the regular plural of an English noun."""
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


@cache
def pools(language: Language) -> Mapping[str, tuple[Word, ...]]:
    """Return the pools of a language by name."""
    text = files("sau_solver.curriculum").joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return {
        name: tuple(read_word(entry, language) for entry in entries) for name, entries in tomllib.loads(text).items()
    }


def split_name(name: str) -> str:
    """Return the pool of a slot's name: thing for thing2, child for N."""
    return "child" if name in PEOPLE else name.rstrip("0123456789")


class WordChoice:
    """The words of one problem: each slot keeps its word, and no word stands in two slots."""

    __slots__ = ("_pools", "_rng", "chosen")

    def __init__(self, family_pools: Mapping[str, tuple[Word, ...]], rng: Random) -> None:
        self._pools = family_pools
        self._rng = rng
        self.chosen: dict[str, Word] = {}

    def word(self, name: str) -> Word:
        """Return the word of a slot, chosen at its first use."""
        if (word := self.chosen.get(name)) is None:
            pool = self._pools[split_name(name)]
            for _ in range(30):
                word = pool[int(self._rng.random() * len(pool))]
                if all(word.one != other.one for other in self.chosen.values()):
                    break
            assert word is not None
            self.chosen[name] = word
        return word

    def price_range(self, name: str) -> tuple[Value, Value]:
        """Return the usual price of the word of a slot; raise FamilyError if it has none."""
        if (price := self.word(name).price) is None:
            raise FamilyError(f"The word {self.word(name).one!r} has no price.")
        return price
