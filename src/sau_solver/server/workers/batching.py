"""Items of many requests -> batches for a few worker processes; the event loop never blocks on a worker.

A free worker takes the waiting items, up to a full batch. If there are fewer, it waits until the oldest has waited a
few milliseconds. A worker process that dies or is stopped is replaced; its unanswered items are tried once more, each
alone, so that an item that kills workers affects no other. A request past its deadline is answered at once, and a
worker whose requests have all been answered that way is killed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sau_solver.server import refusals
from sau_solver.server.logs import cause_of
from sau_solver.server.metrics import Metrics
from sau_solver.server.workers.process import Answer, NotAskedError, WorkerError, WorkerProcess, refused
from sau_solver.server.workers.waiting import Item, Request, Waiting, is_large

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 30.0  # seconds between attempts to restart a worker
SHORTAGE_PAUSE = 1.0  # the longest pause if the system refused to start it
KEEP_SECONDS = 2.0  # a worker may finish what it began less than this time ago, though nobody waits for it
LOOK_SECONDS = 0.5  # between two checks whether a worker is stopped; the second one kills it

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Worker:
    process: WorkerProcess
    ready: bool = False
    batch: list[Item] = field(default_factory=list)
    began: float = 0.0  # when it got the batch
    stopped: bool = False  # when we last looked


class Lane:
    """A queue and the workers that serve it."""

    def __init__(
        self, name: str, processes: Sequence[WorkerProcess], queue: Waiting, wait: float, metrics: Metrics
    ) -> None:
        """Create a lane with an empty queue; a batch that is not full waits `wait` seconds for further items."""
        self.name, self.wait, self.metrics = name, wait, metrics
        self.models: list[str] = []
        self._workers = [_Worker(process) for process in processes]
        self._keepers: list[asyncio.Task[None]] = []
        self._queue = queue
        self._arrived = asyncio.Event()
        self._turn = asyncio.Lock()  # only one worker at a time gathers a batch
        metrics.watch(name, lambda: self.waiting, lambda: self.ready)

    @property
    def waiting(self) -> int:
        """The number of requests with an item that no worker has taken yet."""
        return self._queue.requests

    @property
    def ready(self) -> int:
        """The number of workers that are ready."""
        return sum(worker.ready for worker in self._workers)

    async def start(self) -> None:
        """Start all workers. Raise WorkerError if one does not start."""
        started = await asyncio.gather(*(worker.process.start() for worker in self._workers), return_exceptions=True)
        for found in started:
            if isinstance(found, BaseException):
                raise found
            self.models = found
        self._keepers = [asyncio.create_task(self._keep(worker)) for worker in self._workers]
        self._keepers.append(asyncio.create_task(self._look()))

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
        request = Request(large=is_large(contents))
        if self._queue.full(request.large):
            raise refusals.busy(self._queue.requests)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + max(0.0, seconds - spent)
        items = [Item(content, loop.time(), loop.create_future(), request) for content in contents]
        for item in items:
            self._queue.add(item)
        self._arrived.set()
        try:
            _, late = await asyncio.wait([item.answer for item in items], timeout=deadline - loop.time())
            if late:
                self._expire(items)
                raise refusals.too_slow(seconds)
            return [item.answer.result() for item in items]
        except asyncio.CancelledError:  # the client is gone; to end a worker for it would delay other requests
            loop.call_at(deadline, self._expire, items)
            raise
        finally:
            request.wanted = False
            self._queue.forget(request)
            for item in set(items).difference(*(worker.batch for worker in self._workers)):
                item.answer.cancel()

    def give_up(self) -> None:
        """Answer all open items with the refusal of a server that is shutting down."""
        refusal = refusals.stopping()
        working = [item for worker in self._workers for item in worker.batch]
        for item in (*working, *self._queue):
            if not item.answer.done():
                item.answer.set_result(refused(refusal, item.content))

    def _expire(self, items: Sequence[Item]) -> None:
        """Drop items past their deadline, and check the workers that work on one of them."""
        open_items = {item for item in items if item.answer.cancel()}
        for worker in self._workers:
            if open_items.intersection(worker.batch):
                asyncio.get_running_loop().call_at(worker.began + KEEP_SECONDS, self._end, worker, worker.batch)

    def _end(self, worker: _Worker, batch: list[Item]) -> None:
        """Kill a worker, which is then replaced, if it still works on a batch that nobody waits for."""
        if worker.batch is batch and all(item.answer.done() for item in batch):
            worker.process.kill()

    async def _look(self) -> None:
        """Kill workers that somebody has stopped (SIGSTOP): their items would wait until the deadline."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for worker in self._workers:
                before, worker.stopped = worker.stopped, worker.process.stopped  # a starting one, too
                if before and worker.stopped:
                    _log.warning("worker stopped", extra={"lane": self.name})
                    worker.process.kill()

    async def _keep(self, worker: _Worker) -> None:
        """Give a worker batches, and replace its process whenever it ends."""
        while True:
            worker.ready = True
            try:
                cause = await self._serve(worker)
            except Exception:  # noqa: BLE001  # whatever it is, the server needs its worker
                _log.exception("worker failed", extra={"lane": self.name})
                cause = "it failed"
            worker.ready = False
            self.metrics.replaced(self.name)
            _log.warning("worker replaced", extra={"lane": self.name, "cause": cause})
            pause = FIRST_PAUSE
            while (longest := await self._restart(worker)) is not None:
                await asyncio.sleep(min(pause, longest))
                pause *= 2

    async def _restart(self, worker: _Worker) -> float | None:
        """Start another process, and return None; if it does not start, return the longest pause until the next try.

        A shortage of descriptors, memory or threads may end at any moment; damaged weights stay damaged.
        """
        try:
            await worker.process.close()
            await worker.process.start()
        except Exception as error:  # noqa: BLE001  # whatever it is, the server needs its worker
            cause = str(error) if isinstance(error, WorkerError | OSError) else cause_of(type(error), error)
            _log.error("worker does not start", extra={"lane": self.name, "cause": cause})
            return LONGEST_PAUSE if isinstance(error, WorkerError) else SHORTAGE_PAUSE
        return None

    async def _serve(self, worker: _Worker) -> str:
        """Give batches to the process until it ends; return why it ended."""
        # One task for the whole life of the process: asyncio would keep a future of every wait for its end.
        ended = asyncio.create_task(worker.process.ended())
        try:
            while True:
                gathering = asyncio.create_task(self._gather())
                try:
                    await asyncio.wait((gathering, ended), return_when=asyncio.FIRST_COMPLETED)
                    if not gathering.done():
                        return "it ended while it was idle"
                    worker.batch = gathering.result()
                finally:
                    gathering.cancel()
                if died := await self._answered(worker):
                    return died
        finally:
            ended.cancel()

    async def _answered(self, worker: _Worker) -> str:
        """Let a worker answer its batch; return "", or why it ended. Its open items go back to the queue."""
        asked = True
        try:
            await self._work(worker)
        except WorkerError as error:
            asked = not isinstance(error, NotAskedError)
            return str(error)
        finally:
            self._retry(worker.batch, asked)
            worker.batch = []
        return ""

    async def _work(self, worker: _Worker) -> None:
        batch = worker.batch
        worker.began = asyncio.get_running_loop().time()
        self.metrics.batch(self.name, len(batch))
        async for place, answer in worker.process.ask([item.content for item in batch]):
            if not batch[place].answer.done():
                batch[place].answer.set_result(answer)

    def _retry(self, batch: Sequence[Item], asked: bool) -> None:
        """Put the open items of a dead worker at the front of the queue; fail those that may have killed two."""
        for item in reversed(batch):
            item.failures += asked
            if item.answer.done():
                continue
            if not item.request.wanted:
                item.answer.cancel()
            elif item.failures > 1:
                refusal = refusals.failed()
                item.answer.set_result(refused(refusal, item.content, cause="two workers died of it"))
            else:
                self._queue.add(item, first=True)
                self._arrived.set()

    async def _gather(self) -> list[Item]:
        """Return the next batch. Items leave the queue after the last `await`, so a cancelled call loses none."""
        async with self._turn:
            while True:
                while not self._queue:
                    self._arrived.clear()
                    await self._arrived.wait()
                if (pause := self._queue.pause(self.wait, asyncio.get_running_loop().time())) > 0:
                    await asyncio.sleep(pause)
                if batch := self._queue.take():
                    return batch
