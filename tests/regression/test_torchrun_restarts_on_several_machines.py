"""torchrun starts processes again with the store of those that have ended, also if machines count restarts differently.

The new processes read the addresses of the old ones from it and waited for them forever.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

pytest.importorskip("torch.distributed")

from sau_solver.training.processes import part_of_this_start

SIZE = 3
TIMEOUT = timedelta(seconds=60)


def store(port: int = 0) -> Any:
    from torch.distributed import TCPStore  # type: ignore[attr-defined]

    return TCPStore("127.0.0.1", port, is_master=not port, timeout=TIMEOUT)


def start(port: int) -> list[tuple[bool, bytes]]:
    """Return for each process whether a key was known at the start, and what one of them then writes under it."""
    ready = threading.Barrier(SIZE)

    def process(rank: int) -> tuple[bool, bytes]:
        own = part_of_this_start(store(port), rank, SIZE)
        known = own.check(["address"])
        ready.wait(TIMEOUT.total_seconds())
        if rank == 1:
            own.set("address", "here")
        return known, own.get("address")

    with ThreadPoolExecutor(SIZE) as pool:
        return list(pool.map(process, range(SIZE)))


def test_every_start_has_a_part_of_the_store_of_its_own() -> None:
    kept = store()
    for _ in range(3):
        assert start(kept.port) == [(False, b"here")] * SIZE


def test_processes_that_ended_before_they_met_leave_nothing_behind() -> None:
    kept = store()
    for rank in range(1, SIZE):
        kept.set(f"here/{rank}", "the name of a process that has ended")
    assert start(kept.port) == [(False, b"here")] * SIZE
