"""A mapped text and new values -> the same text with other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import number_text
from sau_solver.errors import InputError
from sau_solver.text.numbers import MappedText, NumberSlot


def renumbered(text: MappedText, values: Sequence[Fraction]) -> MappedText:
    """Return the text with new values in place of its numbers; a number that keeps its value keeps its spelling."""
    if len(values) != len(text.numbers):
        raise InputError.phrased(text.language, "value_count", numbers=len(text.numbers), values=len(values))
    line = _Rewriting(text, values)
    return MappedText(
        text=line.text,
        language=text.language,
        words=text.words,
        spans=tuple((line.moved(start), line.moved(end)) for start, end in text.spans),
        numbers=tuple(
            NumberSlot(value, written, line.moved(number.start), line.moved(number.end))
            for number, value, written in zip(text.numbers, values, line.written, strict=True)
        ),
        positions=text.positions,
    )


@dataclass(frozen=True)
class _Rewriting:
    """A text with new numbers, and where each of its characters moves."""

    old: MappedText
    values: Sequence[Fraction]

    @property
    def written(self) -> list[str]:
        return [
            number.text if number.value == value else number_text(value)
            for number, value in zip(self.old.numbers, self.values, strict=True)
        ]

    @property
    def text(self) -> str:
        parts, place = [], 0
        for number, written in zip(self.old.numbers, self.written, strict=True):
            parts += [self.old.text[place : number.start], written]
            place = number.end
        return "".join([*parts, self.old.text[place:]])

    def moved(self, place: int) -> int:
        """Return the new position of a character; no word starts or ends inside a number."""
        shift = 0
        for number, written in zip(self.old.numbers, self.written, strict=True):
            if number.end <= place:
                shift += len(written) - (number.end - number.start)
        return place + shift
