"""Jobs in this process, or in several processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from queue import Queue
from threading import Thread
from typing import Any

from sau_solver.engines.engine import Item, Prepare, Result, Task, Told, ahead, packed, perform
from sau_solver.errors import WorkerLostError

_AHEAD = 2  # items per process that are submitted at a time


class LocalEngine:
    """Calls functions in this process, or in `jobs` processes if there is more than one."""

    def __init__(self, jobs: int = 1, prepare: Prepare | None = None) -> None:
        self.jobs, self._prepare = jobs, prepare
        self._open = ExitStack()
        self._processes: ProcessPoolExecutor | None = None
        # New interpreters instead of forks: this process may have threads, as torch does.
        self._spawn = multiprocessing.get_context("spawn")

    @property
    def cpus(self) -> float:
        """Return one for each job."""
        return self.jobs

    @property
    def gpus(self) -> float:
        """Return 0: trainings on a GPU of this machine run in this process."""
        return 0

    @property
    def cpus_per_gpu(self) -> float:
        """Return 0: no job may ask for a GPU."""
        return 0

    def in_order(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the result of each item in order, and read only a few items ahead."""
        if self.jobs == 1:
            yield from map(function, items)
            return
        pool, called = self._pool(), packed(function, self._prepare)

        def submit(item: Item) -> Callable[[], Result]:
            with _lost_worker_explained():
                future = pool.submit(perform, called, pickle.dumps(item))
            return lambda: _result(future)

        yield from ahead(submit, items, lambda: _AHEAD * self.jobs)

    def as_completed(
        self, function: Callable[[Item], Result], tasks: Sequence[Task[Item]]
    ) -> Iterator[tuple[int, Result]]:
        """Yield the number and the result of each task as it ends; a single one runs in this process."""
        if self.jobs == 1 or len(tasks) <= 1:
            yield from enumerate(function(task.item) for task in tasks)
            return
        pool, called = self._pool(), packed(function, self._prepare)
        with _lost_worker_explained():
            pending = {pool.submit(perform, called, pickle.dumps(task.item)): n for n, task in enumerate(tasks)}
        for future in as_completed(pending):
            yield pending[future], _result(future)

    @contextmanager
    def telling(self, hear: Callable[[Told], None]) -> Iterator[Callable[[Told], None]]:
        """Yield `hear`, or a function for other processes whose messages a thread forwards to `hear`."""
        if self.jobs == 1:
            yield hear
            return
        with self._spawn.Manager() as manager:
            told: Queue[tuple[Told] | None] = manager.Queue()

            def forward() -> None:
                while (one := told.get()) is not None:
                    hear(*one)

            thread = Thread(target=forward, daemon=True)
            thread.start()
            try:
                yield _Teller(told)
            finally:
                told.put(None)
                thread.join()

    def _pool(self) -> ProcessPoolExecutor:
        """Return the processes, which are started when they are needed and kept between calls."""
        if self._processes is None:
            self._processes = ProcessPoolExecutor(self.jobs, self._spawn, _begin)
            self._open.callback(self._processes.shutdown, cancel_futures=True)
        return self._processes

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()


class _Teller:
    """Sends the messages of a job to the process that started it."""

    def __init__(self, told: Queue[Any]) -> None:
        self._told = told

    def __call__(self, message: object) -> None:
        self._told.put((message,))


def _result(future: Future[Any]) -> Any:
    with _lost_worker_explained():
        return future.result()


@contextmanager
def _lost_worker_explained() -> Iterator[None]:
    """Raise WorkerLostError if a process of the pool has ended, which `submit` or `result` notices."""
    try:
        yield
    except BrokenProcessPool:
        raise WorkerLostError(
            "A worker process was killed, perhaps because memory ran out. Run the same command again to continue, "
            "with fewer --jobs if memory is short."
        ) from None


def _begin() -> None:
    """Leave Ctrl+C to the parent process, and end when the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        Thread(target=follow, daemon=True).start()
