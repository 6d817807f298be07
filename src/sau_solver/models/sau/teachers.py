"""Trained networks that teach another one: a node learns the symbols that they find likely, not only the gold one.

A gold tree says which symbol is right. Teachers also say which others are nearly right, and how sure one can be. They
read the same words and write the same symbols as the network that they teach, but may have another encoder. A network
with the same encoder, or some of its layers, can also begin with a teacher's weights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from sau_solver.models.layers.dropout import keep_all

if TYPE_CHECKING:
    from sau_solver.models.sau.sau_network import SauNetwork
    from sau_solver.models.sau.tree_batch import Batch

_LAYER = re.compile(r"encoder\.pretrained\.layers\.(\d+)\.(.+)")

_NEVER = -1e4  # the score of a symbol that does not exist; finite, because it is multiplied by a probability of 0


class Teachers:
    """Networks whose mean opinion is learned with a share of the loss."""

    def __init__(self, networks: Sequence[SauNetwork], share: float) -> None:
        self.networks, self.share = [network.eval() for network in networks], share

    def shared_loss(self, batch: Batch, scores: Tensor, real: Tensor, scored: Tensor, missed: Tensor) -> Tensor:
        """Return each node's loss: a share for the teachers' probabilities, the rest for the gold symbol.

        `scores` are those of the network that learns, `real` marks the symbols that exist, `missed` is the loss of the
        gold symbols.
        """
        with torch.no_grad():
            opinion = torch.stack([_probabilities(network, batch) for network in self.networks]).mean(0)
        logs = scores.masked_fill(~real, _NEVER).log_softmax(1)
        return (1 - self.share) * missed - self.share * (opinion * logs).sum(1) * scored


def _probabilities(network: SauNetwork, batch: Batch) -> Tensor:
    scores, real, _ = network.scored(batch, network.write(batch, keep_all), keep_all)
    return scores.masked_fill(~real, -torch.inf).softmax(1)


def weights_with_layers(weights: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Return a trained network's weights with `layers` layers of its encoder: evenly spaced, the last included."""
    found = {name: _LAYER.fullmatch(name) for name in weights}
    depth = 1 + max((int(match[1]) for match in found.values() if match), default=-1)
    if not 0 < layers < depth:
        return dict(weights)
    kept = {(place + 1) * depth // layers - 1: place for place in range(layers)}
    chosen = {}
    for name, match in found.items():
        if match is None:
            chosen[name] = weights[name]
        elif int(match[1]) in kept:
            chosen[f"encoder.pretrained.layers.{kept[int(match[1])]}.{match[2]}"] = weights[name]
    return chosen
