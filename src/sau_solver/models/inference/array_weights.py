"""Stored weights -> NumPy arrays, as models/quantized.py restores them; the integers are unpacked side by side."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError

from sau_solver.errors import CheckpointError
from sau_solver.models.checkpoint_files import WEIGHTS, CheckpointFiles, damaged
from sau_solver.models.inference.onnx_graph import Array
from sau_solver.models.network_shapes import Shape

_UNUSED = "alignment."  # prefix of weights that only training needs
_TYPES = ("float16", "float32", "float64")
_PAIRS = ".pairs"
_INTEGERS = (".q", _PAIRS)  # suffixes of stored integers, one or two in a byte, as in models/quantized.py
_SMALL = 7  # the largest integer in a pair
_DIGITS = np.stack(np.divmod(np.arange(256), 2 * _SMALL + 1), 1).astype(np.int8) - _SMALL  # (256, 2): of every pair


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix of embeddings whose rows become floats when they are looked up."""

    rows: Array  # (entries, size)
    scale: Array | None  # (entries,); None if the rows are floats

    def __getitem__(self, ids: Array) -> Array:
        found: Array = self.rows[ids].astype(np.float32)
        if self.scale is not None:
            found *= self.scale[ids][..., None]
        return found


@dataclass(frozen=True, slots=True)
class ArrayWeights:
    """The weights of a network: 32-bit floats, and the table of word embeddings."""

    arrays: dict[str, Array]
    words: Table


def read_weights(files: CheckpointFiles, shapes: Mapping[str, Shape], words: str, threads: int) -> ArrayWeights:
    """Return the weights of a checkpoint, whose shapes must be `shapes`; `words` is the name of the embeddings."""
    try:
        stored = safetensors.numpy.load(files.weights)
    except (SafetensorError, KeyError) as error:  # KeyError: a type of number that NumPy does not have
        raise damaged(files.folder / WEIGHTS, str(error)) from None
    _check_names(stored, shapes)

    def read(name: str) -> Array | Table:
        kind = next((kind for kind in _INTEGERS if name + kind in stored), None)
        if kind is None:
            return _plain(stored[name], name, shapes[name])
        scale = stored[f"{name}.scale"].astype(np.float32)
        if len(shapes[name]) != 2 or scale.shape != shapes[name][:1]:
            raise CheckpointError(f"The scales of {name} do not fit this network. Download the checkpoint again.")
        whole = _unpacked(name, stored[name + kind], shapes[name], kind == _PAIRS)
        return Table(whole, scale) if name == words else whole * scale[:, None]

    order = sorted(shapes, key=lambda name: -np.prod(shapes[name], dtype=float))  # so that no thread ends much later
    with ThreadPoolExecutor(threads) as pool:  # zlib and NumPy let other threads run
        arrays = dict(zip(order, pool.map(read, order), strict=True))
    table = arrays.pop(words)
    return ArrayWeights(
        {name: value for name, value in arrays.items() if not isinstance(value, Table)},
        table if isinstance(table, Table) else Table(table, None),
    )


def _check_names(stored: Mapping[str, Array], shapes: Mapping[str, Shape]) -> None:
    """Raise CheckpointError if a weight of the network is missing, or if there is another one."""
    kept = [name for name in stored if not name.endswith(".scale") and not name.startswith(_UNUSED)]
    found = {name.removesuffix(".q").removesuffix(_PAIRS) for name in kept}
    if wrong := sorted(found ^ shapes.keys()):
        kind = "unexpected" if wrong[0] in found else "missing"
        raise CheckpointError(f"The weights do not fit this network ({kind}: {wrong[0]}). Train again.")
    whole = {name for name in found if any(name + kind in stored for kind in _INTEGERS)}
    if lost := sorted(name for name in whole if f"{name}.scale" not in stored):
        raise CheckpointError(f"The scales of {lost[0]} are missing. Download the checkpoint again.")


def _plain(values: Array, name: str, shape: Shape) -> Array:
    if values.shape != shape or values.dtype.name not in _TYPES:
        raise CheckpointError(
            f"{name} must be floats of shape {shape}, got {values.dtype} {values.shape}. Train again."
        )
    return values.astype(np.float32)


def _unpacked(name: str, packed: Array, shape: Shape, paired: bool) -> Array:
    values, numbers = b"", shape[0] * shape[1]
    count = -(-numbers // 2) if paired else numbers
    # Huffman codes have at least one bit, so that a small file cannot ask for much memory.
    if packed.dtype == np.uint8 and count <= 8 * packed.size:
        with suppress(zlib.error):
            values = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed.tobytes(), count + 1)
    if len(values) != count:
        raise CheckpointError(f"The weights of {name} do not fit this network. Download the checkpoint again.")
    if paired:
        return _DIGITS[np.frombuffer(values, np.uint8)].reshape(-1)[:numbers].reshape(shape)
    return np.frombuffer(values, np.int8).reshape(shape)
