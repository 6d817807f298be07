"""A trained network's checkpoint -> a small one: without what only training needs, its weights as whole numbers."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import safetensors.torch
import torch

from sau_solver.models.checkpoint import Checkpoint
from sau_solver.models.quantized import quantise, unpacked

_ONLY_TRAINED = "alignment."  # begins the names of weights that no search reads


def shrunk(checkpoint: Checkpoint, most: int, **told: Any) -> Checkpoint:
    """The checkpoint in whole numbers up to `most`; `told` is added to what it says of its data."""
    weights = {name: value for name, value in checkpoint.weights.items() if not name.startswith(_ONLY_TRAINED)}
    model = dict(checkpoint.model)
    if "ssar" in model["options"]:
        model["options"] = {**model["options"], "ssar": 0.0}
    model["trained"] = {"options": checkpoint.model["options"], "sha256": digest(checkpoint), "most": most}
    return replace(checkpoint, model=model, data={**checkpoint.data, **told}, weights=quantise(weights, most), state={})


def digest(checkpoint: Checkpoint) -> str:
    """SHA-256 of the weights as a checkpoint's file holds them."""
    return hashlib.sha256(safetensors.torch.save(checkpoint.weights)).hexdigest()


def same_values(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two checkpoints hold the same whole numbers; libraries may pack them differently."""
    if one.weights.keys() != other.weights.keys():
        return False
    return all(torch.equal(unpacked(one.weights, name), unpacked(other.weights, name)) for name in one.weights)
