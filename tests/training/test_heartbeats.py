"""A process is told if another one, or the store through which they meet, does not answer any more."""

from __future__ import annotations

import queue
import time
from datetime import timedelta
from typing import Any

import pytest
import torch.distributed

from sau_solver.training import heartbeats as watching
from sau_solver.training.heartbeats import heartbeats

Stores = dict[str, Any]
WAIT = 120  # seconds; only a failing test waits so long


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_BEAT", timedelta(milliseconds=10))
    monkeypatch.setattr(watching, "_SILENCE", timedelta(seconds=1))


@pytest.fixture
def stores() -> Stores:
    """Return the store itself and the connection of a process on another machine."""
    meeting = torch.distributed.TCPStore  # type: ignore[attr-defined]
    both = {"server": meeting("127.0.0.1", 0, is_master=True, wait_for_workers=False)}
    return both | {"client": meeting("127.0.0.1", both["server"].port)}


@pytest.mark.parametrize(("rank", "silent"), [(0, 2), (1, 0)])
def test_a_process_that_becomes_silent_is_reported(stores: Stores, rank: int, silent: int) -> None:
    told: queue.Queue[str] = queue.Queue()
    for other in {0, 1, 2} - {rank, silent}:
        stores["server"].set(f"alive/{other}", "done")
    stores["server"].set(f"alive/{silent}", "7")
    with heartbeats(stores["client"], rank, 3, told.put):
        assert told.get(timeout=WAIT).startswith(f"Rank {silent} does not answer any more.")


def test_processes_that_leave_are_not_missed(stores: Stores) -> None:
    told: list[str] = []
    with heartbeats(stores["client"], 0, 2, told.append):
        with heartbeats(stores["client"], 1, 2, told.append):
            pass
        time.sleep(2)  # longer than the silence that would be reported
    assert told == []


def test_a_lost_store_is_reported(stores: Stores) -> None:
    told: queue.Queue[str] = queue.Queue()
    stores["server"].set("alive/1", "0")
    with heartbeats(stores["client"], 0, 2, told.put):
        del stores["server"]
        assert told.get(timeout=WAIT) == "The machine through which the processes meet cannot be reached."
