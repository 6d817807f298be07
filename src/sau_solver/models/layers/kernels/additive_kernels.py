"""Triton kernels for additive scores v . tanh(query + key), forward and backward, on a GPU.

The tanh of every pair of query and key, (problems, queries, keys, hidden), would be by far the largest tensor of a
training step. Here it never leaves the registers, and the backward pass computes it again.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_QUERIES, _KEYS, _PART = 4, 16, 64  # sizes of a block
_WARPS = 4


def fits(hidden: int) -> bool:
    """Return whether the kernels support this size."""
    return hidden % _PART == 0


@triton.jit
def _tanh(values):
    return 2 * tl.sigmoid(2 * values) - 1


@triton.jit
def _forward(
    queries, keys, weights, scores,
    width, count, share,
    HIDDEN: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr, PART: tl.constexpr,
):  # fmt: skip
    problem = tl.program_id(0)
    rows = tl.program_id(1) * QUERIES + tl.arange(0, QUERIES)
    columns = tl.program_id(2) * KEYS + tl.arange(0, KEYS)
    weights += problem // share * HIDDEN
    total = tl.zeros((QUERIES, KEYS, PART), tl.float32)
    for start in range(0, HIDDEN, PART):
        parts = start + tl.arange(0, PART)
        place = (problem * width + rows[:, None]) * HIDDEN + parts[None, :]
        query = tl.load(queries + place, mask=(rows < width)[:, None], other=0.0)
        place = (problem * count + columns[:, None]) * HIDDEN + parts[None, :]
        key = tl.load(keys + place, mask=(columns < count)[:, None], other=0.0)
        weight = tl.load(weights + parts)
        total += _tanh(query[:, None, :] + key[None, :, :]) * weight[None, None, :]
    place = (problem * width + rows[:, None]) * count + columns[None, :]
    tl.store(scores + place, tl.sum(total, 2), mask=(rows < width)[:, None] & (columns < count)[None, :])


@triton.jit
def _backward_queries(
    queries, keys, weights, given, for_queries,
    width, count, share,
    HIDDEN: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr, PART: tl.constexpr,
):  # fmt: skip
    problem = tl.program_id(0)
    rows = tl.program_id(1) * QUERIES + tl.arange(0, QUERIES)
    parts = tl.program_id(2) * PART + tl.arange(0, PART)
    place = (problem * width + rows[:, None]) * HIDDEN + parts[None, :]
    query = tl.load(queries + place, mask=(rows < width)[:, None], other=0.0)
    total = tl.zeros((QUERIES, KEYS, PART), tl.float32)
    for start in range(0, count, KEYS):
        columns = start + tl.arange(0, KEYS)
        inside = (problem * count + columns[:, None]) * HIDDEN + parts[None, :]
        key = tl.load(keys + inside, mask=(columns < count)[:, None], other=0.0)
        met = _tanh(query[:, None, :] + key[None, :, :])
        pair = (problem * width + rows[:, None]) * count + columns[None, :]
        real = (rows < width)[:, None] & (columns < count)[None, :]
        total += tl.load(given + pair, mask=real, other=0.0)[:, :, None] * (1 - met * met)
    weight = tl.load(weights + problem // share * HIDDEN + parts)
    tl.store(for_queries + place, tl.sum(total, 1) * weight[None, :], mask=(rows < width)[:, None])


@triton.jit
def _backward_keys(
    queries, keys, weights, given, for_keys, for_weights,
    width, count, share,
    HIDDEN: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr, PART: tl.constexpr,
):  # fmt: skip
    problem, block = tl.program_id(0), tl.program_id(1)
    columns = block * KEYS + tl.arange(0, KEYS)
    parts = tl.program_id(2) * PART + tl.arange(0, PART)
    inside = (problem * count + columns[:, None]) * HIDDEN + parts[None, :]
    key = tl.load(keys + inside, mask=(columns < count)[:, None], other=0.0)
    total = tl.zeros((QUERIES, KEYS, PART), tl.float32)
    summed = tl.zeros((QUERIES, KEYS, PART), tl.float32)
    for start in range(0, width, QUERIES):
        rows = start + tl.arange(0, QUERIES)
        place = (problem * width + rows[:, None]) * HIDDEN + parts[None, :]
        query = tl.load(queries + place, mask=(rows < width)[:, None], other=0.0)
        met = _tanh(query[:, None, :] + key[None, :, :])
        pair = (problem * width + rows[:, None]) * count + columns[None, :]
        real = (rows < width)[:, None] & (columns < count)[None, :]
        part = tl.load(given + pair, mask=real, other=0.0)[:, :, None]
        total += part * (1 - met * met)
        summed += part * met
    weight = tl.load(weights + problem // share * HIDDEN + parts)
    tl.store(for_keys + inside, tl.sum(total, 0) * weight[None, :], mask=(columns < count)[:, None])
    # One row for each block, added up outside: unlike atomic additions, this gives the same sum every time.
    blocks = tl.num_programs(1)
    tl.store(for_weights + (problem * blocks + block) * HIDDEN + parts, tl.sum(tl.sum(summed, 0), 0))


def forward(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    """(problems, width, hidden), (problems, keys, hidden), (runs, hidden) -> (problems, width, keys)."""
    problems, width, hidden = queries.shape
    count = keys.shape[1]
    scores = queries.new_empty(problems, width, count)
    grid = (problems, triton.cdiv(width, _QUERIES), triton.cdiv(count, _KEYS))
    _forward[grid](
        queries, keys, weights, scores, width, count, problems // len(weights),
        HIDDEN=hidden, QUERIES=_QUERIES, KEYS=_KEYS, PART=_PART, num_warps=_WARPS,
    )  # fmt: skip
    return scores


def backward(queries: Tensor, keys: Tensor, weights: Tensor, given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of queries, keys and weights."""
    problems, width, hidden = queries.shape
    count, runs = keys.shape[1], len(weights)
    blocks = triton.cdiv(count, _KEYS)
    for_queries, for_keys = torch.empty_like(queries), torch.empty_like(keys)
    for_weights = queries.new_empty(problems * blocks, hidden)
    _backward_queries[(problems, triton.cdiv(width, _QUERIES), hidden // _PART)](
        queries, keys, weights, given, for_queries, width, count, problems // runs,
        HIDDEN=hidden, QUERIES=_QUERIES, KEYS=_KEYS, PART=_PART, num_warps=_WARPS,
    )  # fmt: skip
    _backward_keys[(problems, blocks, hidden // _PART)](
        queries, keys, weights, given, for_keys, for_weights, width, count, problems // runs,
        HIDDEN=hidden, QUERIES=_QUERIES, KEYS=_KEYS, PART=_PART, num_warps=_WARPS,
    )  # fmt: skip
    return for_queries, for_keys, for_weights.view(runs, -1, hidden).sum(1)
