"""Subtree-level semantically-aligned regularization, SSAR (paper, eq. 9-10), and other objectives for its attention.

A subtree's meaning should be found in the text. The paper minimizes the distance between both in a common space, which
is smallest if all meanings are equal, so the head collapses. The objectives in `alignment_objectives.py` avoid that.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.additive import Rows
from sau_solver.models.layers.attention import Attention, Memory, read
from sau_solver.models.layers.stacked import Linear
from sau_solver.models.network import Mean
from sau_solver.models.options import OBJECTIVES, Objective, SauOptions
from sau_solver.models.sau.alignment_objectives import Pairs, contrast, number_windows, off_windows, spread_apart
from sau_solver.models.sau.tree_batch import Batch


class Alignment(nn.Module):
    """The head of the alignment: what each operator's subtree attends to, and both in a common space."""

    def __init__(self, options: SauOptions, generated: int) -> None:
        """Create the head; `generated` is the first id of a slot."""
        super().__init__()
        hidden = options.hidden
        self.attention = Attention(hidden)
        self.text = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.subtree = nn.Sequential(Linear(hidden, hidden), nn.Tanh(), Linear(hidden, hidden))
        self.distance, self.generated = options.ssar_distance, generated
        self.objectives: tuple[Objective, ...] = (options.alignment,)  # several if stacked networks differ in it

    def forward(self, subtrees: Tensor, read_by: Memory, batch: Batch, chosen: Tensor) -> tuple[Tensor, Mean | None]:
        """Return the loss of a batch, (runs,), and the same loss as a mean over problems or subtrees.

        The mean is None for objectives that compare problems with each other, and for stacked networks with different
        objectives. `chosen` is 1 for the objective of the network, or of each of the stacked ones.
        """
        scores, there, here = self.compare(subtrees, read_by, batch, with_space=self.objectives != ("span",))
        found: dict[Objective, Mean | Tensor] = {}
        if "span" in self.objectives:
            exact = torch.promote_types(scores.dtype, torch.float32)
            near = number_windows(batch, read_by.real, self.generated, exact)
            found["span"] = off_windows(scores, near, len(batch.problems))
        if there is not None and here is not None:
            found |= self._between(there, here, batch)
        values = {one: each.value if isinstance(each, Mean) else each for one, each in found.items()}
        if len(found) == 1:
            only = found[self.objectives[0]]
            return values[self.objectives[0]], only if isinstance(only, Mean) else None
        mine = [values[one] * chosen[:, OBJECTIVES.index(one)] for one in self.objectives]
        return torch.stack(mine).sum(0), None

    def compare(
        self, subtrees: Tensor, read_by: Memory, batch: Batch, with_space: bool = True
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return the scores of words for each operator's subtree, and the subtree and its text in the common space.

        The scores are (problems, width, words), the others (operators, hidden), or None if they are not needed.
        """
        rows = batch.trees.operators
        meaning = subtrees.index_select(0, rows.index)
        memory = self.attention.remember(read_by.states, read_by.real, batch.texts.word_counts)
        scores = self.attention.scores(meaning, memory, rows)
        if not with_space:
            return scores, None, None
        return scores, self.subtree(meaning), self.text(read(scores.softmax(-1), memory, rows))

    def _between(self, there: Tensor, here: Tensor, batch: Batch) -> dict[Objective, Mean | Tensor]:
        """Return the objectives that compare subtrees and texts in the common space, both (operators, hidden)."""
        rows, runs = batch.trees.operators, len(batch.problems)
        counted = batch.trees.is_operator.index_select(0, rows.index)
        found: dict[Objective, Mean | Tensor] = {}
        if "paper" in self.objectives:
            found["paper"] = self._apart(there - here, counted, rows, batch)
        if {"infonce", "vicreg"} & set(self.objectives):
            with torch.autocast(there.device.type, enabled=False):
                pairs = Pairs.of_rows(there, here, counted, rows, runs)
                if "infonce" in self.objectives:
                    found["infonce"] = contrast(pairs)
                if "vicreg" in self.objectives:
                    found["vicreg"] = spread_apart(pairs)
        return found

    def _apart(self, apart: Tensor, counted: Tensor, rows: Rows, batch: Batch) -> Mean:
        """Return eq. 10, or the mean squared difference; `apart` is (operators, hidden)."""
        problems, runs = len(batch.texts.words), len(batch.problems)
        if apart.dtype is torch.bfloat16:
            apart = apart.float()
        if self.distance == "squares":
            squares = (apart.square().mean(1) * counted).view(runs, -1).sum(1)
            return Mean(squares, counted.view(runs, -1).sum(1))
        norms = torch.sqrt(apart.square().sum(1) + 1e-12) * counted  # 1e-12: the norm of a zero vector has no gradient
        by_problem = rows.spread(torch.stack([norms, counted], 1), problems).sum(1)  # (problems, 2)
        return Mean((by_problem[:, 0] / by_problem[:, 1].clamp(min=1)).view(runs, -1).sum(1), batch.problems)
