"""The server went on without a worker if it could not start another one, or kept one that would never answer.

Only two kinds of failure were expected of a start: `Thread.start` without memory raises a third one, and nobody tried
again. A worker that was stopped while it started was noticed after two minutes. A worker said that it was ready before
it had the thread that reads its jobs.
"""

from __future__ import annotations

import asyncio
import errno
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sau_solver.server.metrics import Metrics
from sau_solver.server.workers import batching, jobs
from sau_solver.server.workers.batching import Lane
from sau_solver.server.workers.jobs import EquationJobs
from sau_solver.server.workers.process import Answer, WorkerError, WorkerProcess
from sau_solver.server.workers.waiting import Waiting

TIMES = 40  # with pauses that double without a limit, the last one would take years


class Unstartable(WorkerProcess):
    """Dies of its first item; then the system refuses many times to start another one."""

    def __init__(self, refusal: Exception) -> None:
        super().__init__(())
        self.refusal, self.starts, self.waits = refusal, 0, 0

    async def start(self) -> list[str]:
        self.starts += 1
        if 1 < self.starts <= TIMES:
            raise self.refusal
        return []

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        if self.starts == 1:
            raise WorkerError("It ended.")
        for place, _ in enumerate(items):
            yield place, Answer(200, b"")

    async def ended(self) -> None:
        self.waits += 1
        await asyncio.Event().wait()


class Frozen(Unstartable):
    """Is stopped while it starts for the second time, until it is killed."""

    def __init__(self) -> None:
        super().__init__(WorkerError("It was killed."))
        self.killed = asyncio.Event()

    @property
    def stopped(self) -> bool:
        return self.starts == 2

    def kill(self) -> None:
        self.killed.set()

    async def start(self) -> list[str]:
        self.starts += 1
        if self.starts == 2:
            await self.killed.wait()
            raise self.refusal
        return []


def answered(process: WorkerProcess) -> list[int]:
    """Let a lane with this process answer three items, one at a time."""

    async def answer() -> list[int]:
        lane = Lane("solve", [process], Waiting(1, 1, most=9), wait=0.0, metrics=Metrics())
        await lane.start()
        answers = await lane.submit([{}] * 3, 60.0)
        await lane.stop()
        return [one.status for one in answers]

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, answer()).result()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_PAUSE", "SHORTAGE_PAUSE", "LOOK_SECONDS"):
        monkeypatch.setattr(batching, name, 0.0001)


@pytest.mark.parametrize(
    "refusal", [OSError(errno.EMFILE, "Too many open files"), RuntimeError("can't start new thread"), MemoryError()]
)
def test_a_worker_is_started_as_soon_as_the_system_allows_it(refusal: Exception) -> None:
    process = Unstartable(refusal)
    assert answered(process) == [200, 200, 200]
    assert process.starts == TIMES + 1


def test_a_worker_that_is_stopped_while_it_starts_is_replaced() -> None:
    process = Frozen()
    assert answered(process) == [200, 200, 200]
    assert process.starts == 3


def test_the_end_of_a_process_is_awaited_once_and_not_once_for_each_batch() -> None:
    process = Unstartable(WorkerError("It does not start."))
    process.starts = TIMES  # so that it works from the start
    assert answered(process) == [200, 200, 200]
    assert process.waits == 1


def test_a_worker_without_memory_for_a_thread_ends_and_another_one_gets_the_item(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(jobs, "work", fail)
    item = {"equations": "2^x=x^2", "lang": "en", "explain": False}
    with pytest.raises(MemoryError):
        list(EquationJobs(1.0, 100).answers([item]))


@pytest.mark.slow
def test_a_worker_reads_its_input_before_it_says_that_it_is_ready() -> None:
    """A worker that loads for ever ends with its input, because it reads it already."""
    code = "import time; from sau_solver.server.workers.worker import run; run(lambda: time.sleep(3600))"
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    assert done.stdout == b""
