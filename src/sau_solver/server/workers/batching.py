"""Items of many requests -> batches for a few worker processes; the event loop never waits for a worker.

A free worker takes what waits, up to a batch; where that is less, it lets the oldest item wait a few milliseconds for
company. A worker that ends is replaced: what it had not answered is tried once more, each item alone, so that one that
brings down workers takes no others with it. A request past its deadline is answered at once, and a worker that works
for nobody any more is ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sau_solver.server import refusals
from sau_solver.server.metrics import Metrics
from sau_solver.server.workers.process import Answer, WorkerError, WorkerProcess

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 30.0  # seconds between attempts to start a worker that does not start

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Item:
    """A part of a request on its way."""

    content: dict[str, Any]
    arrived: float
    answer: asyncio.Future[Answer]
    request: object
    worker: _Worker | None = None
    failures: int = 0


@dataclass(slots=True, eq=False)
class _Worker:
    process: WorkerProcess
    ready: bool = False
    batch: list[_Item] = field(default_factory=list)


class Lane:
    """A queue, and the workers that serve it."""

    def __init__(
        self, name: str, processes: Sequence[WorkerProcess], size: int, wait: float, most: int, metrics: Metrics
    ) -> None:
        """`size` is that of the largest batch, `wait` the seconds that it is waited for, `most` the longest queue."""
        self.name, self.size, self.wait, self.most, self.metrics = name, size, wait, most, metrics
        self.models: list[str] = []
        self._workers = [_Worker(process) for process in processes]
        self._keepers: list[asyncio.Task[None]] = []
        self._queue: deque[_Item] = deque()
        self._requests: dict[object, int] = {}  # those with items in the queue, and how many
        self._arrived = asyncio.Event()
        self._turn = asyncio.Lock()  # to gather the next batch
        metrics.watch(name, lambda: self.waiting, lambda: self.ready)

    @property
    def waiting(self) -> int:
        """How many requests wait for a worker to take them, or the last of them."""
        return len(self._requests)

    @property
    def ready(self) -> int:
        """How many workers can work."""
        return sum(worker.ready for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """Of the processes that run."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    async def start(self) -> None:
        """Start all workers; WorkerError where one does not start."""
        started = await asyncio.gather(*(worker.process.start() for worker in self._workers), return_exceptions=True)
        for found in started:
            if isinstance(found, BaseException):
                raise found
            self.models = found
        self._keepers = [asyncio.create_task(self._keep(worker)) for worker in self._workers]

    async def stop(self) -> None:
        """End the workers; what is not answered is lost, so that this comes after the last answer."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*(worker.process.close() for worker in self._workers))

    async def submit(self, contents: Sequence[dict[str, Any]], seconds: float, spent: float = 0.0) -> list[Answer]:
        """The answers to the parts of one request, in order; Refusal where the queue is full or time is up.

        A request has so many `seconds` from its beginning, of which it has `spent` some before it came here.
        """
        if len(self._requests) >= self.most:
            raise refusals.busy(self.most)
        loop, request = asyncio.get_running_loop(), object()
        items = [_Item(content, loop.time(), loop.create_future(), request) for content in contents]
        self._requests[request] = len(items)
        self._queue.extend(items)
        self._arrived.set()
        try:
            _, late = await asyncio.wait([item.answer for item in items], timeout=max(0.0, seconds - spent))
            if late:
                raise refusals.too_slow(seconds)
            return [item.answer.result() for item in items]
        finally:
            self._requests.pop(request, None)
            for item in items:
                self._abandon(item)

    def give_up(self) -> None:
        """Answer everything that is still on its way with the refusal of a server that stops."""
        refusal = refusals.stopping()
        working = [item for worker in self._workers for item in worker.batch]
        for item in (*working, *self._queue):
            if not item.answer.done():
                item.answer.set_result(Answer(refusal.status, refusal.body()))

    def _abandon(self, item: _Item) -> None:
        """Nobody waits for this any more; a worker that has nothing else to do is ended, and so replaced."""
        if item.answer.cancel() and item.worker and all(one.answer.done() for one in item.worker.batch):
            item.worker.process.kill()

    async def _keep(self, worker: _Worker) -> None:
        """Give a worker batches; replace its process whenever that ends."""
        while True:
            worker.ready = True
            cause = await self._serve(worker)
            worker.ready = False
            self.metrics.replaced(self.name)
            _log.warning("worker replaced", extra={"lane": self.name, "cause": cause})
            pause = FIRST_PAUSE
            while not await self._restarted(worker):
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)

    async def _restarted(self, worker: _Worker) -> bool:
        await worker.process.close()
        try:
            await worker.process.start()
        except (WorkerError, OSError) as error:
            _log.error("worker does not start", extra={"lane": self.name, "cause": str(error)})
            return False
        return True

    async def _serve(self, worker: _Worker) -> str:
        """Work until the process ends; why it did."""
        while True:
            gathering = asyncio.create_task(self._gather())
            ended = asyncio.create_task(worker.process.ended())
            try:
                await asyncio.wait((gathering, ended), return_when=asyncio.FIRST_COMPLETED)
                if not gathering.done():
                    return "it ended while it had nothing to do"
                worker.batch = gathering.result()
            finally:
                gathering.cancel()
                ended.cancel()
            try:
                await self._work(worker)
            except WorkerError as error:
                self._retry(worker.batch)
                return str(error)

    async def _work(self, worker: _Worker) -> None:
        batch = worker.batch
        self.metrics.batch(self.name, len(batch))
        for item in batch:
            item.worker = worker
        async for place, answer in worker.process.ask([item.content for item in batch]):
            if not batch[place].answer.done():
                batch[place].answer.set_result(answer)

    def _retry(self, batch: Sequence[_Item]) -> None:
        """What a worker left unanswered goes to the front of the queue; what was there before is given up."""
        for item in reversed(batch):
            item.worker = None
            item.failures += 1
            if item.answer.done():
                continue
            if item.failures > 1:
                refusal = refusals.failed()
                item.answer.set_result(Answer(refusal.status, refusal.body(), {"cause": "two workers ended over it"}))
            else:
                self._queue.appendleft(item)
                self._requests[item.request] = self._requests.get(item.request, 0) + 1
                self._arrived.set()

    async def _gather(self) -> list[_Item]:
        """The next batch. Items leave the queue behind the last `await`: who is cancelled here takes nothing along."""
        async with self._turn:
            while True:
                while not self._queue:
                    self._arrived.clear()
                    await self._arrived.wait()
                patience = self._queue[0].arrived + self.wait - asyncio.get_running_loop().time()
                if patience > 0 and len(self._queue) < self.size:
                    await asyncio.sleep(patience)
                if batch := self._take():
                    return batch

    def _take(self) -> list[_Item]:
        """The oldest item and those behind it that can share its batch: of the same beam, and not failed before."""
        batch: list[_Item] = []
        passed: list[_Item] = []
        while self._queue and len(batch) < self.size:
            item = self._queue.popleft()
            if item.answer.done():
                continue
            if batch and (item.failures or item.content.get("beam") != batch[0].content.get("beam")):
                passed.append(item)
                continue
            batch.append(item)
            self._taken(item)
            if item.failures:
                break
        self._queue.extendleft(reversed(passed))
        return batch

    def _taken(self, item: _Item) -> None:
        left = self._requests.get(item.request, 0) - 1
        if left > 0:
            self._requests[item.request] = left
        else:
            self._requests.pop(item.request, None)
