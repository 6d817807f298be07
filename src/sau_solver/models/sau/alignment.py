"""Subtree-level semantically-aligned regularization, SSAR (paper, eq. 9-10).

A subtree's meaning should be found in the text: the loss is the distance between both in a common space.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.attention import Attention
from sau_solver.models.layers.stacked import Linear
from sau_solver.models.options import Distance
from sau_solver.models.sau.tree_batch import Batch


class Alignment(nn.Module):
    """The distance between each operator's subtree and the part of the text that it attends to, in a common space."""

    def __init__(self, hidden: int, distance: Distance) -> None:
        super().__init__()
        self.attention = Attention(hidden)
        self.text = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.subtree = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.distance = distance

    def forward(self, subtrees: Tensor, states: Tensor, real: Tensor, batch: Batch) -> Tensor:
        """Return the loss of a batch, (runs,): a mean over its problems or over its subtrees."""
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
        norms = torch.sqrt(apart.square().sum(1) + 1e-12) * counted  # 1e-12: the norm of a zero vector has no gradient
        by_problem = rows.spread(torch.stack([norms, counted], 1), problems).sum(1)  # (problems, 2)
        return (by_problem[:, 0] / by_problem[:, 1].clamp(min=1)).view(runs, -1).sum(1) / batch.problems.clamp(min=1)
