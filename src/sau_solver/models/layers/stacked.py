"""Layers whose parameters may belong to several networks of one shape.

A stacked layer's parameters have one more axis in front, and a batch holds an equal share of rows for each network,
network by network. A layer sees from the number of axes of its weights whether it is stacked. Folds and seeds of an
experiment train like this on a GPU: a step of one network is limited by kernel launches rather than by arithmetic, so
ten networks take little longer than one.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

TRAINED_CLIP = 0.85  # rounded weights are clipped at this share of a row's largest weight


class Linear(nn.Linear):
    """A linear layer, or several stacked ones."""

    rounding = 0  # the largest integer that weights are rounded to in training; 0 means no rounding

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """(…, inputs) -> (…, outputs)."""
        used = rounded(self.weight, self.rounding) if self.rounding and self.training else self.weight
        if used.dim() == 2:
            return functional.linear(input, used, self.bias)
        runs, outputs, inputs = used.shape
        rows = input.reshape(runs, -1, inputs)
        weight = used.transpose(1, 2)
        made = torch.bmm(rows, weight) if self.bias is None else torch.baddbmm(self.bias.unsqueeze(1), rows, weight)
        return made.view(*input.shape[:-1], outputs)


class Embedding(nn.Embedding):
    """Embeddings of (problems, …) ids, of one network or of several stacked ones."""

    rounding = 0  # as in Linear

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """(problems, …) ids -> (problems, …, size)."""
        if self.weight.dim() == 2:
            found = super().forward(input)
        else:
            runs, known, _ = self.weight.shape
            first = (torch.arange(runs, device=input.device) * known).repeat_interleave(len(input) // runs)
            ids = input + first.view(-1, *[1] * (input.dim() - 1))
            found = functional.embedding(ids, self.weight.flatten(0, 1))
        return rounded(found, self.rounding) if self.rounding and self.training else found


class LayerNorm(nn.LayerNorm):
    """Layer normalization over the last axis, or several stacked ones."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """(…, size) -> (…, size)."""
        if self.weight.dim() == 1:
            return super().forward(input)
        runs, size = self.weight.shape
        rows = functional.layer_norm(input, (size,), eps=self.eps).view(runs, -1, size)
        return torch.addcmul(self.bias.unsqueeze(1), rows, self.weight.unsqueeze(1)).view(input.shape)


def rounded(weights: Tensor, most: int) -> Tensor:
    """Return weights as they are after quantizing, with the gradients of the weights themselves.

    Each row has integers up to `most` and a scale, as in quantized.py.
    """
    exact = weights.detach()
    scale = exact.abs().amax(-1, keepdim=True).clamp(min=1e-6) * (TRAINED_CLIP / most)
    return weights + ((exact / scale).round().clamp(-most, most) * scale - exact)


def kept_by_rounding(weights: Tensor, most: int) -> Tensor:
    """Return weights (rows, columns) whose rounding gives these, if these are already rounded like that.

    The scale of rounding follows from the largest weight of a row. Once rounded, that weight is smaller, and rounding
    again would shrink the whole row. So it gets the size back that gives the same scale. Other weights do not change.
    """
    largest, place = weights.abs().max(-1, keepdim=True)
    raised = weights.scatter(-1, place, weights.gather(-1, place) / TRAINED_CLIP)
    same = torch.isclose(rounded(raised, most), weights, rtol=1e-3, atol=1e-7).all(-1, keepdim=True)
    return torch.where(same & (largest > 0), raised, weights)


def dot(values: Tensor, weights: Tensor) -> Tensor:
    """(problems, …, size) times (size,) or (runs, size) -> (problems, …)."""
    if weights.dim() == 1:
        return values @ weights
    runs, size = weights.shape
    return torch.bmm(values.reshape(runs, -1, size), weights.unsqueeze(-1)).view(values.shape[:-1])


def per_problem(table: Tensor, problems: int) -> Tensor:
    """(entries, size) or (runs, entries, size) -> (problems, entries, size)."""
    if table.dim() == 2:
        return table.expand(problems, -1, -1)
    runs, entries, size = table.shape
    return table.unsqueeze(1).expand(runs, problems // runs, entries, size).reshape(problems, entries, size)
