"""Triton kernels for a GRU: one word forward or backward, for all directions of all networks at once.

The product with the recurrent weights is fused with the elementwise operations around it, so that a word of a layer
takes one launch forward and two backward. Products use TF32, sums float32.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

_ROWS, _COLUMNS, _INNER = 32, 32, 64  # sizes of a block
_WARPS, _STAGES = 4, 3


def fits(hidden: int) -> bool:
    """Return whether the kernels support this size."""
    return hidden % _INNER == 0


@triton.jit
def _forward(
    before, weights, bias, drive, gates, scaled, after,
    problems, drive_stride,
    HIDDEN: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, INNER: tl.constexpr,
):  # fmt: skip
    direction, column, row = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows = row * ROWS + tl.arange(0, ROWS)
    columns = column * COLUMNS + tl.arange(0, COLUMNS)
    real = (rows < problems)[:, None]
    states = before + direction * problems * HIDDEN
    matrix = weights + direction * 3 * HIDDEN * HIDDEN
    reset = tl.zeros((ROWS, COLUMNS), tl.float32)
    update = tl.zeros((ROWS, COLUMNS), tl.float32)
    pushed = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, HIDDEN, INNER):
        inner = start + tl.arange(0, INNER)
        state = tl.load(states + rows[:, None] * HIDDEN + inner[None, :], mask=real, other=0.0)
        place = columns[None, :] * HIDDEN + inner[:, None]  # the weights of an output are contiguous
        reset = tl.dot(state, tl.load(matrix + place), reset)
        update = tl.dot(state, tl.load(matrix + HIDDEN * HIDDEN + place), update)
        pushed = tl.dot(state, tl.load(matrix + 2 * HIDDEN * HIDDEN + place), pushed)
    offsets = bias + direction * 3 * HIDDEN + columns
    driven = drive + direction * drive_stride + rows[:, None] * 3 * HIDDEN + columns[None, :]
    reset = tl.sigmoid(reset + tl.load(offsets)[None, :] + tl.load(driven, mask=real, other=0.0))
    update += tl.load(offsets + HIDDEN)[None, :] + tl.load(driven + HIDDEN, mask=real, other=0.0)
    update = tl.sigmoid(update)
    pushed += tl.load(offsets + 2 * HIDDEN)[None, :]
    inside = tl.load(driven + 2 * HIDDEN, mask=real, other=0.0) + reset * pushed
    new = 2 * tl.sigmoid(2 * inside) - 1  # tanh
    place = direction * problems * HIDDEN + rows[:, None] * HIDDEN + columns[None, :]
    old = tl.load(before + place, mask=real, other=0.0)
    tl.store(after + place, new + update * (old - new), mask=real)
    tl.store(scaled + place, pushed, mask=real)
    kept = gates + direction * problems * 3 * HIDDEN + rows[:, None] * 3 * HIDDEN + columns[None, :]
    tl.store(kept, reset, mask=real)
    tl.store(kept + HIDDEN, update, mask=real)
    tl.store(kept + 2 * HIDDEN, new, mask=real)


@triton.jit
def _spread(
    given, carried, factors, coming, pushing,
    problems, given_stride, given_row,
    HIDDEN: tl.constexpr, INNER: tl.constexpr,
):  # fmt: skip
    direction, row = tl.program_id(0), tl.program_id(1)
    columns = tl.program_id(2) * INNER + tl.arange(0, INNER)
    place = (direction * problems + row) * HIDDEN + columns
    come = tl.load(given + direction * given_stride + row * given_row + columns) + tl.load(carried + place)
    tl.store(coming + place, come)
    wide = (direction * problems + row) * 3 * HIDDEN + columns
    for gate in tl.static_range(3):
        tl.store(pushing + wide + gate * HIDDEN, come * tl.load(factors + wide + gate * HIDDEN))


@triton.jit
def _pass(
    coming, pushing, gates, weights, passed,
    problems,
    HIDDEN: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, INNER: tl.constexpr,
):  # fmt: skip
    direction, column, row = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows = row * ROWS + tl.arange(0, ROWS)
    columns = column * COLUMNS + tl.arange(0, COLUMNS)
    real = (rows < problems)[:, None]
    wide = direction * problems * 3 * HIDDEN + rows[:, None] * 3 * HIDDEN
    matrix = weights + direction * 3 * HIDDEN * HIDDEN + columns[None, :]
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, 3 * HIDDEN, INNER):
        inner = start + tl.arange(0, INNER)
        push = tl.load(pushing + wide + inner[None, :], mask=real, other=0.0)
        total = tl.dot(push, tl.load(matrix + inner[:, None] * HIDDEN), total)
    place = direction * problems * HIDDEN + rows[:, None] * HIDDEN + columns[None, :]
    come = tl.load(coming + place, mask=real, other=0.0)
    update = tl.load(gates + wide + HIDDEN + columns[None, :], mask=real, other=0.0)
    tl.store(passed + place, total + come * update, mask=real)


def read_word(
    before: Tensor, weights: Tensor, bias: Tensor, drive: Tensor, gates: Tensor, scaled: Tensor, after: Tensor
) -> None:
    """Compute the states (directions, problems, hidden) after a word, its gates, and what its reset gate scales.

    `drive` (directions, problems, 3 hidden) may be a slice; everything else is contiguous.
    """
    directions, problems, hidden = before.shape
    grid = (directions, hidden // _COLUMNS, triton.cdiv(problems, _ROWS))
    _forward[grid](
        before, weights, bias, drive, gates, scaled, after, problems, drive.stride(0),
        HIDDEN=hidden, ROWS=_ROWS, COLUMNS=_COLUMNS, INNER=_INNER, num_warps=_WARPS, num_stages=_STAGES,
    )  # fmt: skip


def unread_word(
    given: Tensor, carried: Tensor, factors: Tensor, gates: Tensor, weights: Tensor,
    coming: Tensor, pushing: Tensor, passed: Tensor,
) -> None:  # fmt: skip
    """Compute from the gradient of a word's states those of the previous word's states and of the products.

    `given` (directions, problems, hidden) may be a slice; everything else is contiguous.
    """
    directions, problems, hidden = carried.shape
    _spread[(directions, problems, hidden // _INNER)](
        given, carried, factors, coming, pushing, problems, given.stride(0), given.stride(1),
        HIDDEN=hidden, INNER=_INNER, num_warps=1,
    )  # fmt: skip
    grid = (directions, hidden // _COLUMNS, triton.cdiv(problems, _ROWS))
    _pass[grid](
        coming, pushing, gates, weights, passed, problems,
        HIDDEN=hidden, ROWS=_ROWS, COLUMNS=_COLUMNS, INNER=_INNER, num_warps=_WARPS, num_stages=_STAGES + 1,
    )  # fmt: skip
