"""Turn encoded problems into batches of texts, target sequences and windows around the numbers of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import cast

import torch
from torch import Tensor

from sau_solver.models.layers.additive import Rows
from sau_solver.models.sau.tree_batch import Texts, collate_texts
from sau_solver.models.targets import RARE, EncodedProblem

_BLANK = -2  # in place of a symbol after END


@dataclass(frozen=True, slots=True)
class EncodedSequence(EncodedProblem):
    """A problem whose equations are a sequence of ids that ends with END."""

    symbols: tuple[int, ...] = ()
    windows: tuple[tuple[int, ...], ...] = ()  # ids of the words around each number
    needed: tuple[bool, ...] = ()  # which numbers the equations use

    @property
    def size(self) -> tuple[int, int]:
        """Return the number of symbols to write, for grouping problems of similar size."""
        return len(self.symbols), 0


@dataclass(frozen=True, slots=True)
class Sequences:
    """The targets of a batch."""

    symbols: Tensor  # (problems, steps): ids, RARE, or blank after END
    windows: Tensor  # (problems, numbers, words)
    needed: Tensor  # (problems, numbers): 1 if the number is needed
    judged: Tensor  # (problems, numbers): 1 if there is such a number


@dataclass(frozen=True, slots=True)
class SequenceBatch:
    """A batch of a training step."""

    texts: Texts
    gold: Sequences
    steps: Rows  # (problems, steps) as one axis
    problems: Tensor  # (runs,): how many problems are real, for each of the stacked networks

    @property
    def scored(self) -> Tensor:
        """Return (problems, steps): 1 if a symbol is predicted there."""
        return (self.gold.symbols >= 0).to(self.problems.dtype)

    def read(self, rare: int) -> Tensor:
        """Return (problems, steps): the ids that the decoder reads, `rare` for symbols without an id."""
        return torch.where(self.gold.symbols >= 0, self.gold.symbols, rare)


def collate_sequences(problems: Sequence[EncodedProblem]) -> SequenceBatch:
    """Return a batch on the CPU, the longest texts first, padded to the longest."""
    listed = cast(list[EncodedSequence], sorted(problems, key=lambda problem: -len(problem.words)))
    steps = Rows.ragged([len(one.symbols) for one in listed])
    return SequenceBatch(collate_texts(listed), _padded(listed), steps, torch.tensor([float(len(listed))]))


class PaddedSequences:
    """Problems padded to one shape on a device, from which `pick` takes batches."""

    def __init__(self, problems: Sequence[EncodedProblem], device: torch.device) -> None:
        self.blank = len(problems)
        listed = [*cast(Sequence[EncodedSequence], problems), EncodedSequence((0,), (), (), None)]
        self._texts, padded = collate_texts(listed, device), _padded(listed)
        self._gold = Sequences(*(getattr(padded, item.name).to(device) for item in fields(padded)))

    def pick(self, chosen: Tensor, runs: int = 1) -> SequenceBatch:
        """Return a batch of the chosen problems, equally many for each of the stacked networks."""
        gold = Sequences(*(getattr(self._gold, item.name).index_select(0, chosen) for item in fields(self._gold)))
        steps = Rows.even(len(chosen), gold.symbols.shape[1], chosen.device)
        real = (chosen != self.blank).view(runs, -1).sum(1).float()
        return SequenceBatch(self._texts.picked(chosen), gold, steps, real)


def _padded(problems: Sequence[EncodedSequence]) -> Sequences:
    steps = max(len(one.symbols) for one in problems)
    numbers = max(1, *(len(one.windows) for one in problems))
    width = max((len(window) for one in problems for window in one.windows), default=1)
    symbols = torch.full((len(problems), steps), _BLANK)
    windows = torch.zeros(len(problems), numbers, width, dtype=torch.int64)
    needed, judged = torch.zeros(len(problems), numbers), torch.zeros(len(problems), numbers)
    for row, one in enumerate(problems):
        symbols[row, : len(one.symbols)] = torch.tensor(one.symbols, dtype=torch.int64)
        if count := len(one.windows):
            windows[row, :count] = torch.tensor(one.windows)
            needed[row, :count] = torch.tensor(one.needed, dtype=needed.dtype)
            judged[row, :count] = 1
    return Sequences(symbols, windows, needed, judged)


assert RARE > _BLANK  # both are negative, so neither is scored
