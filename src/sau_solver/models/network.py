"""The interface of every network, for the trainer and the predictor, and the stacking of several networks into one.

A network collates encoded problems into batches of its own kind, computes their losses, and searches texts for the
most probable outputs. Networks of one shape can be stacked into one: their parameters get an axis in front
(layers/stacked.py), and a batch holds equally many problems for each of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, Self, TypeVar

import torch
from torch import Tensor, nn

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.options import NetworkOptions
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.targets import EncodedProblem, Targets


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over the problems, symbols or subtrees of a batch, as a sum and a count, both (runs,).

    Processes that share a batch each have a part of the sum, and divide it by the count of the whole batch.
    """

    sum: Tensor
    count: Tensor
    weight: Tensor | float = 1.0  # in the objective

    @property
    def value(self) -> Tensor:
        """The mean; a run may have only blank problems in a batch."""
        return self.sum / self.count.clamp(min=1)


@dataclass(frozen=True, slots=True)
class Losses:
    """The objective of a batch, and sums over the batch for progress reports."""

    total: Tensor  # to be minimized, over all stacked networks; the other fields are (runs,)
    symbols: Tensor  # negative log-probabilities of the gold symbols
    alignment: Tensor  # the network's second objective
    right: Tensor  # gold symbols that have the highest probability
    counted: Tensor  # gold symbols that were predicted
    # The means that add up to the total: that of the symbols, and that of `alignment` if there is one. Empty if the
    # total is not a sum of means; several processes cannot share a batch then.
    means: tuple[Mean, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The outputs of a search for one problem, in ids, the most probable first."""

    symbols: list[list[int]]
    log_probabilities: list[float]
    verified: list[float] | None = None  # the scores of a verifier, if the network has one


B = TypeVar("B")  # a network's type of batch
B_co = TypeVar("B_co", covariant=True)


class PaddedProblems(Protocol[B_co]):
    """Problems padded to one shape on a device, from which batches are selected without leaving it."""

    @property
    def blank(self) -> int:
        """The number of an empty problem that fills up a batch."""
        ...

    def pick(self, chosen: Tensor, runs: int = 1) -> B_co:
        """Return the batch of these problems, equally many for each run; the shape depends only on how many."""
        ...


class Network(nn.Module, ABC, Generic[B]):
    """A network, or several stacked ones: ids in, losses and ids out."""

    options: NetworkOptions
    targets: Targets

    @property
    @abstractmethod
    def words(self) -> int:
        """The number of word ids."""

    @classmethod
    @abstractmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """Return a new, unstacked network that has every parameter of each of these, in the largest size."""

    @abstractmethod
    def collate(self, problems: Sequence[EncodedProblem]) -> B:
        """Return a batch of problems on the CPU with as little padding as possible."""

    @abstractmethod
    def padded(self, problems: Sequence[EncodedProblem], device: torch.device) -> PaddedProblems[B]:
        """Return the problems padded to one shape on a device."""

    @abstractmethod
    def losses(self, batch: B, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """Return the losses of a batch."""

    def learn_from(self, teachers: Sequence[Self], share: float) -> None:
        """Also learn from trained networks, with a share of the loss."""
        raise InputError(f"[training] teachers needs the model sau, got {self.options.model}. Remove the teachers.")

    @property
    def depth(self) -> int:
        """The number of layers of a pretrained encoder; 0 without one."""
        return 0

    @abstractmethod
    def search(self, texts: Texts, beam: int) -> list[Found]:
        """Return for each text the `beam` most probable outputs that a beam search finds."""


# Stacking


N = TypeVar("N", bound=Network[Any])


def common_targets(targets: Sequence[Targets]) -> list[Targets]:
    """Return the targets padded to equally many ids, as stacking requires."""
    most = max(one.leaves for one in targets)
    return [replace(one, padding=most - one.leaves) for one in targets]


def stack(networks: Sequence[N]) -> N:
    """Return one network whose parameters hold those of all; their targets must have equally many ids."""
    first = networks[0].options
    if not all(type(first) is type(one.options) and first.like(one.options) == one.options for one in networks):
        raise InputError("Networks with different options cannot be trained as one. Train them one after the other.")
    if len({network.targets.leaves for network in networks}) > 1:
        raise InputError("Networks that train as one need equally many ids. Give them common_targets.")
    together = type(networks[0]).spanning(networks).to(next(networks[0].parameters()).dtype)
    states = [dict(network.named_parameters()) for network in networks]
    for name, parameter in list(together.named_parameters()):
        # A network without alignment gets an alignment of weight 0.
        rows = [_grown(state.get(name, parameter).detach(), parameter) for state in states]
        _put(together, name, torch.nn.Parameter(torch.stack(rows)))
    for name, _ in list(together.named_buffers()):  # each network's own symbols and loss weights
        _put(together, name, torch.stack([network.get_buffer(name) for network in networks]))
    return together


def unstacked(stacked: Mapping[str, Tensor], run: int, like: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors of one run, cut to the names and sizes of its own network."""
    return {name: stacked[name][run][tuple(slice(0, size) for size in own.shape)] for name, own in like.items()}


def _put(network: Network[Any], name: str, values: Tensor) -> None:
    owner, _, last = name.rpartition(".")
    setattr(network.get_submodule(owner), last, values)


def _grown(values: Tensor, like: Tensor) -> Tensor:
    grown = torch.zeros_like(like, device=values.device)
    grown[tuple(slice(0, size) for size in values.shape)] = values
    return grown


# Scores of symbols


def missed_symbols(
    scores: Tensor, gold: Tensor, scored: Tensor, real: Tensor, classes: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Scores (rows, symbols) -> each row's loss -log p(gold symbol), and which rows are right, both (rows,).

    `real` marks the symbols that exist; `classes` maps each symbol to an id, so that slots of equal value count as
    one symbol. Rows that are not `scored` have loss 0.
    """
    scores = scores.masked_fill(~real, -torch.inf)
    meant = (classes == gold.unsqueeze(1)) & real
    every = scores.logsumexp(1)
    # A rare constant or padding has no symbol: keep its loss finite here, it is multiplied by 0 below.
    wanted = torch.where(meant, scores, -torch.inf).logsumexp(1)
    wanted = torch.where(scored > 0, wanted, every)
    missed = every - wanted
    if smoothing:
        flat = every - scores.masked_fill(~real, 0).sum(1) / real.sum(1)
        missed = (1 - smoothing) * missed + smoothing * flat
    right = meant.gather(1, scores.argmax(1, keepdim=True)).squeeze(1)
    return missed * scored, right * scored


def symbol_log_probabilities(scores: Tensor, real: Tensor, classes: Tensor) -> Tensor:
    """Scores (problems, width, symbols) -> log-probabilities of the same shape.

    The probabilities of slots of equal value are added up at the first of them; the others get -inf.
    """
    logs = scores.masked_fill(~real.unsqueeze(1), -torch.inf).log_softmax(-1)
    classes = classes.unsqueeze(1).expand_as(logs)
    # Relative to the largest of a class: a probability may be smaller than the smallest float.
    largest = torch.full_like(logs, torch.finfo(logs.dtype).min).scatter_reduce_(2, classes, logs, "amax")
    sums = torch.zeros_like(logs).scatter_add_(2, classes, (logs - largest.gather(2, classes)).exp_())
    return sums.log_().add_(largest)
