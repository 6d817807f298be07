"""Items of many requests -> batches for a few worker processes; the event loop never blocks on a worker.

A free worker takes the waiting items, up to a full batch. If there are fewer, it waits until the oldest has waited a
few milliseconds. A worker process that dies is replaced; its unanswered items are tried once more, each alone, so that
an item that kills workers affects no other. A request past its deadline is answered at once, and a worker whose
requests have all been answered that way is killed.
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

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 30.0  # seconds between attempts to restart a worker

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Item:
    """One problem or equation of a request, from the queue to its answer."""

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
    """A queue and the workers that serve it."""

    def __init__(
        self, name: str, processes: Sequence[WorkerProcess], size: int, wait: float, most: int, metrics: Metrics
    ) -> None:
        """Create a lane: at most `size` items per batch, `wait` seconds to fill it, at most `most` requests waiting."""
        self.name, self.size, self.wait, self.most, self.metrics = name, size, wait, most, metrics
        self.models: list[str] = []
        self._workers = [_Worker(process) for process in processes]
        self._keepers: list[asyncio.Task[None]] = []
        self._queue: deque[_Item] = deque()
        self._requests: dict[object, int] = {}  # requests with items in the queue, and how many
        self._arrived = asyncio.Event()
        self._turn = asyncio.Lock()  # only one worker at a time gathers a batch
        metrics.watch(name, lambda: self.waiting, lambda: self.ready)

    @property
    def waiting(self) -> int:
        """The number of requests with an item that no worker has taken yet."""
        return len(self._requests)

    @property
    def ready(self) -> int:
        """The number of workers that are ready."""
        return sum(worker.ready for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    async def start(self) -> None:
        """Start all workers. Raise WorkerError if one does not start."""
        started = await asyncio.gather(*(worker.process.start() for worker in self._workers), return_exceptions=True)
        for found in started:
            if isinstance(found, BaseException):
                raise found
            self.models = found
        self._keepers = [asyncio.create_task(self._keep(worker)) for worker in self._workers]

    async def stop(self) -> None:
        """End the workers. Items without an answer are lost, so call this after the last answer."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*(worker.process.close() for worker in self._workers))

    async def submit(self, contents: Sequence[dict[str, Any]], seconds: float, spent: float = 0.0) -> list[Answer]:
        """Return the answers to the items of one request, in order.

        Raise Refusal if the queue is full, or if `seconds` have passed since the request began, `spent` seconds ago.
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
        """Answer all open items with the refusal of a server that is shutting down."""
        refusal = refusals.stopping()
        working = [item for worker in self._workers for item in worker.batch]
        for item in (*working, *self._queue):
            if not item.answer.done():
                item.answer.set_result(Answer(refusal.status, refusal.body()))

    def _abandon(self, item: _Item) -> None:
        """Drop an item that nobody waits for. Kill its worker, which is then replaced, if it has no other open item."""
        if item.answer.cancel() and item.worker and all(one.answer.done() for one in item.worker.batch):
            item.worker.process.kill()

    async def _keep(self, worker: _Worker) -> None:
        """Give a worker batches, and replace its process whenever it ends."""
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
        """Give batches to the process until it ends; return why it ended."""
        while True:
            gathering = asyncio.create_task(self._gather())
            ended = asyncio.create_task(worker.process.ended())
            try:
                await asyncio.wait((gathering, ended), return_when=asyncio.FIRST_COMPLETED)
                if not gathering.done():
                    return "it ended while it was idle"
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
        """Put the open items of a dead worker at the front of the queue; fail those that were retried before."""
        for item in reversed(batch):
            item.worker = None
            item.failures += 1
            if item.answer.done():
                continue
            if item.failures > 1:
                refusal = refusals.failed()
                item.answer.set_result(Answer(refusal.status, refusal.body(), {"cause": "two workers died of it"}))
            else:
                self._queue.appendleft(item)
                self._requests[item.request] = self._requests.get(item.request, 0) + 1
                self._arrived.set()

    async def _gather(self) -> list[_Item]:
        """Return the next batch. Items leave the queue after the last `await`, so a cancelled call loses none."""
        async with self._turn:
            while True:
                while not self._queue:
                    self._arrived.clear()
                    await self._arrived.wait()
                pause = self._queue[0].arrived + self.wait - asyncio.get_running_loop().time()
                if pause > 0 and len(self._queue) < self.size:
                    await asyncio.sleep(pause)
                if batch := self._take():
                    return batch

    def _take(self) -> list[_Item]:
        """Return the oldest item and the items that can share its batch: same beam, no earlier failure."""
        batch: list[_Item] = []
        skipped: list[_Item] = []
        while self._queue and len(batch) < self.size:
            item = self._queue.popleft()
            if item.answer.done():
                continue
            if batch and (item.failures or item.content.get("beam") != batch[0].content.get("beam")):
                skipped.append(item)
                continue
            batch.append(item)
            self._taken(item)
            if item.failures:
                break
        self._queue.extendleft(reversed(skipped))
        return batch

    def _taken(self, item: _Item) -> None:
        left = self._requests.get(item.request, 0) - 1
        if left > 0:
            self._requests[item.request] = left
        else:
            self._requests.pop(item.request, None)
