"""Networks that differ in data, seed or the alignment's weight alone -> one stacked network, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.hub import HubShape
from sau_solver.models.options import SauOptions
from sau_solver.models.sau import SauNetwork
from sau_solver.models.targets import Targets


def common_targets(targets: Sequence[Targets]) -> list[Targets]:
    """The same targets with padding, so that all have equally many ids."""
    most = max(one.leaves for one in targets)
    return [replace(one, padding=most - one.leaves) for one in targets]


def can_stack(first: SauOptions, second: SauOptions) -> bool:
    """Whether two networks have one shape; the alignment may weigh nothing in one of them."""
    return first.like(second) == second


def stack(networks: Sequence[SauNetwork]) -> SauNetwork:
    """One network of which every parameter holds those of all; their targets must have equally many ids."""
    if any(isinstance(network.shape, HubShape) for network in networks):
        raise InputError("Encoders of the transformers library train one at a time; add --jobs 1.")
    options = max((network.options for network in networks), key=lambda one: one.ssar)
    if not all(can_stack(options, network.options) for network in networks):
        raise InputError("Networks of different options cannot train as one; train them one after the other.")
    if len({network.targets.leaves for network in networks}) > 1:
        raise InputError("Networks that train as one need equally many ids; give them common_targets.")
    words = max(network.encoder.words for network in networks)
    shape = networks[0].shape
    together = SauNetwork(words, networks[0].targets, options, shape).to(networks[0].decoder.operators.dtype)
    states = [dict(network.named_parameters()) for network in networks]
    for name, parameter in together.named_parameters():
        # A network without alignment gets one that weighs nothing.
        rows = [_grown(state.get(name, parameter).detach(), parameter) for state in states]
        owner, _, last = name.rpartition(".")
        setattr(together.get_submodule(owner), last, torch.nn.Parameter(torch.stack(rows)))
    together.decoder.known = torch.stack([network.decoder.known for network in networks])
    together.ssar = torch.stack([network.ssar for network in networks])
    return together


def unstacked(stacked: Mapping[str, Tensor], run: int, like: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of one run, cut to the sizes of its own network; those that it does not have are left out."""
    return {name: stacked[name][run][tuple(slice(0, size) for size in own.shape)] for name, own in like.items()}


def _grown(values: Tensor, like: Tensor) -> Tensor:
    """Values padded with zeros to a larger shape."""
    grown = torch.zeros_like(like, device=values.device)
    grown[tuple(slice(0, size) for size in values.shape)] = values
    return grown
