"""Additive attention (paper, eq. 5): queries and encoder states -> one context vector for each query."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sau_solver.models.layers.additive import Rows, additive_scores, searched_scores
from sau_solver.models.layers.stacked import Linear


@dataclass(frozen=True, slots=True)
class Memory:
    """The encoder states that attention reads, with keys that are computed once for all queries."""

    states: Tensor  # (problems, words, hidden)
    keys: Tensor  # (problems, words, hidden)
    real: Tensor  # (problems, words): False for padding
    counts: list[int] | None  # the number of words of each problem, for batches on the CPU

    def of_problems(self, chosen: Tensor) -> Memory:
        """Return the memory of some problems, for a search."""
        states, keys, real = (each.index_select(0, chosen) for each in (self.states, self.keys, self.real))
        return Memory(states, keys, real, None)


class Attention(nn.Module):
    """Additive scores of queries against words, softmax, weighted sum of the states."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = Linear(hidden, hidden)
        self.key = Linear(hidden, hidden, bias=False)
        self.weights = nn.Parameter(torch.empty(hidden).uniform_(-(hidden**-0.5), hidden**-0.5))

    def remember(self, states: Tensor, real: Tensor, counts: list[int] | None) -> Memory:
        """Return the memory of a batch of states."""
        return Memory(states, self.key(states), real, counts)

    def scores(self, queries: Tensor, memory: Memory, rows: Rows) -> Tensor:
        """(rows, hidden) -> the score of each word for each row, (problems, width, words); -inf for padding."""
        scores = additive_scores(self.query(queries), memory.keys, self.weights, rows, memory.counts)
        return rows.spread(scores, len(memory.states)).masked_fill(~memory.real.unsqueeze(1), -torch.inf)

    def shares(self, queries: Tensor, memory: Memory, rows: Rows) -> Tensor:
        """(rows, hidden) -> the weight of each word for each row, (problems, width, words)."""
        return self.scores(queries, memory, rows).softmax(-1)

    def forward(self, queries: Tensor, memory: Memory, rows: Rows) -> Tensor:
        """(rows, hidden) queries -> (rows, hidden) contexts."""
        return read(self.shares(queries, memory, rows), memory, rows)

    def search(self, queries: Tensor, memory: Memory) -> Tensor:
        """(problems, width, hidden) -> (problems, width, hidden), without gradients."""
        scores = searched_scores(self.query(queries), memory.keys, self.weights)  # keys from search_keys
        shares = scores.masked_fill(~memory.real.unsqueeze(1), -torch.inf).softmax(-1)
        with torch.autocast(shares.device.type, enabled=False):  # casting the states would cost more than the product
            return torch.bmm(shares, memory.states.to(shares.dtype))


def read(shares: Tensor, memory: Memory, rows: Rows) -> Tensor:
    """Weights of words, (problems, width, words) -> the weighted sums of their states, (rows, hidden)."""
    return rows.gathered(torch.bmm(shares.to(memory.states.dtype), memory.states))
