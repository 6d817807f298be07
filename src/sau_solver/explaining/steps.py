"""Codes and values -> worked steps with a kind and, when they are read, a sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.equations.expressions import number_text
from sau_solver.phrases import Language, Phrase

StepKind = Literal["numbers", "unknowns", "work", "check", "answer"]

# The kind of a step by its code; all other codes are work.
_KINDS: Mapping[str, StepKind] = {
    **dict.fromkeys(("numbers", "unused", "constants"), "numbers"),
    **dict.fromkeys(("let_question", "let_number", "let_clause", "let_thing", "let_several"), "unknowns"),
    **dict.fromkeys(("check", "check_near"), "check"),
    "answer": "answer",
}


@dataclass(frozen=True, slots=True)
class PlainNumber:
    """A number of a step, written as people write it: 12, -0.25, 1/3."""

    value: Fraction

    def __str__(self) -> str:
        return number_text(self.value)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a worked solution. Its sentence is written when it is read."""

    language: Language
    phrase: Phrase

    @property
    def kind(self) -> StepKind:
        """What the step is about."""
        return _KINDS.get(self.phrase.code, "work")

    @property
    def text(self) -> str:
        """The sentence in the reader's language."""
        return self.phrase.said(self.language)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class StepWriter:
    """Writes steps in one language."""

    language: Language

    def __call__(self, code: str, **values: object) -> Step:
        """Return the step of a code of `sau_solver.phrases`, filled with the values."""
        return Step(self.language, Phrase(code, tuple(values.items())))
