"""Codes and values -> worked steps in the reader's language, each with its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sau_solver.phrases import Language, say

StepKind = Literal["numbers", "unknowns", "work", "check", "answer"]

# The kind of a step by its code; all other codes are work.
_KINDS: Mapping[str, StepKind] = {
    "numbers": "numbers",
    "unused": "numbers",
    "constants": "numbers",
    "let_question": "unknowns",
    "let_number": "unknowns",
    "let_clause": "unknowns",
    "let_thing": "unknowns",
    "let_several": "unknowns",
    "check": "check",
    "check_near": "check",
    "answer": "answer",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a worked solution: what it is about, and its sentence."""

    kind: StepKind
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class StepWriter:
    """Writes steps in one language."""

    language: Language

    def __call__(self, code: str, **values: object) -> Step:
        """Return the step of a code of `sau_solver.phrases`, filled with the values."""
        return Step(_KINDS.get(code, "work"), say(self.language, code, **values))
