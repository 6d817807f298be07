"""Additive attention (paper, eq. 5): queries and encoder states -> one context vector for each query.

`attention_of` shows it: for a text and a tree, how much of each word the decoder reads when it writes each node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.models.layers.additive import Rows, additive_scores, searched_scores
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.stacking import Linear
from sau_solver.models.targets import encode_text, encode_tree
from sau_solver.text.numbers import MappedText

if TYPE_CHECKING:
    from sau_solver.models.predictor import NetworkSolver
    from sau_solver.models.sau.sau_network import SauNetwork
    from sau_solver.models.sau.tree_batch import Batch


@dataclass(frozen=True, slots=True)
class Memory:
    """What attention reads: encoder states, their half of the scores (computed once), and which words are real."""

    states: Tensor  # (problems, words, hidden)
    keys: Tensor  # (problems, words, hidden)
    real: Tensor  # (problems, words)
    counts: list[int] | None  # words of each problem, on the CPU

    def of_problems(self, chosen: Tensor) -> Memory:
        """That of some problems, in a search."""
        states, keys, real = (each.index_select(0, chosen) for each in (self.states, self.keys, self.real))
        return Memory(states, keys, real, None)


class Attention(nn.Module):
    """Scores of its own for each pair of query and word, softmax, weighted sum."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = Linear(hidden, hidden)
        self.key = Linear(hidden, hidden, bias=False)
        self.weights = nn.Parameter(torch.empty(hidden).uniform_(-(hidden**-0.5), hidden**-0.5))

    def remember(self, states: Tensor, real: Tensor, counts: list[int] | None) -> Memory:
        """Prepare the states of a batch."""
        return Memory(states, self.key(states), real, counts)

    def shares(self, queries: Tensor, memory: Memory, rows: Rows) -> Tensor:
        """(rows, hidden) -> what each row reads of each word, (problems, width, words)."""
        scores = additive_scores(self.query(queries), memory.keys, self.weights, rows, memory.counts)
        spread = rows.spread(scores, len(memory.states)).masked_fill(~memory.real.unsqueeze(1), -torch.inf)
        return spread.softmax(-1)

    def forward(self, queries: Tensor, memory: Memory, rows: Rows) -> Tensor:
        """(rows, hidden) -> (rows, hidden)."""
        shares = self.shares(queries, memory, rows)
        return rows.gathered(torch.bmm(shares.to(memory.states.dtype), memory.states))

    def search(self, queries: Tensor, memory: Memory) -> Tensor:
        """(problems, width, hidden) -> the same, without gradients."""
        scores = searched_scores(self.query(queries), memory.keys, self.weights)  # keys from search_keys
        shares = scores.masked_fill(~memory.real.unsqueeze(1), -torch.inf).softmax(-1)
        with torch.autocast(shares.device.type, enabled=False):  # casting the states would cost more than the product
            return torch.bmm(shares, memory.states.to(shares.dtype))


@dataclass(frozen=True, slots=True)
class NodeAttention:
    """Weights over the words of a text, `weights[node][word]`: nodes in the tree's prefix order, `MappedText.words`.

    A row sums to 1; to less where an encoder has tokens that belong to no word, such as a mark before the text.
    """

    weights: tuple[tuple[float, ...], ...]


@torch.no_grad()
def attention_of(solver: NetworkSolver[SauNetwork], text: MappedText, tree: Uet) -> NodeAttention:
    """How much of each word a solver reads when it writes each node of a tree, the nodes before it as they are.

    The tree may be any whose slots the text has numbers for: the solver's own, another candidate, gold.
    """
    batch = one_problem(solver, text, tree)
    attention, rows = solver.network.decoder.attention, batch.trees.nodes
    written = solver.network.write(batch, keep_all)
    shares = attention.shares(written.nodes.index_select(0, rows.index), written.memory, rows)
    return NodeAttention(weights_of_words(solver, text, shares[0]))


def one_problem(solver: NetworkSolver[SauNetwork], text: MappedText, tree: Uet) -> Batch:
    """A text and a tree as a batch of one, for a look into a network; the network is ready for it."""
    if missing := [slot for slot in tree.slots() if slot >= len(text.numbers)]:
        raise NotATreeError(f"The tree uses N{missing[0]}, but the text has {len(text.numbers)} numbers.")
    network = solver.network.eval()
    encoded = encode_text(text, solver.vocabulary, encode_tree(tree, network.targets), solver.shown(text))
    device = next(network.parameters()).device
    return network.shelf([encoded], device).pick(torch.zeros(1, dtype=torch.int64, device=device))


def weights_of_words(
    solver: NetworkSolver[SauNetwork], text: MappedText, shares: Tensor
) -> tuple[tuple[float, ...], ...]:
    """(rows, tokens) -> the same for words: the tokens of a word added up."""
    ids, begins = solver.vocabulary.read(solver.shown(text))
    last = len(ids) - 1 if begins and begins[0] else len(ids)  # a mark before the text comes with one behind it
    ends: Sequence[int] = [*begins[1:], last]
    cut = [shares[:, begin:end].sum(1) for begin, end in zip(begins, ends, strict=True)] if begins else []
    by_word = torch.stack(cut, 1) if cut else shares.new_zeros(len(shares), 0)
    return tuple(map(tuple, by_word.float().tolist()))
