"""A worked step -> what it is about: the numbers, the unknowns, the work, the check or the answer.

Steps are sentences; each was made from one of `PHRASES`, and how it begins says from which.
"""

from __future__ import annotations

from typing import Literal

from sau_solver.explaining.phrases import PHRASES
from sau_solver.problem import Language

StepKind = Literal["numbers", "unknowns", "work", "check", "answer"]

_KINDS: dict[str, StepKind] = {
    "radical": "work",  # before what begins alike
    "numbers": "numbers",
    "unused": "numbers",
    "constants": "numbers",
    "let_question": "unknowns",
    "let_counted": "unknowns",
    "let_thing": "unknowns",
    "let_several": "unknowns",
    "check": "check",
    "check_near": "check",
    "answer": "answer",
}


def step_kind(step: str, language: Language) -> StepKind:
    """The kind of a step in that language."""
    for name, kind in _KINDS.items():
        pieces = _fixed(PHRASES[language][name])
        if step.startswith(pieces[0]) and all(piece in step for piece in pieces):
            return kind
    return "work"


def _fixed(phrase: str) -> list[str]:
    """What a phrase has outside its fields."""
    first, *rest = phrase.split("{")
    return [first, *(piece.partition("}")[2] for piece in rest)]
