"""Weights <-> small whole numbers: what a shipped model is stored in.

Each row of a matrix has a scale, the one of several that loses least; its values are stored in 8, 6 or 4 bits. Vectors
and small matrices are stored in 16-bit floats. NAME.q holds the bits, NAME.scale the scales.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from sau_solver.errors import CheckpointError

BITS = (8, 6, 4)
_LEAST = 4096  # values that a matrix must have to be worth a scale for each row
_CLIPS = tuple(1 - step / 20 for step in range(8))  # of the largest value of a row: what is beyond is cut off


def quantise(weights: Mapping[str, Tensor], bits: int) -> dict[str, Tensor]:
    """Weights in few bits."""
    assert bits in BITS
    stored: dict[str, Tensor] = {}
    for name, values in weights.items():
        if values.dim() == 2 and values.numel() >= _LEAST:
            whole, scale = _rounded(values.detach().float().cpu(), bits)
            stored[f"{name}.q"], stored[f"{name}.scale"] = _packed(whole, bits), scale
        else:
            stored[name] = values.detach().cpu().half()
    return stored


def restore(stored: Mapping[str, Tensor], shapes: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    """The weights that were stored, as 32-bit floats; `shapes` are those that the network has."""
    weights = {}
    for name, values in stored.items():
        if name.endswith(".q"):
            name = name.removesuffix(".q")
            if name not in shapes or f"{name}.scale" not in stored:
                raise CheckpointError(
                    f"The weights are not those of this model: {name}. Download the checkpoint again."
                )
            weights[name] = _unpacked(values, shapes[name]) * stored[f"{name}.scale"].float().unsqueeze(1)
        elif not name.endswith(".scale"):
            weights[name] = values.float()
    return weights


def is_quantised(stored: Mapping[str, Tensor]) -> bool:
    """Whether weights were stored in few bits."""
    return any(name.endswith(".q") for name in stored)


def _rounded(values: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Whole numbers (rows, columns) and the scale of each row; 16-bit scales, since those are what is read back."""
    most = 2 ** (bits - 1) - 1
    largest = values.abs().amax(1).clamp(min=1e-6)
    best = torch.full_like(largest, torch.inf)
    scale = torch.zeros_like(largest)
    for clip in _CLIPS:
        tried = (largest * clip / most).clamp(min=1e-7).half().float()
        lost = (_steps(values, tried, most) * tried.unsqueeze(1) - values).square().sum(1)
        better = lost < best
        best, scale = torch.where(better, lost, best), torch.where(better, tried, scale)
    return _steps(values, scale, most).to(torch.int8), scale.half()


def _steps(values: Tensor, scale: Tensor, most: int) -> Tensor:
    return (values / scale.unsqueeze(1)).round().clamp(-most, most)


def _packed(whole: Tensor, bits: int) -> Tensor:
    """Values in so many bits one after the other, filled up to whole bytes."""
    if bits == 8:
        return whole
    flat = (whole.flatten().to(torch.int32) + 2 ** (bits - 1)).to(torch.int32)
    group = 4 if bits == 6 else 2  # values that fill whole bytes
    flat = torch.nn.functional.pad(flat, (0, -len(flat) % group)).view(-1, group)
    joined = sum(flat[:, place] << bits * place for place in range(group))
    assert isinstance(joined, Tensor)
    return torch.stack([joined >> 8 * byte & 255 for byte in range(group * bits // 8)], 1).flatten().to(torch.uint8)


def _unpacked(stored: Tensor, shape: torch.Size) -> Tensor:
    if stored.dtype is torch.int8:
        return stored.float()
    bits = 6 if stored.numel() * 8 >= 6 * shape.numel() else 4
    group = 4 if bits == 6 else 2
    taken = stored.view(-1, group * bits // 8).to(torch.int32)
    joined = sum(taken[:, byte] << 8 * byte for byte in range(taken.shape[1]))
    assert isinstance(joined, Tensor)
    flat = torch.stack([joined >> bits * place & 2**bits - 1 for place in range(group)], 1).flatten()
    whole: Tensor = flat[: shape.numel()] - 2 ** (bits - 1)
    return whole.float().view(shape)
