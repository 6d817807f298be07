"""Find Triton kernels for tensors on a GPU, if Triton is installed and the kernels support the size."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import torch
from torch import Tensor


def find_kernels(name: str, values: Tensor, hidden: int) -> Any:
    """Return the module NAME_kernels of this package, or None if its kernels cannot be used."""
    if not values.is_cuda or values.dtype is torch.float64 or importlib.util.find_spec("triton") is None:
        return None
    kernels = importlib.import_module(f"sau_solver.models.layers.kernels.{name}_kernels")
    return kernels if kernels.fits(hidden) else None
