"""Jobs as tasks of a Ray cluster. Ray schedules them, and repeats those that were lost with a process or node.

Jobs are tasks, not actors. A task can use any free CPU, so nodes may leave or join the cluster. An actor of a lost node
would wait for a CPU that never comes back. Ray keeps the worker processes between tasks, and
each of them unpickles the function once.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from sau_solver.engines.engine import Item, Prepare, Result, Task, Told, ahead, packed, perform
from sau_solver.errors import InputError, WorkerLostError

_AHEAD = 2  # items per CPU that are submitted at a time
_RETRIES = 20  # of one task after the loss of its process or node; more would repeat a task that kills its process
_STORE = 256 << 20  # bytes of the object store of a cluster that this process starts; results are read at once
_USAGE_REPORTS = "RAY_USAGE_STATS_ENABLED"  # the variable that turns the reports to Ray's makers on or off
_PASSED = ("SAU_DATA",)  # settings that tasks take from this process, if it has them
_STARTS = 3  # attempts to start a cluster on this machine
_REACHED = 10.0  # seconds in which the address of a cluster must answer; Ray itself tries for minutes


class RayEngine:
    """Calls functions in the worker processes of a Ray cluster; `jobs` limits how many tasks there are at a time."""

    def __init__(self, address: str | None = None, jobs: int | None = None, prepare: Prepare | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise InputError(
                "--engine ray needs ray, which is not installed. Run in a checkout: pip install '.[scale]'"
            ) from None
        self._ray: Any = ray
        self._jobs = jobs
        self._prepare = _Prepare({name: os.environ[name] for name in _PASSED if name in os.environ}, prepare)
        self._begin(address or os.environ.get("RAY_ADDRESS") or "local")

    def _begin(self, address: str) -> None:
        own: dict[str, Any] = {"num_cpus": self._jobs, "object_store_memory": _STORE, "include_dashboard": False}
        host, _, port = address.rpartition(":")
        try:
            if port.isdecimal() and "/" not in host:
                socket.create_connection((host, int(port)), _REACHED).close()
            self._init(address, own if address == "local" else {})
        except (OSError, RuntimeError, ValueError, OverflowError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise InputError(
                f"The Ray cluster at {address} cannot be reached ({reason}). Start one with `ray start --head`, or "
                "leave --address out to use this machine alone."
            ) from None

    def _init(self, address: str, own: dict[str, Any]) -> None:
        """Connect to a cluster, or start one; on a busy machine a start can need more time than Ray gives it."""
        for attempt in range(_STARTS):
            try:
                with _usage_reports_off():
                    self._ray.init(
                        address=address, log_to_driver=False, configure_logging=False, logging_level=logging.ERROR,
                        **own,
                    )  # fmt: skip
                return
            except Exception as error:
                if type(error) is not Exception:  # Ray has no class of its own for a start that takes too long
                    raise
                self._ray.shutdown()
                if attempt + 1 == _STARTS:
                    raise RuntimeError(str(error)) from None

    @property
    def cpus(self) -> float:
        """Return the number of CPUs of the cluster."""
        return float(self._ray.cluster_resources().get("CPU", 0))

    @property
    def gpus(self) -> float:
        """Return the number of GPUs of the cluster."""
        return float(self._ray.cluster_resources().get("GPU", 0))

    @property
    def cpus_per_gpu(self) -> float:
        """Return the CPUs per GPU of the node that has the fewest, so that every GPU can be used."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return min((own.get("CPU", 0.0) // own["GPU"] for own in nodes if own.get("GPU")), default=0.0)

    def in_order(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the result of each item in order, and read only a few items ahead."""
        called = packed(function, self._prepare)
        remote = self._remote(1, 0)

        def submit(item: Item) -> Callable[[], Result]:
            reference = remote.remote(called, pickle.dumps(item))
            return lambda: self._result(reference)

        yield from ahead(submit, items, self._limit)

    def as_completed(
        self, function: Callable[[Item], Result], tasks: Sequence[Task[Item]]
    ) -> Iterator[tuple[int, Result]]:
        """Yield the number and the result of each task as it ends."""
        called = packed(function, self._prepare)
        left = list(enumerate(tasks))[::-1]
        limit = self._jobs if self._jobs and not any(task.gpus for task in tasks) else len(tasks)
        pending: dict[Any, int] = {}
        while left or pending:
            while left and len(pending) < limit:
                number, task = left.pop()
                reference = self._remote(task.cpus, task.gpus).remote(called, pickle.dumps(task.item))
                pending[reference] = number
            (ready, *_), _ = self._ray.wait(list(pending), num_returns=1)
            yield pending.pop(ready), self._result(ready)

    @contextmanager
    def telling(self, hear: Callable[[Told], None]) -> Iterator[Callable[[Told], None]]:
        """Yield a function for tasks; a queue on this node keeps their messages until a thread forwards them."""
        from ray.util.queue import Queue
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=True)
        told = Queue(actor_options={"num_cpus": 0, "scheduling_strategy": here})

        def forward() -> None:
            with suppress(self._ray.exceptions.RayError):  # only the display of progress is lost with the queue
                while (one := told.get()) is not None:
                    hear(*pickle.loads(one))  # noqa: S301

        thread = Thread(target=forward, daemon=True)
        thread.start()
        try:
            yield _Teller(told)
        finally:
            with suppress(self._ray.exceptions.RayError):
                told.put(None)
            thread.join()
            told.shutdown(force=True)

    def _remote(self, cpus: float, gpus: float) -> Any:
        return self._ray.remote(num_cpus=cpus, num_gpus=gpus, max_retries=_RETRIES)(perform)

    def _limit(self) -> int:
        if self._jobs is not None:
            return self._jobs
        return _AHEAD * max(1, int(self.cpus))  # nodes come and go

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:  # the job's own error
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except errors.RayError as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise WorkerLostError(
                f"A Ray task was lost again and again ({reason}). Check the nodes, then run the same command again to "
                "continue."
            ) from None

    def __enter__(self) -> RayEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self._ray.shutdown()


@contextmanager
def _usage_reports_off() -> Iterator[None]:
    """Let the processes that Ray starts send no reports, unless the user allows it; restore the environment."""
    if _USAGE_REPORTS in os.environ:
        yield
        return
    os.environ[_USAGE_REPORTS] = "0"  # the processes that Ray starts inherit it; ray.init has no argument for it
    try:
        yield
    finally:
        os.environ.pop(_USAGE_REPORTS, None)


class _Prepare:
    """Prepares a worker process: copies settings of the driver, then runs `more`."""

    def __init__(self, settings: dict[str, str], more: Prepare | None) -> None:
        self._settings, self._more = settings, more

    def __call__(self) -> None:
        for name, value in self._settings.items():
            os.environ[name] = value
        if self._more is not None:
            self._more()


class _Teller:
    """Sends the messages of a task to the driver; the task continues even if the queue is lost with its node."""

    def __init__(self, told: Any) -> None:
        self._told = told

    def __call__(self, message: object) -> None:
        from ray.exceptions import RayError

        with suppress(RayError):
            self._told.put(pickle.dumps((message,)))
