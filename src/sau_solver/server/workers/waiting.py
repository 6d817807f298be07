"""The items that wait for a worker -> the next batch. Single requests do not wait for batch requests.

Items of large requests wait in their own queue, and a worker takes only a few of them at a time. Items of small
requests usually go first. While both kinds wait, at least every third item belongs to a large request.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sau_solver.models.base import BEAM
from sau_solver.server.workers.process import Answer

SMALL_REQUEST = 4  # items; a request with more is large
SHARE = 2  # items of small requests for each item of a large request, if both kinds wait
# The attention pads the texts of a batch to the longest, and the time of a text grows with the square of its length.
MOST_WORK = 32 * 300**2  # texts times the square of the characters of the longest


@dataclass(slots=True, eq=False)
class Item:
    """One problem or equation of a request, from the queue to its answer."""

    content: dict[str, Any]
    arrived: float
    answer: asyncio.Future[Answer]
    request: Request
    failures: int = 0


@dataclass(slots=True, eq=False)
class Request:
    """A request with items in a queue."""

    large: bool
    waiting: int = 0  # items that no worker has taken yet
    wanted: bool = True  # somebody waits for the answer


def is_large(contents: Sequence[object]) -> bool:
    """Return whether a request with these items waits in the queue of large requests."""
    return len(contents) > SMALL_REQUEST


class Waiting:
    """Two queues of items: one for small and one for large requests."""

    def __init__(self, size: int, bulk: int, most: int) -> None:
        """Create empty queues: at most `size` items per batch, `bulk` of large requests, `most` requests."""
        self.size, self.bulk, self.most = size, bulk, most
        self._small: deque[Item] = deque()
        self._large: deque[Item] = deque()
        self._requests: set[Request] = set()
        self._owed = 0.0  # items of large requests that small ones have overtaken

    def __bool__(self) -> bool:
        return bool(self._small or self._large)

    def __iter__(self) -> Iterator[Item]:
        yield from self._small
        yield from self._large

    @property
    def requests(self) -> int:
        """The number of requests with an item that no worker has taken yet."""
        return len(self._requests)

    def full(self, large: bool) -> bool:
        """Return whether no further request of this kind may wait. Large requests may take only half of the places."""
        if len(self._requests) >= self.most:
            return True
        return large and sum(one.large for one in self._requests) >= max(1, self.most // 2)

    def add(self, item: Item, first: bool = False) -> None:
        """Let an item wait, as the last or as the first one."""
        queue = self._large if item.request.large else self._small
        if first:
            queue.appendleft(item)
        else:
            queue.append(item)
        item.request.waiting += 1
        self._requests.add(item.request)

    def forget(self, request: Request) -> None:
        """Stop counting a request that has been answered; its remaining items are skipped."""
        self._requests.discard(request)

    def pause(self, wait: float, now: float) -> float:
        """Return the seconds until the next batch is worth taking: full, or its oldest item has waited long enough."""
        if not self._small or len(self._small) >= self.size:
            return 0.0
        return self._small[0].arrived + wait - now

    def take(self) -> list[Item]:
        """Return the next batch: an item, and those of the same queue that can share its batch."""
        large = bool(self._large) and (not self._small or self._owed >= self.bulk)
        batch = self._from(self._large) if large else self._from(self._small)
        if large:
            self._owed = max(0.0, self._owed - len(batch))
        elif self._large:
            self._owed += len(batch) / SHARE
        return batch

    def _from(self, queue: deque[Item]) -> list[Item]:
        """Take the oldest item and those that can share its batch; an item that has failed before is taken alone."""
        batch: list[Item] = []
        skipped: list[Item] = []
        while queue and len(batch) < self._room(batch):
            item = queue.popleft()
            if item.answer.done():
                continue
            if batch and not _can_share(batch, item):
                skipped.append(item)
                continue
            batch.append(item)
            self._taken(item.request)
            if item.failures:
                break
        queue.extendleft(reversed(skipped))
        return batch

    def _room(self, batch: Sequence[Item]) -> int:
        if not batch or not batch[0].request.large:
            return self.size
        beam = batch[0].content.get("beam") or BEAM
        return max(1, min(self.size, self.bulk * BEAM // beam))  # the time of an item grows with its beam

    def _taken(self, request: Request) -> None:
        request.waiting -= 1
        if not request.waiting:
            self._requests.discard(request)


def _can_share(batch: Sequence[Item], item: Item) -> bool:
    """Return whether an item has the beam of a batch and would not make the others wait for a long text."""
    if item.failures or item.content.get("beam") != batch[0].content.get("beam"):
        return False
    longest = max(len(one.content.get("text", "")) for one in (*batch, item))
    return (len(batch) + 1) * longest**2 <= MOST_WORK
