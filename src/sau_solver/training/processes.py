"""The processes that train one network together: their numbers, and how they exchange sums, values and errors.

torchrun starts them and tells each its number in the environment. Tensors on a GPU are exchanged through NCCL,
everything else through gloo. torch is imported only if there is more than one process.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from sau_solver.errors import InputError, ProcessLostError, SauError, ToldElsewhereError
from sau_solver.models.options import DeviceName
from sau_solver.training.heartbeats import heartbeats

if TYPE_CHECKING:
    from torch import Tensor
    from torch.distributed import Store  # type: ignore[attr-defined]

Value = TypeVar("Value")

# What torchrun sets. Some batch systems set one or the other, but not all of them.
_VARIABLES = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
# The others wait while the first process reads corpora or labels problems. A process that has ended is noticed at once,
# and heartbeats.py notices a machine that is off.
_LONGEST_WAIT = timedelta(days=1)
# The processes have been started together when they meet, so one that cannot be reached by then has a reason.
_MEETING_TIME = timedelta(minutes=10)
# Processes that have met are alive, so they connect at once. If one ends just then, torchrun may start only that one
# again, and gloo would go on trying to reach the address of the process that has ended. So the others end, too.
_CONNECTING_TIME = timedelta(minutes=1)
_ANSWER_TIME = timedelta(seconds=0.5)


class Processes:
    """This process and the others that train the same network; by default there are no others."""

    def __init__(self, rank: int = 0, size: int = 1, local_rank: int = 0, local_size: int = 1) -> None:
        """Describe process `rank` of `size`; it is number `local_rank` of the `local_size` on its machine."""
        self.rank, self.size = rank, size
        self._local_rank, self._local_size = local_rank, local_size
        self._gpus: Any = None  # the group that exchanges tensors on GPUs; None: the default group

    @classmethod
    def launched(cls, environment: Mapping[str, str] = os.environ) -> Processes:
        """Return the processes that torchrun has started; a single one if it has not."""
        if not all(name in environment for name in _VARIABLES):
            return cls()
        return cls(*(int(environment[name]) for name in _VARIABLES[:4]))

    @property
    def first(self) -> bool:
        """Whether this is the process that reads and writes files and shows progress."""
        return self.rank == 0

    @contextmanager
    def connected(self, on_silence: Callable[[str], None] | None = None) -> Iterator[None]:
        """Connect the processes inside the block.

        `on_silence` is called with a message, in a thread, if another process does not answer any more. Without it,
        this process waits for such a process.
        """
        if self.size == 1:
            yield
            return
        import torch.distributed

        with _noticing_losses():
            meeting = torch.distributed.rendezvous("env://", timeout=_MEETING_TIME)  # type: ignore[attr-defined]
            store, rank, size = next(meeting)
            own = part_of_this_start(store, rank, size)
            torch.distributed.init_process_group(
                "gloo", store=own, rank=rank, world_size=size, timeout=_CONNECTING_TIME
            )
            # gloo tries to connect until its timeout, so the time to wait for values is longer only from here on.
            own.set_timeout(_LONGEST_WAIT)
            torch.distributed.distributed_c10d._set_pg_timeout(_LONGEST_WAIT)
        with heartbeats(own, rank, size, on_silence) if on_silence else nullcontext():
            yield
        torch.distributed.destroy_process_group()  # after an error the others may not answer

    @contextmanager
    def on(self, name: DeviceName) -> Iterator[None]:
        """Give each process of a machine its own GPU inside the block, if the device is a GPU."""
        if self.size == 1:
            yield
            return
        import torch.distributed

        kind = self.agreed(lambda: self._device_kind(name))
        if len(set(self._told(kind))) > 1:
            raise InputError(
                "Some processes have a GPU and others have none. "
                'Use [training] device = "cpu", or machines that all have GPUs.'
            )
        if kind == "cpu":
            yield
            return
        with torch.cuda.device(self._local_rank):
            self._gpus = torch.distributed.new_group(backend="nccl")
            yield

    def _device_kind(self, name: DeviceName) -> str:
        import torch

        from sau_solver.models.devices import find_device

        device = find_device(name)
        if device.type == "cuda" and (gpus := torch.cuda.device_count()) < self._local_size:
            raise InputError(
                f"torchrun started {self._local_size} processes on this machine, but torch finds only {gpus} GPU"
                f"{'s' * (gpus > 1)}. Use --nproc-per-node={gpus}, or --set training.device=cpu."
            )
        return device.type

    def agreed(self, do: Callable[[], Value]) -> Value:
        """Return the result of `do`; if it raises a SauError in one process, all of them stop.

        Where the first process has the same error, the others raise ToldElsewhereError, so that it is shown once.
        """
        if self.size == 1:
            return do()
        found: list[Value] = []
        failed: SauError | None = None
        try:
            found.append(do())
        except SauError as error:
            failed = error
        told = self._told(str(failed) if failed else None)
        if failed and (self.first or told[0] != str(failed)):
            raise failed
        if any(told):
            raise ToldElsewhereError("Another process has stopped with an error.")
        return found[0]

    def from_first(self, make: Callable[[], Value]) -> Value:
        """Return what `make` returns in the first process; the others do not call it."""
        if self.size == 1:
            return make()
        import torch.distributed

        value: list[Any] = [self.agreed(make if self.first else lambda: None)]
        with _noticing_losses():
            torch.distributed.broadcast_object_list(value, 0)
        own: Value = value[0]
        return own

    def copy_from_first(self, tensors: Iterable[Tensor]) -> None:
        """Give the tensors the values that they have in the first process."""
        if self.size == 1:
            return
        import torch.distributed

        with _noticing_losses():
            for tensor in tensors:
                torch.distributed.broadcast(tensor.detach(), 0, self._group(tensor))

    def add_up(self, values: Tensor) -> None:
        """Replace the values by their sums over all processes."""
        import torch.distributed

        with _noticing_losses():
            torch.distributed.all_reduce(values, group=self._group(values))

    def _group(self, tensor: Tensor) -> Any:
        return self._gpus if tensor.device.type == "cuda" else None

    def _told(self, value: Any) -> list[Any]:
        """Return the value of every process."""
        import torch.distributed

        told: list[Any] = [None] * self.size
        with _noticing_losses():
            torch.distributed.all_gather_object(told, value)
        return told


ALONE = Processes()


def part_of_this_start(store: Store, rank: int, size: int) -> Store:
    """Return a part of the store that only the processes with the ranks 0 to `size` - 1 of this start use.

    torchrun starts all processes again with the same store if one of them ends, and the addresses of those that have
    ended are still there. No variable tells the starts apart: machines count their restarts separately. So each process
    writes a name that is new, and the first one answers to it with the name of the start. All return when all have met.
    """
    from torch.distributed import PrefixStore  # type: ignore[attr-defined]

    own = secrets.token_hex(8)
    end = time.monotonic() + _MEETING_TIME.total_seconds()
    if rank > 0:
        store.set(f"here/{rank}", own)
        start = ""
        while not start or not _written(store, f"all/{start}", end):  # the first process may have been started again
            start = store.get(f"start/{own}").decode()
            store.set(f"met/{start}/{rank}", "")
        return PrefixStore(start, store)
    for other in range(1, size):
        met = False
        while not met:  # the name may be that of a process that has ended; that of the present one comes later
            store.set(f"start/{store.get(f'here/{other}').decode()}", own)
            met = _written(store, f"met/{own}/{other}", end)
    store.set(f"all/{own}", "")
    return PrefixStore(own, store)


def _written(store: Store, key: str, end: float) -> bool:
    """Return whether a key is written soon. Raise the store's error if it is not and the time is past `end`."""
    from torch.distributed import DistStoreError

    try:
        store.wait([key], _ANSWER_TIME)
    except DistStoreError:
        if time.monotonic() > end:
            raise
        return False
    return True


def refuse_torchrun(command: str, advice: str) -> None:
    """Raise InputError if torchrun has started several processes of a command that is not made for that."""
    if (size := Processes.launched().size) > 1:
        raise InputError(f"{command} must run in one process, but torchrun started {size}. {advice}")


@contextmanager
def _noticing_losses() -> Iterator[None]:
    """Turn the errors of torch.distributed into ProcessLostError."""
    try:
        yield
    except RuntimeError as error:
        reason = re.sub(r"^\[\S+\] ", "", str(error)).partition("\n")[0].partition(". ")[0]  # not the C++ file
        raise ProcessLostError(f"Another process has ended or cannot be reached ({reason}).") from error
