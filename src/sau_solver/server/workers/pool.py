"""All workers of a server: one lane for word problems, whose workers hold the models, and one for equations."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from sau_solver.server import refusals
from sau_solver.server.cores import usable_cores
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import ENDING_SECONDS, Settings
from sau_solver.server.workers.batching import Lane
from sau_solver.server.workers.process import Answer, WorkerProcess
from sau_solver.server.workers.waiting import Waiting, is_large

ANSWERING_SECONDS = 0.5  # to send the last responses

Command = Sequence[str]


class Pool:
    """The two lanes of a server; `async with` starts and ends them."""

    def __init__(self, settings: Settings, metrics: Metrics, worker: Command | None = None) -> None:
        """Create a pool; `worker` is the command that starts a worker process, without its arguments."""
        command = tuple(worker or (sys.executable, "-m", "sau_solver.server.workers.worker"))
        threads = max(1, usable_cores() // settings.workers)
        seconds, longest = str(settings.equation_seconds), str(settings.max_text)
        solve, equation = ("solve", settings.model or "", longest), ("equation", seconds, longest, settings.model or "")
        solving = [WorkerProcess((*command, *solve), threads) for _ in range(settings.workers)]
        exact = [WorkerProcess((*command, *equation)) for _ in range(settings.equation_workers)]
        problems = Waiting(settings.batch_size, settings.bulk_size, settings.max_waiting)
        equations = Waiting(1, 1, settings.max_waiting)
        self.settings, self.metrics, self.stopping = settings, metrics, False
        self.solving = Lane("solve", solving, problems, settings.batch_wait, metrics)
        self.exact = Lane("equation", exact, equations, 0.0, metrics)

    async def __aenter__(self) -> Self:
        self.loop = asyncio.get_running_loop()
        try:
            # Wait for both lanes even if one fails: a process that is still starting could not be ended.
            started = await asyncio.gather(self.solving.start(), self.exact.start(), return_exceptions=True)
            for failure in filter(None, started):
                raise failure
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        self.stopping = True
        await asyncio.gather(self.solving.stop(), self.exact.stop())

    @property
    def healthy(self) -> bool:
        """Whether the server accepts requests and both lanes have a worker."""
        return not self.stopping and self.solving.ready > 0 and self.exact.ready > 0

    def refuse(self) -> None:
        """Refuse new requests, and answer the accepted ones before stop_seconds are over, whatever their deadlines."""
        if self.stopping:
            return
        self.stopping = True
        seconds = self.settings.stop_seconds - ENDING_SECONDS - ANSWERING_SECONDS
        for lane in (self.solving, self.exact):
            self.loop.call_later(seconds, lane.give_up)

    async def solve(self, items: Sequence[dict[str, Any]], spent: float) -> list[Answer]:
        """Return the answers to the word problems of a request that began `spent` seconds ago."""
        return await self._submit(self.solving, "problem", items, spent)

    async def work(self, item: dict[str, Any], spent: float) -> Answer:
        """Return the answer to equations, to a tree with other numbers, or to a request of the practice endpoints."""
        source = "practice" if "practice" in item else "template" if "tree" in item else "equation"
        (answer,) = await self._submit(self.exact, source, [item], spent)
        return answer

    async def _submit(self, lane: Lane, source: str, items: Sequence[dict[str, Any]], spent: float) -> list[Answer]:
        if self.stopping:
            raise refusals.stopping()
        seconds = self.settings.request_seconds
        if is_large(items):
            seconds = max(seconds, self.settings.batch_seconds)
        answers = await lane.submit(items, seconds, spent)
        for answer in answers:
            self.metrics.answer(source, answer.counted)
        return answers
