"""A mapped text and new values -> the same text with other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from sau_solver.equations.expressions import number_text
from sau_solver.errors import InputError
from sau_solver.text.numbers import MappedText, NumberSlot


def renumbered(text: MappedText, values: Sequence[Fraction]) -> MappedText:
    """Return the text with new values in place of its numbers; a number that keeps its value keeps its spelling."""
    if len(values) != len(text.numbers):
        raise InputError.phrased(text.language, "value_count", numbers=len(text.numbers), values=len(values))
    pairs = list(zip(text.numbers, values, strict=True))
    gap = " " if text.language == "en" else ""
    written = [
        number.text if number.value == value else number_text(value) + (gap + number.unit if number.unit else "")
        for number, value in pairs
    ]

    def moved(place: int) -> int:  # no word starts or ends inside a number
        changes = zip(text.numbers, written, strict=True)
        return place + sum(len(new) - len(number.text) for number, new in changes if number.end <= place)

    parts, place = [], 0
    for number, new in zip(text.numbers, written, strict=True):
        parts += [text.text[place : number.start], new]
        place = number.end
    return replace(
        text,
        text="".join([*parts, text.text[place:]]),
        spans=tuple((moved(start), moved(end)) for start, end in text.spans),
        numbers=tuple(
            NumberSlot(value, new, moved(number.start), moved(number.end), number.unit)
            for (number, value), new in zip(pairs, written, strict=True)
        ),
    )
