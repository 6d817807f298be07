"""The interface of every model and baseline: mapped texts -> candidate trees with log-probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText

BEAM = 5  # as in the paper


@dataclass(frozen=True, slots=True)
class Example:
    """A training example: a problem, its mapped text, the tree of its equations, and how often an epoch has it.

    A weight of 2.5 means twice in every epoch, and once more in half of them.
    """

    problem: Problem
    text: MappedText
    tree: Uet
    weight: float = 1.0


class Predictor(Protocol):
    """A trained model."""

    @property
    def name(self) -> str:
        """The model's name in results."""
        ...

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return at most `beam` different trees per text, the most probable first."""
        ...


class Learner(Predictor, Protocol):
    """A predictor that learns in one call. Networks train for epochs and have their own trainer."""

    def fit(self, examples: Sequence[Example]) -> None:
        """Learn from these examples and forget everything learned before."""
        ...
