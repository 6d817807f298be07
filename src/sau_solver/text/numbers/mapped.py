"""MappedText: a problem's words with each number replaced by a slot, the contract between reading and models."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.problem import Language

NUMBER_WORD = "NUM"  # stands in `words` where a number stood in the text


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """One number of a text: its exact value, its surface, and where it stands."""

    value: Fraction
    text: str  # exactly original[start:end]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MappedText:
    """A text after number mapping.

    `words[positions[i]]` is NUMBER_WORD for the i-th number; `spans[k]` is where `words[k]` stands in `text`.
    """

    text: str
    language: Language
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    numbers: tuple[NumberSlot, ...]
    positions: tuple[int, ...]

    def slots_of(self, value: Fraction) -> tuple[int, ...]:
        """The indices of every number that has this value, in text order."""
        return tuple(i for i, number in enumerate(self.numbers) if number.value == value)
