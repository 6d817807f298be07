"""Subtree-level semantically-aligned regularisation (paper, eq. 9-10): a subtree's meaning should stand in the text.

`alignment_of` shows what was learned: for a text and a tree, where each subtree looks for its meaning, and how near
it lies to what it finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from sau_solver.equations.uet import Uet
from sau_solver.models.layers.attention import Attention, one_problem, weights_of_words
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.options import Distance
from sau_solver.models.sau.tree_batch import Batch
from sau_solver.models.stacking import Linear
from sau_solver.text.numbers import MappedText

if TYPE_CHECKING:
    from sau_solver.models.predictor import NetworkSolver
    from sau_solver.models.sau.sau_network import SauNetwork


class Alignment(nn.Module):
    """The distance between each operator's subtree and the part of the text that it attends to, in a common space."""

    def __init__(self, hidden: int, distance: Distance) -> None:
        super().__init__()
        self.attention = Attention(hidden)
        self.text = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.subtree = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.distance = distance

    def forward(self, subtrees: Tensor, states: Tensor, real: Tensor, batch: Batch) -> Tensor:
        """The loss of a batch, a mean over its problems or over its subtrees: (runs,)."""
        rows = batch.trees.operators
        problems, runs = len(states), len(batch.problems)
        meaning = subtrees.index_select(0, rows.index)
        memory = self.attention.remember(states, real, batch.texts.word_counts)
        aligned: Tensor = self.attention(meaning, memory, rows)
        apart: Tensor = self.subtree(meaning) - self.text(aligned)  # (operators, hidden)
        if apart.dtype is torch.bfloat16:
            apart = apart.float()
        counted = batch.trees.is_operator.index_select(0, rows.index)
        if self.distance == "squares":
            squares = (apart.square().mean(1) * counted).view(runs, -1).sum(1)
            return squares / counted.view(runs, -1).sum(1).clamp(min=1)
        norms = torch.sqrt(apart.square().sum(1) + 1e-12) * counted  # a zero vector has no gradient without the 1e-12
        by_problem = rows.spread(torch.stack([norms, counted], 1), problems).sum(1)  # (problems, 2)
        return (by_problem[:, 0] / by_problem[:, 1].clamp(min=1)).view(runs, -1).sum(1) / batch.problems.clamp(min=1)


@dataclass(frozen=True, slots=True)
class SubtreeAlignment:
    """What SSAR makes of each subtree of a tree that has an operator, in prefix order.

    `weights[subtree][word]` is its attention over the words, `similarities[subtree][word]` the cosine of its meaning
    and each word's state in the common space, `distances[subtree]` the norm of eq. 10: how far the meaning lies from
    what the attention finds.
    """

    places: tuple[int, ...]  # of the operators, among the symbols of the tree
    weights: tuple[tuple[float, ...], ...]
    similarities: tuple[tuple[float, ...], ...]
    distances: tuple[float, ...]


@torch.no_grad()
def alignment_of(solver: NetworkSolver[SauNetwork], text: MappedText, tree: Uet) -> SubtreeAlignment | None:
    """The alignment of a tree's subtrees with the words of a text; None where the solver keeps no alignment.

    Solving does not need it: networks "w/o SSAR" have none, and shipped ones leave it out.
    """
    alignment = solver.network.alignment
    if alignment is None:
        return None
    places = tuple(place for place, symbol in enumerate(tree.symbols) if isinstance(symbol, str))
    batch = one_problem(solver, text, tree)
    written = solver.network.write(batch, keep_all)
    states, rows = written.memory.states, batch.trees.operators
    meaning = written.subtrees.index_select(0, rows.index)
    memory = alignment.attention.remember(states, written.memory.real, None)
    shares = alignment.attention.shares(meaning, memory, rows)[0, : len(places)]
    there = alignment.subtree(meaning)[: len(places)]  # (operators, hidden)
    distances = (there - alignment.text(shares @ states[0])).norm(dim=1)
    begins = torch.tensor(solver.vocabulary.read(solver.shown(text))[1], device=states.device, dtype=torch.int64)
    words = alignment.text(states[0].index_select(0, begins))  # (words, hidden): a word by its first token
    cosines = functional.cosine_similarity(there.unsqueeze(1), words.unsqueeze(0), dim=-1)
    return SubtreeAlignment(
        places,
        weights_of_words(solver, text, shares),
        tuple(map(tuple, cosines.tolist())),
        tuple(distances.tolist()),
    )
