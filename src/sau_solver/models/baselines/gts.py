"""GTS (Xie and Sun, 2019), a baseline of the paper: the same goal-driven tree network without unknowns, `=`, `;` and
alignment. It writes a single expression, so it learns only from problems of plain arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import torch

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.network import Found, Losses, Network
from sau_solver.models.options import GtsOptions, SauOptions
from sau_solver.models.predictor import NetworkPredictor
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Batch, PaddedTrees, Texts
from sau_solver.models.targets import EncodedProblem, Targets


class GtsNetwork(Network[Batch]):
    """The tree network of `sau/sau_network.py` with targets of plain arithmetic."""

    options: GtsOptions

    def __init__(self, words: int, targets: Targets, options: GtsOptions) -> None:
        super().__init__()
        self.options, self.targets = options, targets
        sizes = {name: getattr(options, name) for name in ("embedding", "hidden", "dropout", "longest_tree")}
        self.tree = SauNetwork(words, targets, SauOptions(**sizes, ssar=0.0))

    @property
    def words(self) -> int:
        """Return the size of the word vocabulary."""
        return self.tree.words

    @classmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """Return a network for the largest of the word vocabularies."""
        return cls(max(network.words for network in networks), networks[0].targets, networks[0].options)

    def collate(self, problems: Sequence[EncodedProblem]) -> Batch:
        """Return a ragged batch on the CPU."""
        return self.tree.collate(problems)

    def padded(self, problems: Sequence[EncodedProblem], device: torch.device) -> PaddedTrees:
        """Return the problems padded to one shape."""
        return self.tree.padded(problems, device)

    def losses(self, batch: Batch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """Return the loss of a batch, averaged over its problems."""
        return self.tree.losses(batch, drop, smoothing)

    def search(self, texts: Texts, beam: int) -> list[Found]:
        """Return the `beam` most probable expressions that the search finds for each text, in prefix order."""
        return self.tree.search(texts, beam)


class GtsPredictor(NetworkPredictor[GtsNetwork]):
    """GTS with its vocabulary; it proposes an expression for every text, also for one that needs an equation."""

    name: ClassVar[str] = GtsOptions.model

    @classmethod
    def build(cls, words: int, targets: Targets, options: GtsOptions) -> GtsNetwork:
        """Return a network with initial weights."""
        return GtsNetwork(words, targets, options)


PREDICTOR = GtsPredictor
