"""Layers whose parameters may belong to several networks of one shape.

A stacked layer's parameters have one more axis in front, and a batch holds an equal share of rows for each network,
network by network. A layer sees from the number of axes of its weights whether it is stacked. Folds and seeds of an
experiment train like this on a GPU: a step of one network is limited by kernel launches rather than by arithmetic, so
ten networks take little longer than one. A single stacked network computes as one that is not stacked, because its
products can add their biases themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.kernels.find import find_kernels

_CLIP = 0.85  # rounded weights are clipped at this share of a row's largest weight


@dataclass(frozen=True, slots=True)
class Rounding:
    """How weights are rounded: each row to integers from -`most` to `most`, times a scale.

    The scale is `step` times the root mean square of the row. With a step of 0 it follows from the largest weight.
    """

    most: int
    step: float = 0.0

    def scale(self, weights: Tensor) -> Tensor:
        """Return the scale of each row, (…, rows, 1)."""
        if self.step:
            scale = weights.square().mean(-1, keepdim=True).sqrt() * self.step
        else:
            scale = weights.abs().amax(-1, keepdim=True) * (_CLIP / self.most)
        return scale.clamp(min=1e-7)


class Linear(nn.Linear):
    """A linear layer, or several stacked ones."""

    rounding: Rounding | None = None  # of the weights in training

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """(…, inputs) -> (…, outputs)."""
        used = rounded(self.weight, self.rounding) if self.rounding and self.training else self.weight
        if used.dim() == 2:
            return functional.linear(input, used, self.bias)
        if len(used) == 1:
            return functional.linear(input, used[0], None if self.bias is None else self.bias[0])
        runs, outputs, inputs = used.shape
        rows = input.reshape(runs, -1, inputs)
        weight = used.transpose(1, 2)
        made = torch.bmm(rows, weight) if self.bias is None else torch.baddbmm(self.bias.unsqueeze(1), rows, weight)
        return made.view(*input.shape[:-1], outputs)


class Embedding(nn.Embedding):
    """Embeddings of (problems, …) ids, of one network or of several stacked ones."""

    rounding: Rounding | None = None  # as in Linear

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """(problems, …) ids -> (problems, …, size)."""
        if self.weight.dim() == 2:
            found = super().forward(input)
        elif len(self.weight) == 1:
            found = functional.embedding(input, self.weight[0])
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
        if runs == 1:
            normed: Tensor = functional.layer_norm(input, (size,), self.weight[0], self.bias[0], self.eps)
            return normed
        rows = functional.layer_norm(input, (size,), eps=self.eps).view(runs, -1, size)
        return torch.addcmul(self.bias.unsqueeze(1), rows, self.weight.unsqueeze(1)).view(input.shape)

    def joined(self, states: Tensor, values: Tensor, drop: Dropout) -> Tensor:
        """Normalize a residual connection, states + drop(values): both are (…, size).

        On a GPU the result has the precision of the values, which autocast may have lowered.
        """
        size = values.shape[-1]
        kernels = find_kernels("norm", values, size)
        if kernels is None:
            plain: Tensor = self(states + drop(values))
            return plain
        kept, factor = drop.kept(values)
        weights, biases = self.weight.view(-1, size), self.bias.view(-1, size)
        made: Tensor = _Joined.apply(values, states, weights, biases, kept, factor, self.eps, kernels)  # type: ignore[no-untyped-call]
        return made


class _Joined(torch.autograd.Function):
    """The normalization of a residual connection on a GPU, by one kernel."""

    @staticmethod
    def forward(
        ctx: Any,
        values: Tensor,
        states: Tensor,
        weights: Tensor,
        biases: Tensor,
        kept: Tensor | None,
        factor: float,
        epsilon: float,
        kernels: Any,
    ) -> Tensor:
        size = values.shape[-1]
        rows, added = values.reshape(-1, size), states.reshape(-1, size)
        made, *saved = kernels.forward(rows, added, kept, factor, weights, biases, epsilon)
        ctx.save_for_backward(weights, *saved, *([] if kept is None else [kept]))
        ctx.factor, ctx.kernels, ctx.precision = factor, kernels, states.dtype
        shaped: Tensor = made.view(values.shape)
        return shaped

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        weights, sums, means, inverses, *kept = ctx.saved_tensors
        (given,) = gradients
        rows = given.reshape(sums.shape).contiguous()
        for_values, for_states, for_weights, for_biases = ctx.kernels.backward(
            rows, sums, means, inverses, kept[0] if kept else None, ctx.factor, weights, ctx.precision
        )
        return for_values.view(given.shape), for_states.view(given.shape), for_weights, for_biases, *[None] * 4


def rounded(weights: Tensor, rounding: Rounding) -> Tensor:
    """Return weights as they are after quantizing, with the gradients of the weights themselves."""
    found: Tensor = _Rounded.apply(weights, rounding)  # type: ignore[no-untyped-call]
    return found


class _Rounded(torch.autograd.Function):
    """Rounding whose gradient is that of the identity."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, rounding: Rounding) -> Tensor:
        scale = rounding.scale(weights)
        return (weights / scale).round_().clamp_(-rounding.most, rounding.most).mul_(scale)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        return gradients[0], None


def kept_by_rounding(weights: Tensor, rounding: Rounding) -> Tensor:
    """Return weights (rows, columns) whose rounding gives these, if these are already rounded like that.

    Rounding again would change the scale of a row, because rounded weights have another largest value and another
    mean square. So weights move, without crossing a border of rounding, until the scale is the one that they have.
    Weights that are not rounded do not change.
    """
    size = weights.abs()
    if rounding.step:
        tried = _with_mean_square(weights, size, rounding)
    else:
        place = size.argmax(-1, keepdim=True)
        tried = weights.scatter(-1, place, weights.gather(-1, place) / _CLIP)
    same = torch.isclose(rounded(tried, rounding), weights, rtol=1e-3, atol=1e-7).all(-1, keepdim=True)
    return torch.where(same & (size.amax(-1, keepdim=True) > 0), tried, weights)


def _with_mean_square(weights: Tensor, size: Tensor, rounding: Rounding) -> Tensor:
    """Return rounded weights with the mean square from which their scale follows.

    Clipped weights grow if it is too small. Otherwise all weights but 0 move by the same amount.
    """
    scale = torch.where(size > 0, size, torch.inf).amin(-1, keepdim=True)  # a row without a 1 does not get its own
    whole = (size / scale).round()
    some, clipped = whole > 0, whole == rounding.most
    missing = weights.shape[-1] / rounding.step**2 - whole.square().sum(-1, keepdim=True)
    total, count = (each.sum(-1, keepdim=True) for each in (whole, some))
    move = ((total.square() + count * missing).clamp(min=0).sqrt() - total) / count.clamp(min=1)
    spread = (rounding.most**2 + missing / clipped.sum(-1, keepdim=True).clamp(min=1)).clamp(min=0).sqrt()
    grows = (missing > 0) & clipped.any(-1, keepdim=True)
    moved = torch.where(grows, torch.where(clipped, spread, whole), whole + move * some)
    return torch.where(some, weights.sign() * moved * scale, 0.0)


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
