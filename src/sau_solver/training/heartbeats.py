"""Notice that another process is silent: its machine is off, or cannot be reached.

Processes that wait for one that has ended get an error from the operating system. If a whole machine is gone, nobody
tells them, and they would wait as long as for a process that computes. So every process writes to the common store
every few seconds. The first process watches all others, and they watch the first.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.distributed import Store  # type: ignore[attr-defined]

_BEAT = timedelta(seconds=5)
_SILENCE = timedelta(minutes=2)
_DONE = b"done"


@contextmanager
def heartbeats(store: Store, rank: int, size: int, on_silence: Callable[[str], None]) -> Iterator[None]:
    """Write heartbeats inside the block, and call `on_silence` with a message if those of another process stop.

    It is called in a thread, because this process may be waiting for the other one.
    """
    own = store.clone()  # type: ignore[attr-defined]  # the other connection may be waiting for an answer
    own.set(f"alive/{rank}", "0")
    exchange = _Exchange(own, rank, range(1, size) if rank == 0 else range(1))
    threads = [
        threading.Thread(target=exchange.run, daemon=True),
        threading.Thread(target=exchange.judge, args=(on_silence,), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        exchange.leaving.set()
    for thread in threads:
        thread.join(_SILENCE.total_seconds())
    with suppress(RuntimeError):  # the work is done, whatever has become of the others
        own.set(f"alive/{rank}", _DONE.decode())


class _Exchange:
    """The heartbeats of this process and of those that it watches."""

    def __init__(self, store: Store, rank: int, watched: range) -> None:
        self.leaving = threading.Event()
        self._store, self._rank, self._watched = store, rank, watched
        self._answered = time.monotonic()  # when the store last answered
        self._heard = dict.fromkeys(watched, b"")
        self._since = dict.fromkeys(watched, self._answered)

    def run(self) -> None:
        """Write and read heartbeats until this process leaves, or the store is lost."""
        with suppress(RuntimeError):
            for beat in itertools.count(1):
                self._store.set(f"alive/{self._rank}", str(beat))
                for other in self._watched:
                    if (heard := self._store.get(f"alive/{other}")) != self._heard[other]:
                        self._heard[other], self._since[other] = heard, time.monotonic()
                self._answered = time.monotonic()
                if self.leaving.wait(_BEAT.total_seconds()):
                    return

    def judge(self, on_silence: Callable[[str], None]) -> None:
        """Report the first silence. This takes a thread of its own: a call to a lost store may never return."""
        while not self.leaving.wait(_BEAT.total_seconds()):
            if message := self._silence():
                on_silence(message)
                return

    def _silence(self) -> str:
        """Return who has been silent for too long, or an empty string."""
        longest = time.monotonic() - _SILENCE.total_seconds()
        if self._answered < longest:
            return "The machine through which the processes meet cannot be reached."
        for other in self._watched:
            if self._heard[other] != _DONE and self._since[other] < longest:
                return f"Rank {other} does not answer any more. Its machine may be off, or cannot be reached."
        return ""
