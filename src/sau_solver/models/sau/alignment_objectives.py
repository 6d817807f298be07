"""Objectives for the alignment of subtrees with the text that a constant does not minimize, unlike eq. 10.

contrast: InfoNCE (van den Oord et al., 2018). A subtree has to find its own text vector among those of other problems.
spread_apart: VICReg (Bardes et al., 2022). Both sides agree, each of them varies, and no two dimensions are alike.
off_windows: the attention of a subtree should be on the words around its numbers, so no common space is needed.

All shapes are static and nothing depends on values, so that a step can be recorded as a CUDA graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional

from sau_solver.models.layers.additive import Rows
from sau_solver.models.network import Mean
from sau_solver.models.sau.tree_batch import Batch

TEMPERATURE = 0.1  # of InfoNCE's cosines
DEVIATION = 1.0  # that VICReg wants of every dimension
COVARIANCE = 0.04  # VICReg's weight of covariances; the other two parts have the weight 1 (25, 25 and 1 in its paper)
WINDOW = 3  # words on either side of a number
_TINY = 1e-4  # added to variances, as a root has no gradient at 0


@dataclass(frozen=True, slots=True)
class Pairs:
    """The subtrees of each run and the text vectors that they found, in the common space."""

    subtree: Tensor  # (runs, operators, hidden)
    text: Tensor  # (runs, operators, hidden)
    counted: Tensor  # (runs, operators): 0 for padding
    problem: Tensor  # (runs, operators): the number of the problem in the batch

    @classmethod
    def of_rows(cls, subtree: Tensor, text: Tensor, counted: Tensor, rows: Rows, runs: int) -> Self:
        """Return the pairs of all operators of a batch, given one row for each."""
        problems = len(rows.index) // rows.width if rows.counts is None else len(rows.counts)
        problem = rows.repeated(torch.arange(problems, device=subtree.device).unsqueeze(1))
        shape = (runs, len(subtree) // runs)
        there, here = (
            (each.float() if each.dtype is torch.bfloat16 else each).view(*shape, each.shape[1])
            for each in (subtree, text)
        )
        return cls(there, here, counted.view(shape).to(there.dtype), problem.view(shape))

    @property
    def count(self) -> Tensor:
        """The number of subtrees of each run, (runs,)."""
        return self.counted.sum(1)


def contrast(pairs: Pairs) -> Tensor:
    """Return InfoNCE for each run: the mean of -log p(own text vector) over subtrees, with p a softmax of cosines.

    The alternatives are the text vectors of the other problems of the batch. Those of the same problem's other subtrees
    are left out, because they may rightly be similar.
    """
    there, here = (functional.normalize(each, dim=2) for each in (pairs.subtree, pairs.text))
    scores = torch.bmm(there, here.transpose(1, 2)) / TEMPERATURE  # (runs, subtrees, text vectors)
    own = torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)
    rival = (pairs.problem.unsqueeze(2) != pairs.problem.unsqueeze(1)) & (pairs.counted > 0).unsqueeze(1)
    scores = scores.masked_fill(~(rival | own), -torch.inf)
    missed = scores.logsumexp(2) - scores.diagonal(dim1=1, dim2=2)
    return (missed * pairs.counted).sum(1) / pairs.count.clamp(min=1)


def spread_apart(pairs: Pairs) -> Tensor:
    """Return VICReg for each run: distance, lack of deviation and covariance, over its subtrees."""
    count, hidden = pairs.count, pairs.subtree.shape[2]
    squares = (pairs.subtree - pairs.text).square().mean(2)
    total = (squares * pairs.counted).sum(1) / count.clamp(min=1)
    for side in (pairs.subtree, pairs.text):
        counted = pairs.counted.unsqueeze(2)
        mean = (side * counted).sum(1, keepdim=True) / count.clamp(min=1).view(-1, 1, 1)
        centered = (side - mean) * counted
        covariance = torch.bmm(centered.transpose(1, 2), centered) / (count - 1).clamp(min=1).view(-1, 1, 1)
        variance = covariance.diagonal(dim1=1, dim2=2)  # (runs, hidden)
        missing = torch.relu(DEVIATION - torch.sqrt(variance + _TINY)).mean(1)
        shared = (covariance.square().sum((1, 2)) - variance.square().sum(1)) / hidden
        total = total + (missing + COVARIANCE * shared) * (count > 1)  # one subtree alone has no variance
    return total


def off_windows(scores: Tensor, near: Tensor, runs: int) -> Mean:
    """Return for each run the mean KL divergence of attention from the words near a subtree's numbers.

    `scores` are those of the attention and `near` the weights of `number_windows`, both (problems, width, words).
    Subtrees without a number of the text do not count.
    """
    logs = scores.float() if scores.dtype is torch.bfloat16 else scores
    logs = logs.log_softmax(-1).masked_fill(near == 0, 0.0)  # where nothing is wanted, -inf would become NaN
    apart = (torch.xlogy(near, near) - near * logs).sum(-1)  # (problems, width)
    counted = (near.sum(-1) > 0).to(logs.dtype)
    return Mean((apart * counted).view(runs, -1).sum(1), counted.view(runs, -1).sum(1))


@torch.no_grad()
def number_windows(batch: Batch, real: Tensor, generated: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return the words near the numbers of each operator's subtree as weights, (problems, width, words).

    Every occurrence of a number has an equal share, which is spread evenly over the words that are at most `WINDOW`
    away. The weights sum to 1, or to 0 if the subtree has no number of the text. `generated` is the first id of a slot.
    """
    texts, trees, rows = batch.texts, batch.trees, batch.trees.operators
    problems, slots = texts.places.shape
    slot = trees.symbols - generated  # negative for other symbols
    held = (slot.unsqueeze(1) == torch.arange(slots, device=slot.device)).to(dtype)  # (tree rows, slots)
    for level in trees.up:
        both = torch.maximum(held.index_select(0, level.left), held.index_select(0, level.right))
        held.index_copy_(0, level.rows.index, both)
    used = rows.spread(held.index_select(0, rows.index), problems)  # (problems, width, slots)
    occurring = used.gather(2, texts.same.unsqueeze(1).expand(-1, rows.width, -1)) * texts.slots.unsqueeze(1)
    away = texts.places.unsqueeze(2) - torch.arange(real.shape[1], device=slot.device)
    near = ((away.abs() <= WINDOW) & real.unsqueeze(1)).to(dtype)  # (problems, slots, words)
    near = near / near.sum(2, keepdim=True).clamp(min=1)
    with torch.autocast(near.device.type, enabled=False):
        return torch.bmm(occurring, near) / occurring.sum(2, keepdim=True).clamp(min=1)
