"""What every model and baseline implements: mapped texts -> ranked trees with log-probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText

BEAM = 5  # the paper's


@dataclass(frozen=True, slots=True)
class Example:
    """A problem that a model can learn from: its mapped text and the tree of its published equations."""

    problem: Problem
    text: MappedText
    tree: Uet


@dataclass(frozen=True, slots=True)
class Candidate:
    """One tree that a model proposes for a text; its slots are places in that text.

    A model whose outputs need not be trees may write something that is none: `unreadable` then says what, and `tree`
    is one that no text can fill.
    """

    tree: Uet
    log_probability: float
    unreadable: str = ""


UNFILLABLE = Uet((Slot(999_999),))  # what stands for the tree of an unreadable output


class Predictor(Protocol):
    """A model that is ready to be used."""

    @property
    def name(self) -> str:
        """What results call the model."""
        ...

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """For each text at most `beam` different trees, the most probable first."""
        ...


class Learner(Predictor, Protocol):
    """A predictor that learns from examples in one call; networks, which train for epochs, have their own trainer."""

    def fit(self, examples: Sequence[Example]) -> None:
        """Forget what was learned before and learn from these."""
        ...
