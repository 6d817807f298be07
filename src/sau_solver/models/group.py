"""Networks that differ in data, seed or the alignment's weight alone -> one stacked network, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.network import Network
from sau_solver.models.options import NetworkOptions
from sau_solver.models.targets import Targets

N = TypeVar("N", bound=Network[Any])


def common_targets(targets: Sequence[Targets]) -> list[Targets]:
    """The same targets with padding, so that all have equally many ids."""
    most = max(one.leaves for one in targets)
    return [replace(one, padding=most - one.leaves) for one in targets]


def can_stack(first: NetworkOptions, second: NetworkOptions) -> bool:
    """Whether two networks have one shape; the alignment may weigh nothing in one of them."""
    return type(first) is type(second) and first.like(second) == second


def stack(networks: Sequence[N]) -> N:
    """One network of which every parameter holds those of all; their targets must have equally many ids."""
    if any(network.trains_alone for network in networks):
        raise InputError("Encoders of the transformers library train one at a time; add --jobs 1.")
    if not all(can_stack(networks[0].options, network.options) for network in networks):
        raise InputError("Networks of different options cannot train as one; train them one after the other.")
    if len({network.targets.leaves for network in networks}) > 1:
        raise InputError("Networks that train as one need equally many ids; give them common_targets.")
    together = type(networks[0]).spanning(networks).to(next(networks[0].parameters()).dtype)
    states = [dict(network.named_parameters()) for network in networks]
    for name, parameter in list(together.named_parameters()):
        # A network without alignment gets one that weighs nothing.
        rows = [_grown(state.get(name, parameter).detach(), parameter) for state in states]
        _put(together, name, torch.nn.Parameter(torch.stack(rows)))
    for name, _ in list(together.named_buffers()):  # what a network knows of its own symbols, and weighs its losses by
        _put(together, name, torch.stack([network.get_buffer(name) for network in networks]))
    return together


def unstacked(stacked: Mapping[str, Tensor], run: int, like: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of one run, cut to the sizes of its own network; those that it does not have are left out."""
    return {name: stacked[name][run][tuple(slice(0, size) for size in own.shape)] for name, own in like.items()}


def _put(network: Network[Any], name: str, values: Tensor) -> None:
    owner, _, last = name.rpartition(".")
    setattr(network.get_submodule(owner), last, values)


def _grown(values: Tensor, like: Tensor) -> Tensor:
    """Values padded with zeros to a larger shape."""
    grown = torch.zeros_like(like, device=values.device)
    grown[tuple(slice(0, size) for size in values.shape)] = values
    return grown
