"""The tree decoder: goals -> node states -> symbols, top-down; embeddings of finished subtrees flow back bottom-up.

Gates are eq. 4 of the paper, scores eq. 6-7, subtree embeddings eq. 8. In training the gold tree is known, and a
subtree's embedding depends only on its symbols. For a whole batch, `subtrees` computes all embeddings height by height,
`descend` all node states depth by depth, and `scores` all nodes at once. The search uses the same layers one symbol at
a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sau_solver.models.layers.additive import Rows, additive_scores, searched_scores
from sau_solver.models.layers.attention import Attention, Memory
from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.stacked import Linear, per_problem
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.tree_batch import Texts, Trees
from sau_solver.models.targets import Targets

_SPREAD = 0.1  # standard deviation of initial embeddings


class Gate(nn.Module):
    """sigmoid(W_q I) * tanh(W_Q I), eq. 4, with both products computed as one."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.both = Linear(inputs, 2 * outputs)

    def forward(self, inputs: Tensor) -> Tensor:
        """(rows, inputs) -> (rows, outputs)."""
        gate, value = self.both(inputs).chunk(2, -1)
        return torch.sigmoid(gate) * torch.tanh(value)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols of each problem of a batch: the embeddings of leaves and the keys for scores."""

    leaves: Tensor  # (leaves + 1 + problems * slots, hidden): unknowns, constants, rare constant, slots
    keys: Tensor  # (problems, additively scored symbols, hidden)
    real: Tensor  # (problems, symbols): whether the problem has the symbol
    classes: Tensor  # (problems, symbols): the id of a symbol; slots of equal value share one
    counts: list[int] | None  # the number of keys of each problem, for batches on the CPU


class TreeDecoder(nn.Module):
    """The layers of the decoder."""

    known: Tensor

    def __init__(self, targets: Targets, options: SauOptions) -> None:
        super().__init__()
        hidden = options.hidden
        size = hidden if options.operator_size == "hidden" else options.embedding
        self.targets, self.options = targets, options
        self.operators = nn.Parameter(torch.randn(targets.operators, size) * _SPREAD)
        self.leaves = nn.Parameter(torch.randn(targets.leaves + 1, hidden) * _SPREAD)  # the last: rare constants
        # All ids except the padding of stacked networks.
        known = torch.arange(targets.generated) < targets.generated - targets.padding
        self.register_buffer("known", known, persistent=False)
        self.left_node = Gate(hidden, hidden)
        self.right_node = Gate(2 * hidden, hidden)
        self.left_goal = Gate(2 * hidden + size, hidden)
        self.right_goal = Gate(2 * hidden + size, hidden)
        self.merge = Gate(2 * hidden + size, hidden)
        self.attention = Attention(hidden)
        self.score_node = Linear(2 * hidden, hidden)
        self.score_symbol = Linear(hidden, hidden, bias=False)
        self.score_weights = nn.Parameter(torch.empty(hidden).uniform_(-(hidden**-0.5), hidden**-0.5))
        self.score_operators = Linear(2 * hidden, targets.operators) if options.operator_score == "linear" else None

    def symbols(self, states: Tensor, texts: Texts, drop: Dropout) -> Symbols:
        """Return the target vocabulary of each problem, eq. 3."""
        problems = len(texts.places)
        places = texts.places.unsqueeze(-1).expand(-1, -1, states.shape[2])
        numbers = states.gather(1, places)  # (problems, slots, hidden)
        meant = numbers
        if self.options.repeated_number == "mean":
            alike = (texts.same.unsqueeze(2) == texts.same.unsqueeze(1)) & texts.slots.unsqueeze(1)
            shares = alike.to(states.dtype)
            meant = torch.bmm(shares / shares.sum(2, keepdim=True).clamp(min=1), numbers)
        generated = self.leaves[..., :-1, :]
        if self.score_operators is None:
            generated = torch.cat([self.operators, generated], -2)
        listed = torch.cat([per_problem(generated, problems), numbers], 1)
        known = per_problem(self.known.unsqueeze(-1), problems).squeeze(-1)  # (problems, generated symbols)
        ids = torch.arange(known.shape[1], device=states.device).expand(problems, -1)
        return Symbols(
            leaves=torch.cat([self.leaves.flatten(0, -2), meant.flatten(0, 1)]),
            keys=self.score_symbol(drop(listed)),
            real=torch.cat([known, texts.slots], 1),
            classes=torch.cat([ids, texts.same + self.targets.generated], 1),
            counts=None if texts.slot_counts is None else [generated.shape[-2] + count for count in texts.slot_counts],
        )

    def _operators(self, trees: Trees, rows: Tensor) -> Tensor:
        return self.operators.flatten(0, -2).index_select(0, trees.operator.index_select(0, rows))

    def subtrees(self, symbols: Symbols, trees: Trees, drop: Dropout) -> Tensor:
        """Return the embedding of every subtree, (rows, hidden), computed from the leaves up: eq. 8."""
        subtrees = symbols.leaves.index_select(0, trees.leaf)
        for level in trees.up:
            operators = self._operators(trees, level.rows.index)
            parts = [subtrees.index_select(0, level.left), subtrees.index_select(0, level.right), operators]
            merged = self.merge(drop(torch.cat(parts, 1)))
            subtrees.index_copy_(0, level.rows.index, merged.to(subtrees.dtype))
        return subtrees

    def descend(
        self, goals: Tensor, subtrees: Tensor, memory: Memory, trees: Trees, drop: Dropout
    ) -> tuple[Tensor, Tensor]:
        """Return the state n and the context c of every node, each (rows, hidden), computed from the roots down."""
        nodes = torch.zeros_like(subtrees)
        contexts = torch.zeros_like(subtrees)
        nodes.index_copy_(0, trees.roots, self.left_node(drop(goals)).to(nodes.dtype))
        for level in trees.down:
            node = nodes.index_select(0, level.rows.index)
            context = self.attention(node, memory, level.rows)
            operators = self._operators(trees, level.rows.index)
            told = drop(torch.cat([node, context, operators], 1))
            left = self.left_node(drop(self.left_goal(told)))
            sibling = subtrees.index_select(0, level.left)
            right = self.right_node(drop(torch.cat([self.right_goal(told), sibling], 1)))
            contexts.index_copy_(0, level.rows.index, context.to(nodes.dtype))
            nodes.index_copy_(0, level.left, left.to(nodes.dtype))
            nodes.index_copy_(0, level.right, right.to(nodes.dtype))
        last = trees.leaves.index
        context = self.attention(nodes.index_select(0, last), memory, trees.leaves)
        return nodes, contexts.index_copy_(0, last, context.to(nodes.dtype))

    def scores(self, nodes: Tensor, contexts: Tensor, symbols: Symbols, rows: Rows, drop: Dropout) -> Tensor:
        """Return the score of each symbol for each row, (rows, symbols): eq. 7."""
        told = drop(torch.cat([nodes.index_select(0, rows.index), contexts.index_select(0, rows.index)], 1))
        fits = additive_scores(self.score_node(told), symbols.keys, self.score_weights, rows, symbols.counts)
        return fits if self.score_operators is None else torch.cat([self.score_operators(told), fits], 1)

    def search_scores(self, nodes: Tensor, contexts: Tensor, symbols: Symbols) -> Tensor:
        """Nodes and contexts (problems, width, hidden) -> scores (problems, width, symbols), for a search."""
        told = torch.cat([nodes, contexts], -1)
        fits = searched_scores(self.score_node(told), symbols.keys, self.score_weights)
        return fits if self.score_operators is None else torch.cat([self.score_operators(told), fits], -1)
