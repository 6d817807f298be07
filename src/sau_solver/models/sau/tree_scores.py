"""Texts and given trees -> the log-probability with which a network writes each tree.

The trees of one text share its encoding, so that many of them cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from sau_solver.models.devices import side_by_side
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Batch, collate_texts
from sau_solver.models.targets import RARE, EncodedProblem, EncodedTree

_TREES = {"cpu": 64, "cuda": 4096}  # the most trees of a batch, unless one text has more


def log_probabilities(
    network: SauNetwork, problems: Sequence[EncodedProblem], trees: Sequence[Sequence[EncodedTree]]
) -> list[list[float]]:
    """Return the log-probability of each tree of each problem; -inf if it has a constant that is never written."""
    network.eval()
    device = next(network.parameters()).device
    found = [[-torch.inf] * len(own) for own in trees]
    known = [[place for place, tree in enumerate(own) if RARE not in tree.symbols] for own in trees]
    order = sorted((number for number, own in enumerate(known) if own), key=lambda one: -len(problems[one].words))
    batches = list(_batches(order, known, _TREES[device.type]))

    @torch.no_grad()  # in each thread
    def scored(numbers: list[int]) -> list[float]:
        rows = [(number, place) for number in numbers for place in known[number]]
        given = [replace(problems[number], tree=trees[number][place]) for number, place in rows]
        owners = torch.tensor([index for index, number in enumerate(numbers) for _ in known[number]], device=device)
        encoded = network.encode(collate_texts([problems[number] for number in numbers], device), keep_all)
        states, goals, real = (each.index_select(0, owners) for each in encoded)
        return _scores(network, _batch(network, given, device), (states, goals, real)).tolist()

    for numbers, scores in zip(batches, side_by_side(scored, batches, device), strict=True):
        following = iter(scores)
        for number in numbers:
            for place in known[number]:
                found[number][place] = next(following)
    return found


def _batches(order: Sequence[int], known: Sequence[Sequence[int]], most: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in order:
        if batch and sum(len(known[one]) for one in (*batch, number)) > most:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _batch(network: SauNetwork, given: Sequence[EncodedProblem], device: torch.device) -> Batch:
    """Return the problems as a batch in the given order, which is from long to short texts."""
    if device.type == "cpu":
        return network.collate(given)
    return network.padded(given, device).pick(torch.arange(len(given), device=device))


def _scores(network: SauNetwork, batch: Batch, encoded: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Return the sum of the log-probabilities of each tree's symbols, (trees,)."""
    written = network.write(batch, keep_all, encoded)
    missed, _, _ = network.missed(batch, written, keep_all)
    count = len(batch.trees.roots)
    owners = batch.trees.nodes.repeated(torch.arange(count, device=missed.device).unsqueeze(1)).squeeze(1)
    return missed.new_zeros(count).index_add_(0, owners, -missed)
