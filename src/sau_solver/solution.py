"""Solution: everything a solver says of one problem, and the JSON object that every interface gives out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sau_solver.equations.expressions import Equations
from sau_solver.equations.uet import Uet
from sau_solver.solving import Assignment, Value, decimal_of
from sau_solver.text.numbers import MappedText

NOT_FILLED = "not_filled"  # the outcome of a tree with a slot that the text has no number for


@dataclass(frozen=True, slots=True)
class SolvedCandidate:
    """One tree that the model proposed, in the model's order, and what came of solving it."""

    tree: Uet
    equations: Equations
    outcome: str  # solved, none, infinite, too_hard; not_filled where a slot has no number
    answers: tuple[Value, ...]
    log_probability: float


@dataclass(frozen=True, slots=True)
class Solution:
    """What was found for one problem.

    `abstained` says that the answers are a guess at best, and `reason` why, in the problem's language. Where no
    candidate gave an answer, `answers`, `equations` and `roots` are empty and `tree` is None.
    """

    text: MappedText
    equations: Equations
    tree: Uet | None
    roots: tuple[Assignment, ...]  # all solutions of the equations, also those that were dropped
    answers: tuple[Value, ...]  # what is asked for, exact
    unit: str  # of the answers, where the question says it; else empty
    confidence: float  # the calibrated probability that the answers are right
    abstained: bool
    reason: str
    steps: tuple[str, ...]
    candidates: tuple[SolvedCandidate, ...]
    model: str

    @property
    def problem(self) -> str:
        """The text as it came."""
        return self.text.text

    def as_json(self) -> dict[str, Any]:
        """The documented object of `sau solve --json` and of the server."""
        return {
            "problem": self.text.text,
            "language": self.text.language,
            "numbers": [
                {"text": number.text, "value": str(number.value), "start": number.start, "end": number.end}
                for number in self.text.numbers
            ],
            "equations": [str(equation) for equation in self.equations],
            "answers": [str(answer) for answer in self.answers],
            "decimal": decimals(self.answers),
            "unit": self.unit,
            "roots": [{name: str(value) for name, value in root.items()} for root in self.roots],
            "confidence": round(self.confidence, 4),
            "abstained": self.abstained,
            "reason": self.reason,
            "steps": list(self.steps),
            "candidates": [
                {
                    "equations": [str(equation) for equation in candidate.equations],
                    "outcome": candidate.outcome,
                    "answers": [str(answer) for answer in candidate.answers],
                    "log_probability": round(candidate.log_probability, 4),
                }
                for candidate in self.candidates
            ],
            "model": self.model,
        }


def decimals(values: Sequence[Value]) -> list[float | None]:
    """Each value as a float; None where it is too large for one, which JSON has no word for."""
    found = [decimal_of(value) for value in values]
    return [value if math.isfinite(value) else None for value in found]
