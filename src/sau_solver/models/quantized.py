"""Weights <-> small integers: the format in which shipped models are stored.

Each row of a large matrix has a scale, chosen from a few to lose least; its values are integers from -`most` to `most`,
compressed by zlib's deflate with Huffman coding only. Small integers are frequent: up to 127 a value takes 7.2 bits, up
to 55 it takes 6. Vectors and small matrices are 16-bit floats. NAME.q holds the integers, NAME.scale the scales.
Integers up to 7 are in NAME.pairs: two of them are one byte, so that a value can take less than a bit more than its
share of information.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress

import safetensors.torch
import torch
from torch import Tensor

from sau_solver.errors import CheckpointError
from sau_solver.models.layers.stacked import Rounding

MOST = 127  # the largest integer that a signed byte holds
ROUNDED = "encoder.pretrained."  # the layers that `[training] rounding` rounds
_LEAST = 4096  # a matrix with fewer values is not worth a scale for each row
PAIRED, SMALL = ".pairs", 7  # integers up to 7 are stored in pairs
BASE = 2 * SMALL + 1  # a pair is a number with two digits of this base
SUFFIXES = (".q", PAIRED)
_CLIPS = tuple(1 - step / 20 for step in range(8))  # shares of a row's largest value; larger values are clipped


def quantize(weights: Mapping[str, Tensor], most: int, rounding: Rounding | None = None) -> dict[str, Tensor]:
    """Return the weights as integers up to `most`, with their scales.

    The layers of an encoder that was trained with rounded weights are rounded like that.
    """
    assert 0 < most <= MOST
    stored: dict[str, Tensor] = {}
    for name, values in weights.items():
        if values.dim() == 2 and values.numel() >= _LEAST:
            exact = values.detach().float().cpu()
            if rounding and name.startswith(ROUNDED) and name.endswith(".weight"):
                stored[f"{name}.scale"] = scale = rounding.scale(exact).squeeze(-1).half()
                whole = _steps(exact, scale.float(), rounding.most).to(torch.int8)
            else:
                whole, stored[f"{name}.scale"] = _rounded(exact, most, _CLIPS)
            paired = int(whole.abs().max()) <= SMALL
            stored[f"{name}{PAIRED if paired else '.q'}"] = _packed(_in_pairs(whole) if paired else whole)
        else:
            stored[name] = values.detach().cpu().half()
    return stored


def restore(stored: Mapping[str, Tensor], shapes: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    """Return stored weights as 32-bit floats; `shapes` are the shapes of the network's weights."""
    weights = {}
    for name, values in stored.items():
        if name.endswith(SUFFIXES):
            name, _, kind = name.rpartition(".")
            if name not in shapes or f"{name}.scale" not in stored:
                raise CheckpointError(f"{name} is not a weight of this network. Download the checkpoint again.")
            scale = stored[f"{name}.scale"].float()
            if len(shapes[name]) != 2 or scale.shape != shapes[name][:1]:
                raise CheckpointError(f"The scales of {name} do not fit this network. Download the checkpoint again.")
            weights[name] = _unpacked(name, values, shapes[name], kind == "pairs") * scale.unsqueeze(1)
        elif not name.endswith(".scale"):
            weights[name] = values.float()
    return weights


def is_quantized(stored: Mapping[str, Tensor]) -> bool:
    """Return whether weights are stored as integers."""
    return any(name.endswith(SUFFIXES) for name in stored)


def unpacked(stored: Mapping[str, Tensor], name: str) -> Tensor:
    """Return the stored tensor of a name; compressed integers come decompressed, as a vector."""
    if not name.endswith(SUFFIXES):
        return stored[name]
    whole = zlib.decompress(stored[name].numpy().tobytes(), -zlib.MAX_WBITS)
    if name.endswith(PAIRED):
        return _from_pairs(torch.frombuffer(bytearray(whole), dtype=torch.uint8))
    return torch.frombuffer(bytearray(whole), dtype=torch.int8)


def same_values(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    """Return whether two sets of stored weights hold the same integers; zlib versions may compress differently."""
    return one.keys() == other.keys() and all(torch.equal(unpacked(one, name), unpacked(other, name)) for name in one)


def digest(weights: Mapping[str, Tensor]) -> str:
    """Return the SHA-256 of the weights as a checkpoint's file holds them."""
    return hashlib.sha256(safetensors.torch.save(dict(weights))).hexdigest()


def _rounded(values: Tensor, most: int, clips: Sequence[float]) -> tuple[Tensor, Tensor]:
    """Return integers (rows, columns) and 16-bit scales (rows,); rounding uses the scales as they are stored."""
    largest = values.abs().amax(1).clamp(min=1e-6)
    best = torch.full_like(largest, torch.inf)
    scale = torch.zeros_like(largest)
    for clip in clips:
        tried = (largest * clip / most).clamp(min=1e-7).half().float()
        lost = (_steps(values, tried, most) * tried.unsqueeze(1) - values).square().sum(1)
        better = lost < best
        best, scale = torch.where(better, lost, best), torch.where(better, tried, scale)
    return _steps(values, scale, most).to(torch.int8), scale.half()


def _steps(values: Tensor, scale: Tensor, most: int) -> Tensor:
    return (values / scale.unsqueeze(1)).round().clamp(-most, most)


def _in_pairs(whole: Tensor) -> Tensor:
    """Return integers up to SMALL as bytes, two in each; an odd last one is paired with 0."""
    digits = (whole.flatten() + SMALL).to(torch.uint8)
    if len(digits) % 2:
        digits = torch.cat([digits, digits.new_tensor([SMALL])])
    first, second = digits.view(-1, 2).unbind(1)
    return first * BASE + second


def _from_pairs(pairs: Tensor) -> Tensor:
    """Return the integers of pairs, with the padding of an odd number."""
    return torch.stack([pairs // BASE, pairs % BASE], 1).flatten().to(torch.int8) - SMALL


def _packed(whole: Tensor) -> Tensor:
    coder = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return torch.frombuffer(bytearray(coder.compress(whole.numpy().tobytes()) + coder.flush()), dtype=torch.uint8)


def _unpacked(name: str, stored: Tensor, shape: torch.Size, paired: bool) -> Tensor:
    values, count = b"", -(-shape.numel() // 2) if paired else shape.numel()
    # Huffman codes have at least one bit, so that a small file cannot ask for much memory.
    if stored.dtype is torch.uint8 and count <= 8 * stored.numel():
        with suppress(zlib.error):
            values = zlib.decompressobj(-zlib.MAX_WBITS).decompress(stored.numpy().tobytes(), count + 1)
    if len(values) != count:
        raise CheckpointError(f"The weights of {name} do not fit this network. Download the checkpoint again.")
    whole = torch.frombuffer(bytearray(values), dtype=torch.uint8 if paired else torch.int8)
    return (_from_pairs(whole)[: shape.numel()] if paired else whole).float().view(shape)
