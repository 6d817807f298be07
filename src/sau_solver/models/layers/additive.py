"""Additive scores v . tanh(query + key) of every query of a problem against every key of the same problem.

Attention (paper, eq. 5) and the scores of symbols (eq. 7) use them; they are nearly all elementwise work of the model.
Queries are `Rows`: dense (problems, width) on a GPU, ragged on the CPU, with a different number for each problem. On
the CPU the tanh is never stored: tanh(q+k) = 1 - 2/(1 + exp(2q) exp(2k)), so that exponentials are needed only of
queries and keys. The rest is a product, a sum and a reciprocal in cache, which the backward pass computes again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from sau_solver.models.layers.kernels.find import find_kernels
from sau_solver.models.layers.stacked import dot

_LARGEST = 40.0  # exp(2 * 40) fits into a float32, and tanh(40) is 1
_IN_CACHE = 1 << 17  # values computed at a time on the CPU


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a matrix that belong to the problems of a batch, problem by problem.

    Dense: every problem has `width` rows, including padding. Ragged: `counts` is the number of rows of each problem.
    """

    index: Tensor  # (rows,): positions in the matrix
    width: int
    counts: tuple[int, ...] | None = None
    dense: Tensor | None = None  # (rows,): if ragged, positions in a dense (problems * width) layout

    @classmethod
    def even(cls, problems: int, width: int, device: torch.device, ragged: bool = False) -> Rows:
        """Return all rows of a matrix with equally many for each problem; `ragged` gives them counts for the CPU."""
        index = torch.arange(problems * width, device=device)
        return cls(index, width, (width,) * problems, index) if ragged else cls(index, width)

    @classmethod
    def ragged(cls, counts: Sequence[int]) -> Rows:
        """Return the first `counts` rows of each problem in a matrix padded to the largest count."""
        width = max(1, *counts)
        place = torch.tensor(
            [problem * width + row for problem, count in enumerate(counts) for row in range(count)], dtype=torch.int64
        )
        return cls(place, width, tuple(counts), place)

    def spread(self, values: Tensor, problems: int) -> Tensor:
        """(rows, size) -> (problems, width, size), padded with zeros."""
        if self.dense is None:
            return values.view(problems, self.width, -1)
        padded = values.new_zeros(problems * self.width, values.shape[1])
        return padded.index_copy(0, self.dense, values).view(problems, self.width, -1)

    def repeated(self, values: Tensor) -> Tensor:
        """(problems, size) -> (rows, size): the value of each row's problem."""
        if self.counts is None:
            return values.repeat_interleave(self.width, 0)
        return values[torch.arange(len(self.counts)).repeat_interleave(torch.tensor(self.counts))]

    def gathered(self, values: Tensor) -> Tensor:
        """(problems, width, size) -> (rows, size)."""
        flat = values.flatten(0, 1)
        return flat if self.dense is None else flat.index_select(0, self.dense)


def additive_scores(queries: Tensor, keys: Tensor, weights: Tensor, rows: Rows, key_counts: list[int] | None) -> Tensor:
    """(rows, hidden) and (problems, keys, hidden) -> (rows, keys).

    On the CPU, `key_counts` is the number of keys of each problem; the scores of its other keys are meaningless.
    """
    if rows.counts is None or key_counts is None:
        problems, count, hidden = keys.shape
        if kernels := find_kernels("additive", keys, hidden):
            met: Tensor = _Fused.apply(queries.view(problems, rows.width, hidden), keys, weights, kernels)  # type: ignore[no-untyped-call]
            return met.view(-1, count)
        met = torch.tanh(queries.view(problems, rows.width, 1, hidden) + keys.unsqueeze(1))
        return dot(met, weights).view(-1, count)  # (problems * width, keys)
    scores: Tensor = _Ragged.apply(queries, keys, weights, rows.counts, key_counts)  # type: ignore[no-untyped-call]
    return scores


class _Fused(torch.autograd.Function):
    """Dense scores on a GPU, computed by kernels that keep the tanh in registers."""

    @staticmethod
    def forward(ctx: Any, queries: Tensor, keys: Tensor, weights: Tensor, kernels: Any) -> Tensor:
        exact = [each.float().contiguous() for each in (queries, keys, weights.view(-1, weights.shape[-1]))]
        ctx.save_for_backward(*exact)
        ctx.kernels, ctx.dtypes, ctx.shape = kernels, (queries.dtype, keys.dtype, weights.dtype), weights.shape
        scores: Tensor = kernels.forward(*exact)
        return scores

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        found = ctx.kernels.backward(*ctx.saved_tensors, gradients[0].contiguous())
        for_queries, for_keys, for_weights = (each.to(dtype) for each, dtype in zip(found, ctx.dtypes, strict=True))
        return for_queries, for_keys, for_weights.view(ctx.shape), None


class _Ragged(torch.autograd.Function):
    """Ragged scores on the CPU, one problem after the other."""

    @staticmethod
    def forward(
        ctx: Any, queries: Tensor, keys: Tensor, weights: Tensor, counts: tuple[int, ...], key_counts: list[int]
    ) -> Tensor:
        grown, grown_keys = _grown(queries), _grown(keys)
        scores = queries.new_zeros(len(queries), keys.shape[1])
        start = 0
        for problem, (count, key_count) in enumerate(zip(counts, key_counts, strict=True)):
            if count:
                met = _met(grown[start : start + count], grown_keys[problem, :key_count])
                scores[start : start + count, :key_count] = met @ weights
            start += count
        ctx.save_for_backward(grown, grown_keys, weights)
        ctx.counts, ctx.key_counts = counts, key_counts
        return scores.mul_(-2).add_(weights.sum())

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        grown, grown_keys, weights = ctx.saved_tensors
        given: Tensor = gradients[0].contiguous()
        for_queries, for_keys = torch.zeros_like(grown), torch.zeros_like(grown_keys)
        for_weights = torch.zeros_like(weights)
        start = 0
        for problem, (count, key_count) in enumerate(zip(ctx.counts, ctx.key_counts, strict=True)):
            if count:
                part = given[start : start + count, :key_count].contiguous()  # (queries, keys)
                met = _met(grown[start : start + count], grown_keys[problem, :key_count])
                for_weights += part.sum() - 2 * (part.view(-1) @ met.view(-1, met.shape[2]))
                met.sub_(met.square())  # the derivative of tanh is 4 met (1 - met)
                torch.bmm(part.unsqueeze(1), met, out=for_queries[start : start + count].unsqueeze(1))
                met.mul_(part.unsqueeze(-1))
                torch.sum(met, 0, out=for_keys[problem, :key_count])
            start += count
        scale = 4 * weights
        return for_queries.mul_(scale), for_keys.mul_(scale), for_weights, None, None


def _grown(values: Tensor) -> Tensor:
    return values.clamp(-_LARGEST, _LARGEST).mul_(2).exp_()


def _met(grown: Tensor, grown_keys: Tensor) -> Tensor:
    """(queries, hidden), (keys, hidden) -> 1 / (1 + exp(2q + 2k)), (queries, keys, hidden)."""
    return (grown.unsqueeze(1) * grown_keys).add_(1).reciprocal_()


def search_keys(keys: Tensor) -> Tensor:
    """Return the keys in the form that `searched_scores` reads, computed once for a search."""
    exact = keys.float() if keys.dtype is torch.bfloat16 else keys
    return exact if exact.is_cuda else _grown(exact)


def searched_scores(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    """Like `additive_scores` without gradients: (problems, width, hidden), `search_keys` -> (problems, width, keys)."""
    with torch.autocast(keys.device.type, enabled=False):
        return _searched(queries.to(keys.dtype), keys, weights)


def _searched(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    problems, width, hidden = queries.shape
    if kernels := find_kernels("additive", keys, hidden):
        scores: Tensor = kernels.forward(queries.contiguous(), keys, weights.unsqueeze(0))
        return scores
    if queries.is_cuda:
        return torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1)) @ weights
    scores = queries.new_empty(problems, width, keys.shape[1])
    grown = _grown(queries)
    step = max(1, _IN_CACHE // (width * keys.shape[1] * hidden))
    held = queries.new_empty(step, width, keys.shape[1], hidden)  # reused, so that it stays in cache
    for start in range(0, problems, step):
        part = grown[start : start + step]
        met = torch.mul(part.unsqueeze(2), keys[start : start + step].unsqueeze(1), out=held[: len(part)])
        scores[start : start + step] = met.add_(1).reciprocal_() @ weights
    return scores.mul_(-2).add_(weights.sum())
