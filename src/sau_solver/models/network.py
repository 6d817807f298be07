"""What every network implements, so that one trainer trains and one solver uses them all.

A network makes its own batches of encoded problems, says their losses, and searches texts. Its parameters may be those
of several networks of one shape (stacked.py); batches then hold equally many problems for each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import torch
from torch import Tensor, nn

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.options import NetworkOptions
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.targets import EncodedProblem, Targets


@dataclass(frozen=True, slots=True)
class Losses:
    """What is minimised, and sums over a batch that a progress display shows."""

    total: Tensor  # of all networks together; the others are (runs,)
    symbols: Tensor  # negative log-probabilities of the gold symbols
    alignment: Tensor  # what a network minimises besides
    right: Tensor  # symbols that have the highest probability
    counted: Tensor  # symbols that were predicted


@dataclass(frozen=True, slots=True)
class Found:
    """What a search wrote for one problem, in ids, the most probable first."""

    symbols: list[list[int]]
    log_probabilities: list[float]


B = TypeVar("B")  # the batches of a network
B_co = TypeVar("B_co", covariant=True)


class Shelves(Protocol[B_co]):
    """Problems padded to one shape on a device, of which batches are picked there."""

    @property
    def blank(self) -> int:
        """The number of an empty problem, to fill a batch with."""
        ...

    def pick(self, chosen: Tensor, runs: int = 1) -> B_co:
        """The problems of these numbers, equally many for each of the runs; equally many give equal shapes."""
        ...


class Network(nn.Module, ABC, Generic[B]):
    """A network, or several stacked; ids in, losses and ids out."""

    options: NetworkOptions
    targets: Targets

    @property
    @abstractmethod
    def words(self) -> int:
        """How many ids texts have."""

    @property
    def trains_alone(self) -> bool:
        """Whether it cannot be stacked."""
        return False

    @classmethod
    @abstractmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """A new network, not stacked, that has every parameter of each of these, and in the largest size."""

    @abstractmethod
    def collate(self, problems: Sequence[EncodedProblem]) -> B:
        """A batch of problems on the CPU, as small as they allow."""

    @abstractmethod
    def shelf(self, problems: Sequence[EncodedProblem], device: torch.device) -> Shelves[B]:
        """Problems laid out on a device for batches of one shape."""

    @abstractmethod
    def losses(self, batch: B, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """The objective of a batch."""

    @abstractmethod
    def search(self, texts: Texts, beam: int) -> list[Found]:
        """The `beam` most probable outputs for each text that a search finds."""


def missed_symbols(
    scores: Tensor, gold: Tensor, scored: Tensor, real: Tensor, classes: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Scores (rows, symbols) -> -log of the probability of each row's gold symbol, and which rows are right, (rows,).

    `real` says which symbols exist, `classes` which id stands for each: slots of one value count together. Rows that
    are not `scored` lose nothing.
    """
    scores = scores.masked_fill(~real, -torch.inf)
    meant = (classes == gold.unsqueeze(1)) & real
    every = scores.logsumexp(1)
    # A rare constant or padding means no symbol: kept finite, then weighted with 0.
    wanted = torch.where(meant, scores, -torch.inf).logsumexp(1)
    wanted = torch.where(scored > 0, wanted, every)
    missed = every - wanted
    if smoothing:
        flat = every - scores.masked_fill(~real, 0).sum(1) / real.sum(1)
        missed = (1 - smoothing) * missed + smoothing * flat
    right = meant.gather(1, scores.argmax(1, keepdim=True)).squeeze(1)
    return missed * scored, right * scored


def symbol_log_probabilities(scores: Tensor, real: Tensor, classes: Tensor) -> Tensor:
    """Scores (problems, width, symbols) -> log-probabilities; those of slots of equal value summed on the first of
    them, -inf for the others.
    """
    logs = scores.masked_fill(~real.unsqueeze(1), -torch.inf).log_softmax(-1)
    classes = classes.unsqueeze(1).expand_as(logs)
    # Relative to the largest of a class: a probability may be smaller than the smallest float.
    largest = torch.full_like(logs, torch.finfo(logs.dtype).min).scatter_reduce_(2, classes, logs, "amax")
    sums = torch.zeros_like(logs).scatter_add_(2, classes, (logs - largest.gather(2, classes)).exp_())
    return sums.log_().add_(largest)
