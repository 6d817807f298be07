"""MappedText: the words of a problem with a slot for each number. Models take this as input."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.problem import Language

NUMBER_WORD = "NUM"  # replaces each number in `words`


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """One number of a text: its exact value, its surface and its position."""

    value: Fraction
    text: str  # equal to original[start:end]
    start: int
    end: int
    unit: str = ""  # of a compound quantity such as 2 hours 30 minutes: the unit that its value is in


@dataclass(frozen=True, slots=True)
class MappedText:
    """A text after number mapping.

    `words[positions[i]]` is NUMBER_WORD for the i-th number. `spans[k]` is the start and end of `words[k]` in `text`.
    The unit of a compound quantity follows its number as a word of its own, with an empty span.
    """

    text: str
    language: Language
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    numbers: tuple[NumberSlot, ...]
    positions: tuple[int, ...]

    def slots_of(self, value: Fraction) -> tuple[int, ...]:
        """Return the indices of all numbers with this value, in text order."""
        return tuple(i for i, number in enumerate(self.numbers) if number.value == value)
