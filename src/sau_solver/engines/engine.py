"""The interface of engines: call a function for many items, in order or as they finish, in worker processes.

The function is unpickled once in each worker process, so it may keep what it loads, such as a model.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Literal, Protocol, TypeVar

from sau_solver import __version__
from sau_solver.errors import InputError

EngineName = Literal["local", "ray"]
Item = TypeVar("Item")
Result = TypeVar("Result")
Told = TypeVar("Told")
Prepare = Callable[[], None]  # runs once in each worker process, before it unpickles anything else


@dataclass(frozen=True, slots=True)
class Place:
    """Where jobs run."""

    engine: EngineName = "local"
    address: str | None = None  # of a Ray cluster; None starts one on this machine
    jobs: int | None = None  # jobs at a time; None: one for local, as many as the cluster has CPUs for Ray

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise InputError(f"jobs must be at least 1, got {self.jobs}.")
        if self.engine == "local" and self.address is not None:
            raise InputError("--address is for --engine ray. Add --engine ray, or leave --address out.")


@dataclass(frozen=True, slots=True)
class Task(Generic[Item]):
    """An item with what its job needs."""

    item: Item
    cpus: float = 1
    gpus: float = 0


class Engine(Protocol):
    """Calls functions in worker processes. Use it as a context manager: leaving it ends the workers."""

    @property
    def cpus(self) -> float:
        """Return the number of CPUs of all workers."""
        ...

    @property
    def gpus(self) -> float:
        """Return the number of GPUs that the workers may ask for."""
        ...

    @property
    def cpus_per_gpu(self) -> float:
        """Return the number of CPUs that a job with one GPU may ask for: one machine must have them all."""
        ...

    def in_order(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the result of each item in order, and read only a few items ahead."""
        ...

    def as_completed(
        self, function: Callable[[Item], Result], tasks: Sequence[Task[Item]]
    ) -> Iterator[tuple[int, Result]]:
        """Yield the number and the result of each task as it ends."""
        ...

    def telling(self, hear: Callable[[Told], None]) -> AbstractContextManager[Callable[[Told], None]]:
        """Yield a function that jobs can call with messages; `hear` receives the messages in this process."""
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(self, *error: object) -> None: ...


def open_engine(place: Place, prepare: Prepare | None = None) -> Engine:
    """Return the engine of a place; raise InputError if it is Ray and cannot be used."""
    if place.engine == "ray":
        from sau_solver.engines.ray_engine import RayEngine

        return RayEngine(place.address, place.jobs, prepare)
    from sau_solver.engines.local_engine import LocalEngine

    return LocalEngine(place.jobs or 1, prepare)


def packed(function: Callable[[Any], Any], prepare: Prepare | None) -> bytes:
    """Return a function for `perform`. What `prepare` imports is needed to unpickle the function itself."""
    return pickle.dumps((__version__, prepare, pickle.dumps(function)))


def perform(function: bytes, item: bytes) -> Any:
    """Call a packed function with a pickled item, in a worker process."""
    return _unpacked(function)(pickle.loads(item))  # noqa: S301 - from the process that started this one


@lru_cache(maxsize=1)
def _unpacked(function: bytes) -> Callable[[Any], Any]:
    version, prepare, packed_function = pickle.loads(function)  # noqa: S301
    if version != __version__:
        raise InputError(
            f"Every node must have sau-solver {version}, got {__version__} on one of them. Install the same version."
        )
    if prepare is not None:
        prepare()
    called: Callable[[Any], Any] = pickle.loads(packed_function)  # noqa: S301
    return called


def ahead(
    submit: Callable[[Item], Callable[[], Result]], items: Iterable[Item], limit: Callable[[], int]
) -> Iterator[Result]:
    """Yield results in order while at most `limit()` items are submitted; `submit` returns how to wait for a result."""
    waiting: deque[Callable[[], Result]] = deque()
    for item in items:
        waiting.append(submit(item))
        while len(waiting) >= limit():
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()
