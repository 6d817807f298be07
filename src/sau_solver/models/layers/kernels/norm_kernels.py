"""Triton kernels for the normalization of a residual connection, norm(states + dropout(values)), on a GPU.

Step by step, dropout, addition and normalization would read and write the states eight times in 32 bits. One kernel
reads them once, computes in 32 bits and writes them in the precision of the values.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_LARGEST = 8192  # a row must fit into the registers of a block
_WARPS = 4
_STRIPS = 512  # blocks that share the rows of a backward pass


def fits(hidden: int) -> bool:
    """Return whether the kernels support this size."""
    return hidden <= _LARGEST


@triton.jit
def _forward(
    values, states, kept, weights, biases, sums, made, means, inverses,
    factor, epsilon, share,
    SIZE: tl.constexpr, BLOCK: tl.constexpr, DROPS: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    real = columns < SIZE
    place = row * SIZE + columns
    value = tl.load(values + place, mask=real, other=0.0).to(tl.float32)
    if DROPS:
        value = tl.where(tl.load(kept + place, mask=real, other=0) != 0, value * factor, 0.0)
    total = value + tl.load(states + place, mask=real, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / SIZE
    apart = tl.where(real, total - mean, 0.0)
    inverse = tl.rsqrt(tl.sum(apart * apart, 0) / SIZE + epsilon)
    own = row // share * SIZE + columns
    weight = tl.load(weights + own, mask=real, other=0.0)
    bias = tl.load(biases + own, mask=real, other=0.0)
    tl.store(made + place, apart * inverse * weight + bias, mask=real)
    tl.store(sums + place, total, mask=real)
    tl.store(means + row, mean)
    tl.store(inverses + row, inverse)


@triton.jit
def _backward(
    given, sums, kept, weights, means, inverses, for_values, for_states, for_weights, for_biases,
    factor, share,
    SIZE: tl.constexpr, BLOCK: tl.constexpr, DROPS: tl.constexpr,
):  # fmt: skip
    run, strip, strips = tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    columns = tl.arange(0, BLOCK)
    real = columns < SIZE
    weight = tl.load(weights + run * SIZE + columns, mask=real, other=0.0)
    weight_total = tl.zeros((BLOCK,), tl.float32)
    bias_total = tl.zeros((BLOCK,), tl.float32)
    for number in range(strip, share, strips):
        row = (run * share + number).to(tl.int64)
        place = row * SIZE + columns
        push = tl.load(given + place, mask=real, other=0.0).to(tl.float32)
        total = tl.load(sums + place, mask=real, other=0.0).to(tl.float32)
        inverse = tl.load(inverses + row)
        normal = tl.where(real, (total - tl.load(means + row)) * inverse, 0.0)
        weight_total += push * normal
        bias_total += push
        push *= weight
        along = tl.sum(push * normal, 0) / SIZE
        found = (push - normal * along - tl.sum(push, 0) / SIZE) * inverse
        tl.store(for_states + place, found, mask=real)
        if DROPS:
            found = tl.where(tl.load(kept + place, mask=real, other=0) != 0, found * factor, 0.0)
        tl.store(for_values + place, found, mask=real)
    # One row for each block, added up outside: unlike atomic additions, this gives the same sum every time.
    place = (run * strips + strip) * SIZE + columns
    tl.store(for_weights + place, weight_total, mask=real)
    tl.store(for_biases + place, bias_total, mask=real)


def forward(
    values: Tensor, states: Tensor, kept: Tensor | None, factor: float, weights: Tensor, biases: Tensor, epsilon: float
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return norm(states + dropped values), and the sums, their means and inverse deviations for the backward pass.

    Values and states are (rows, size); weights and biases are (runs, size). `kept` has a byte for each value.
    """
    rows, size = values.shape
    made, sums = torch.empty_like(values), torch.empty_like(values)
    means, inverses = (torch.empty(rows, dtype=torch.float32, device=values.device) for _ in range(2))
    _forward[(rows,)](
        values, states, values if kept is None else kept, weights, biases, sums, made, means, inverses,
        factor, epsilon, rows // len(weights),
        SIZE=size, BLOCK=triton.next_power_of_2(size), DROPS=kept is not None, num_warps=_WARPS,
    )  # fmt: skip
    return made, sums, means, inverses


def backward(
    given: Tensor, sums: Tensor, means: Tensor, inverses: Tensor, kept: Tensor | None, factor: float, weights: Tensor,
    states: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """Return the gradients of values, states, weights and biases; `states` is the precision of the states."""
    (rows, size), runs = sums.shape, len(weights)
    for_values, for_states = torch.empty_like(sums), torch.empty_like(sums, dtype=states)
    strips = min(rows // runs, max(1, _STRIPS // runs))
    parts = torch.empty(2, runs, strips, size, dtype=torch.float32, device=sums.device)
    _backward[(runs, strips)](
        given, sums, sums if kept is None else kept, weights, means, inverses, for_values, for_states, *parts,
        factor, rows // runs,
        SIZE=size, BLOCK=triton.next_power_of_2(size), DROPS=kept is not None, num_warps=_WARPS,
    )  # fmt: skip
    for_weights, for_biases = parts.sum(2)
    return for_values, for_states, for_weights, for_biases
