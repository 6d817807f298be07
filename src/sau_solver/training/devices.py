"""Names of devices in configurations -> devices, and running out of memory -> an error that says what to lower."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from sau_solver.errors import InputError, OutOfMemoryError
from sau_solver.training.training_options import DeviceName


def find_device(name: DeviceName) -> torch.device:
    """The device that a configuration means; auto is the GPU where there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError(
            'device = "cuda" was asked for, but torch sees no GPU here; use device = "cpu" or "auto", '
            "or install a CUDA build of torch."
        )
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def describe(device: torch.device) -> str:
    """What results call a device."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"


@contextmanager
def memory_limit(what: str, advice: str) -> Iterator[None]:
    """Turn torch's out-of-memory errors into ours."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise OutOfMemoryError(f"The GPU's memory does not hold {what}. {advice} ({_first_line(error)})") from error
    except RuntimeError as error:
        if "not enough memory" not in str(error) and "can't allocate memory" not in str(error):
            raise
        raise OutOfMemoryError(f"This machine's memory does not hold {what}. {advice}") from error


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
