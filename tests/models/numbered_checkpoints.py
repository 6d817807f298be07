"""Checkpoints that carry a number in every part, so that a mixture of two of them is noticed."""

from __future__ import annotations

from pathlib import Path

import torch

from sau_solver.models.checkpoint import Checkpoint
from sau_solver.models.checkpoint_files import CONFIG, STATE, VOCABULARY, WEIGHTS

FILES = (CONFIG, VOCABULARY, WEIGHTS, STATE)


def filled(number: int) -> Checkpoint:
    """Return a checkpoint that has the number in every part."""
    return Checkpoint(
        {"name": "sau", "hidden": 512, "number": number},
        {"fingerprint": "0123"},
        {"number": number, "metrics": {"answer": 0.1 + 0.2}},
        {"tokens": ["鸡", "兔", str(number)]},
        {"encoder": torch.full((60, 50), float(number)), "decoder": torch.full((7,), number)},
        {"moments": torch.full((60, 50), float(number), dtype=torch.float64)},
    )


def number_of(checkpoint: Checkpoint) -> int:
    """Return the number of a filled checkpoint, and check every part of it."""
    number: int = checkpoint.progress["number"]
    expected = filled(number)
    assert (checkpoint.model, checkpoint.data) == (expected.model, expected.data)
    assert (checkpoint.progress, checkpoint.vocabulary) == (expected.progress, expected.vocabulary)
    assert_same_bits(checkpoint.weights, expected.weights)
    assert_same_bits(checkpoint.state, expected.state)
    return number


def assert_same_bits(left: dict[str, torch.Tensor], right: dict[str, torch.Tensor]) -> None:
    assert left.keys() == right.keys()
    for name in left:
        assert (left[name].dtype, left[name].shape) == (right[name].dtype, right[name].shape)
        assert bits(left[name]) == bits(right[name])


def bits(tensor: torch.Tensor) -> bytes:
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
