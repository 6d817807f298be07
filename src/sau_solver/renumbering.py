"""A solved problem with other numbers -> its solution: the tree stays, the numbers in the text and the answer change.

No model is asked: the equations are those that it once wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.answering.candidates import rank
from sau_solver.concluding import conclude_again
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError, NotATreeError
from sau_solver.explaining.calculation import number_text
from sau_solver.models.base import Candidate
from sau_solver.solution import Solution
from sau_solver.text.numbers import MappedText, NumberSlot


def renumbered(text: MappedText, values: Sequence[Fraction]) -> MappedText:
    """The text with these values in the places of its numbers; a number that keeps its value keeps its writing."""
    if len(values) != len(text.numbers):
        raise InputError(
            f"A value for each of the {len(text.numbers)} numbers of the text was expected, {len(values)} came."
        )
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


def solve_again(text: MappedText, tree: Uet, values: Sequence[Fraction]) -> Solution:
    """The solution of the text with these values, by a tree that was written for it."""
    changed = renumbered(text, values)
    if max(tree.slots(), default=-1) >= len(values):
        raise NotATreeError(f"The tree uses N{max(tree.slots())}, but the text has {len(values)} numbers.")
    return conclude_again(rank(changed, [Candidate(tree, 0.0)]))


@dataclass(frozen=True)
class _Rewriting:
    """A text whose numbers are written anew, and where its characters have moved."""

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
        """Where a place of the old text is in the new one; nothing but numbers begins or ends inside a number."""
        shift = 0
        for number, written in zip(self.old.numbers, self.written, strict=True):
            if number.end <= place:
                shift += len(written) - (number.end - number.start)
        return place + shift
