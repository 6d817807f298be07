"""Where networks run: find a device, use all CPU cores for a batch, and explain a lack of memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Lock, Thread
from typing import TypeVar

import torch

from sau_solver.errors import InputError, OutOfMemoryError
from sau_solver.models.options import DeviceName

Part = TypeVar("Part")
Result = TypeVar("Result")

_SETTING_THREADS = Lock()
_AMX_TRIAL = "import torch; ones = torch.ones(512, 512, dtype=torch.bfloat16); torch.nn.functional.linear(ones, ones)"
_START_SECONDS = 60.0  # for the threads of a batch; without a limit, a thread that cannot start would block the others


def find_device(name: DeviceName) -> torch.device:
    """Return the device that a configuration names; "auto" means the GPU if there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError(
            'device = "cuda" needs a GPU, but torch finds none. Use device = "cpu" or "auto", '
            "or install a CUDA build of torch."
        )
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def has_bfloat16(device: torch.device) -> bool:
    """Return whether a device multiplies in bfloat16: GPUs do, and CPUs with AVX512-BF16.

    On some virtual machines oneDNN's AMX kernels end the process, so another process tries them first.
    """
    if device.type == "cuda":
        return True
    features = torch.cpu.get_capabilities()
    if not features.get("avx512_bf16"):
        return False
    return not features.get("amx_tile") or _amx_works()


def _amx_works() -> bool:
    trial = [sys.executable, "-c", _AMX_TRIAL]
    return subprocess.run(trial, check=False).returncode == 0  # noqa: S603  # our own interpreter, a constant


def side_by_side(work: Callable[[Part], Result], parts: Sequence[Part], device: torch.device) -> Iterator[Result]:
    """Yield the result of `work` for each part, in order; on a CPU the parts run in threads, one core each.

    A search consists of many small steps, so two parts on two cores are faster than one part on both.
    """
    threads = torch.get_num_threads()
    if device.type != "cpu" or threads < 2 or len(parts) < 2:
        yield from map(work, parts)
        return
    count = min(threads, len(parts))
    ready = Barrier(count, timeout=_START_SECONDS)
    with ThreadPoolExecutor(count, initializer=_use_one_core, initargs=(ready,)) as pool:
        yield from pool.map(work, parts)


def _use_one_core(ready: Barrier) -> None:
    """Let torch use one core in this new thread, and wait for the others. All threads of the user keep their number.

    torch.set_num_threads sets the number of the calling thread and the default of threads that use torch for the first
    time, and no call of torch sets only the former. So another thread, which ends at once, sets the default back. The
    lock keeps two new threads from taking each other's 1 for the default. The work begins when all are ready, so the
    default is never wrong while it lasts.
    """
    with _SETTING_THREADS:
        default = torch.get_num_threads()  # this thread is new, so it has the default
        torch.set_num_threads(1)
        restoring = Thread(target=torch.set_num_threads, args=(default,))
        restoring.start()
        restoring.join()
    ready.wait()


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
