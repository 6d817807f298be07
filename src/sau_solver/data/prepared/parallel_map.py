"""Apply a function to many problems, in this process or in several, with the same results in the same order."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Self, TypeVar

State = TypeVar("State")
Item = TypeVar("Item")
Result = TypeVar("Result")

LARGE = 20_000  # problems; fewer are prepared before other processes have started
MOST = 16  # processes; one process collects the results, so that more would wait for it
_TOGETHER = 200  # items that a process gets at a time


def processes_for(problems: int) -> int:
    """Return how many processes to use for a number of problems: one, or every core that this process may use."""
    if problems < LARGE:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MOST)


class ParallelMap:
    """A map over several processes; with one process it starts none. Use it in a `with` statement."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self._calls = 0

    def __enter__(self) -> Self:
        if self.processes > 1:
            # New interpreters instead of forks: this process may have threads, as torch does.
            self._pool = ProcessPoolExecutor(self.processes, get_context("spawn"), _start)
            self._folder = TemporaryDirectory(prefix="sau-")
        return self

    def __exit__(self, *_: object) -> None:
        if self.processes > 1:
            self._pool.shutdown(cancel_futures=True)
            self._folder.cleanup()

    def map(
        self, work: Callable[[State, Item], Result], state: State, items: Sequence[Item], together: int | None = None
    ) -> Iterator[Result]:
        """Yield `work(state, item)` for each item in order. A process gets some items `together`.

        With several processes, `work` must be a function of a module. Each process reads the state once, from a file,
        because the state may be large, such as an index of texts.
        """
        if self.processes == 1:
            return (work(state, item) for item in items)
        self._calls += 1
        path = Path(self._folder.name) / f"{self._calls}.pickle"
        path.write_bytes(pickle.dumps(state, pickle.HIGHEST_PROTOCOL))
        return self._pool.map(partial(_apply, work, path), items, chunksize=together or _TOGETHER)


ONE_PROCESS = ParallelMap()


def _start() -> None:
    """Leave Ctrl+C to the process that started this one, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _apply(work: Callable[[Any, Item], Result], path: Path, item: Item) -> Result:
    return work(_state(path), item)


@lru_cache(maxsize=1)
def _state(path: Path) -> Any:
    return pickle.loads(path.read_bytes())  # noqa: S301 (this program wrote it)
