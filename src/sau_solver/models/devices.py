"""Where networks run: find a device, use all CPU cores for a batch, and explain a lack of memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import torch

from sau_solver.errors import InputError, OutOfMemoryError
from sau_solver.models.options import DeviceName

Part = TypeVar("Part")
Result = TypeVar("Result")


def find_device(name: DeviceName) -> torch.device:
    """Return the device that a configuration names; "auto" means the GPU if there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError(
            'device = "cuda" needs a GPU, but torch finds none. Use device = "cpu" or "auto", '
            "or install a CUDA build of torch."
        )
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def side_by_side(work: Callable[[Part], Result], parts: Sequence[Part], device: torch.device) -> Iterator[Result]:
    """Yield the result of `work` for each part, in order; on a CPU the parts run in threads, one core each.

    A search consists of many small steps, so two parts on two cores are faster than one part on both. Torch's number
    of threads is set to 1 inside the pool; the calling thread keeps its own, and the default is restored at the end.
    """
    threads = torch.get_num_threads()
    if device.type != "cpu" or threads < 2 or len(parts) < 2:
        yield from map(work, parts)
        return
    try:
        with ThreadPoolExecutor(min(threads, len(parts)), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield from pool.map(work, parts)
    finally:
        torch.set_num_threads(threads)


@contextmanager
def memory_limit(what: str, advice: str) -> Iterator[None]:
    """Turn torch's out-of-memory errors into an OutOfMemoryError that says what to lower."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        reason = str(error).splitlines()[0]
        raise OutOfMemoryError(f"The GPU does not have enough memory for {what}. {advice} ({reason})") from error
    except RuntimeError as error:
        if "not enough memory" not in str(error) and "can't allocate memory" not in str(error):
            raise
        raise OutOfMemoryError(f"This machine does not have enough memory for {what}. {advice}") from error
