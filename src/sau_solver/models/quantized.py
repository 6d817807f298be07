"""Weights <-> small whole numbers: what a shipped model is stored in.

Each row of a matrix has a scale, the one of several that loses least; its values are whole numbers from -`most` to
`most` in a Huffman code, since small ones are frequent: 127 takes 7.2 bits a value, 55 takes 6. Vectors and small
matrices are stored in 16-bit floats. NAME.q holds the code, NAME.scale the scales.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import torch
from torch import Tensor

from sau_solver.errors import CheckpointError

MOST = 127  # what a byte holds
_LEAST = 4096  # values that a matrix must have to be worth a scale for each row
_CLIPS = tuple(1 - step / 20 for step in range(8))  # of the largest value of a row: what is beyond is cut off


def quantise(weights: Mapping[str, Tensor], most: int) -> dict[str, Tensor]:
    """Weights as whole numbers up to `most`."""
    assert 0 < most <= MOST
    stored: dict[str, Tensor] = {}
    for name, values in weights.items():
        if values.dim() == 2 and values.numel() >= _LEAST:
            whole, scale = _rounded(values.detach().float().cpu(), most)
            stored[f"{name}.q"], stored[f"{name}.scale"] = _packed(whole), scale
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
            weights[name] = _unpacked(name, values, shapes[name]) * stored[f"{name}.scale"].float().unsqueeze(1)
        elif not name.endswith(".scale"):
            weights[name] = values.float()
    return weights


def is_quantised(stored: Mapping[str, Tensor]) -> bool:
    """Whether weights were stored as whole numbers."""
    return any(name.endswith(".q") for name in stored)


def unpacked(stored: Mapping[str, Tensor], name: str) -> Tensor:
    """What is stored under a name, without its shape where it is packed."""
    if not name.endswith(".q"):
        return stored[name]
    whole = zlib.decompress(stored[name].numpy().tobytes(), -zlib.MAX_WBITS)
    return torch.frombuffer(bytearray(whole), dtype=torch.int8)


def _rounded(values: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Whole numbers (rows, columns) and the scale of each row; 16-bit scales, since those are what is read back."""
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


def _packed(whole: Tensor) -> Tensor:
    coder = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return torch.frombuffer(bytearray(coder.compress(whole.numpy().tobytes()) + coder.flush()), dtype=torch.uint8)


def _unpacked(name: str, stored: Tensor, shape: torch.Size) -> Tensor:
    try:
        values = zlib.decompressobj(-zlib.MAX_WBITS).decompress(stored.numpy().tobytes(), shape.numel() + 1)
    except zlib.error:
        values = b""
    if len(values) != shape.numel():
        raise CheckpointError(f"The weights of {name} do not fit this model. Download the checkpoint again.")
    return torch.frombuffer(bytearray(values), dtype=torch.int8).float().view(shape)
