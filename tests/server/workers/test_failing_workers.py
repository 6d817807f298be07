"""Workers die, hang and fail; every request still gets its answer, and the worker is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sau_solver.server.metrics import Metrics
from sau_solver.server.refusals import Refusal
from sau_solver.server.settings import Settings
from sau_solver.server.workers.batching import Lane
from sau_solver.server.workers.pool import Pool
from sau_solver.server.workers.process import Answer, NotAskedError, WorkerError, WorkerProcess
from sau_solver.server.workers.waiting import Waiting
from tests import by_heart
from tests.server.running import SCRIPTED, Running, pids_of, running


def test_requests_that_come_together_are_solved_in_one_batch(tmp_path: Path) -> None:
    with running() as server:
        working = server.blocked(tmp_path / "gate")
        others = [server.later(by_heart.pens(held, 2)) for held in range(2, 10)]
        server.until("sau_requests_waiting", 8, lane="solve")
        (tmp_path / "gate").touch()
        assert [one.result().json()["answers"] for one in others] == [[str(2 * held)] for held in range(2, 10)]
        assert working.result().status_code == 200
        assert server.metric("sau_batch_size_count", lane="solve") == 2
        assert server.metric("sau_batch_size_sum", lane="solve") == 9


def test_a_free_worker_waits_for_a_batch_to_fill() -> None:
    with running(batch_wait=1.0) as server:
        both = [server.later(by_heart.pens(held, 2)) for held in (3, 4)]
        assert [one.result().json()["answers"] for one in both] == [["6"], ["8"]]
        assert server.metric("sau_batch_size_count", lane="solve") == 1


def test_problems_of_different_beams_are_not_in_one_batch() -> None:
    with running(batch_wait=1.0) as server:
        both = [server.later(by_heart.pens(3, 2), beam=beam) for beam in (1, 2)]
        assert [one.result().status_code for one in both] == [200, 200]
        assert server.metric("sau_batch_size_count", lane="solve") == 2


def test_the_event_loop_answers_while_every_worker_is_busy(tmp_path: Path) -> None:
    with running() as server:
        working = server.blocked(tmp_path / "gate")
        assert server.client.get("/healthz").json()["status"] == "ok"
        assert server.client.post("/v1/equation", json={"equations": "x+1=3"}).json()["roots"] == [{"x": "2"}]
        assert not working.done()
        (tmp_path / "gate").touch()
        assert working.result().status_code == 200


def test_a_request_whose_worker_ended_is_answered_by_the_next(server: Running, tmp_path: Path) -> None:
    replaced = server.metric("sau_workers_replaced_total", lane="solve")
    assert server.solve(f"die once {tmp_path / 'died'}").json()["answers"] == ["7"]
    assert server.metric("sau_workers_replaced_total", lane="solve") == replaced + 1


def test_a_request_that_kills_every_worker_affects_no_other(tmp_path: Path) -> None:
    with running() as server:
        working = server.blocked(tmp_path / "gate")
        texts = [by_heart.pens(3, 2), "die", by_heart.pens(4, 2)]
        asked = [server.later(text) for text in texts]
        server.until("sau_requests_waiting", 3, lane="solve")
        (tmp_path / "gate").touch()
        answers = [one.result() for one in asked]
        assert [one.status_code for one in answers] == [200, 500, 200]
        assert answers[1].json()["error"] == "failed"
        assert working.result().status_code == 200


def test_a_problem_that_fails_in_a_batch_affects_no_other(server: Running) -> None:
    before = server.metric("sau_workers_replaced_total", lane="solve")
    texts = [by_heart.pens(3, 2), "raise", by_heart.pens(4, 2)]
    found = server.client.post("/v1/solve/batch", json={"texts": texts}).json()["results"]
    assert [one.get("answers", one.get("error")) for one in found] == [["6"], "failed", ["8"]]
    assert server.metric("sau_workers_replaced_total", lane="solve") == before


@pytest.mark.parametrize("lane", ["solve", "equation"])
def test_an_idle_worker_that_is_killed_is_replaced(lane: str) -> None:
    with running() as server:
        (pid,) = pids_of(server.pool.solving) if lane == "solve" else pids_of(server.pool.exact)
        os.kill(pid, signal.SIGKILL)
        server.until("sau_workers_replaced_total", 1, lane=lane)
        server.until("sau_workers_ready", 1, lane=lane)
        assert server.solve(by_heart.GARDEN).json()["answers"] == ["7"]
        assert server.client.post("/v1/equation", json={"equations": "x+1=3"}).status_code == 200


@pytest.mark.parametrize("busy", [True, False])
def test_a_worker_that_is_stopped_is_replaced_before_the_deadline(busy: bool, tmp_path: Path) -> None:
    with running(request_seconds=60) as server:
        (pid,) = pids_of(server.pool.solving)
        working = [server.blocked(tmp_path / "gate")] if busy else []
        (tmp_path / "gate").touch()
        os.kill(pid, signal.SIGSTOP)
        working += [server.later(by_heart.GARDEN)]
        assert [one.result().json()["answers"] for one in working] == [["7"]] * len(working)
        assert pids_of(server.pool.solving) != [pid]


def test_a_worker_without_memory_is_replaced_and_its_problem_is_solved(server: Running, tmp_path: Path) -> None:
    replaced = server.metric("sau_workers_replaced_total", lane="solve")
    assert server.solve(f"starve once {tmp_path / 'starved'}").json()["answers"] == ["7"]
    assert server.metric("sau_workers_replaced_total", lane="solve") == replaced + 1


def test_a_request_waits_for_the_replacement_of_its_killed_worker(tmp_path: Path) -> None:
    with running(workers=2) as server:
        working = [server.blocked(tmp_path / "gate") for _ in range(2)]
        (tmp_path / "gate").touch()
        for pid in pids_of(server.pool.solving):
            os.kill(pid, signal.SIGKILL)
        assert [one.result().json()["answers"] for one in working] == [["7"], ["7"]]


def test_the_others_of_a_batch_are_answered_when_one_is_past_its_deadline(tmp_path: Path) -> None:
    async def solve(lane: Lane, text: str, seconds: float) -> int:
        item = {"text": text, "lang": None, "beam": 5, "explain": False, "field": "text"}
        try:
            return (await lane.submit([item], seconds))[0].status
        except Refusal as refusal:
            return refusal.status

    async def both() -> list[int]:
        async with Pool(Settings(workers=1, batch_wait=0.2), Metrics(), SCRIPTED) as pool:
            impatient = asyncio.create_task(solve(pool.solving, f"until {tmp_path / 'gate'}", 1.0))
            patient = asyncio.create_task(solve(pool.solving, by_heart.GARDEN, 60.0))
            first = await impatient
            (tmp_path / "gate").touch()
            return [first, await patient]

    # In another thread: the tests of the page leave an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, both()).result() == [504, 200]


def test_a_process_that_has_just_ended_can_be_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def kill() -> None:
        process = WorkerProcess((*SCRIPTED, "equation", "2", "4000"))
        await process.start()
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        monkeypatch.setattr(WorkerProcess, "pid", pid)  # as long as the event loop has not heard of it
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.01)
        process.kill()

    if not Path("/proc").exists():
        pytest.skip("this system does not show its processes")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, kill()).result()


class Mortal(WorkerProcess):
    """Dies of its first item, and records the number of waiting requests whenever it starts or is asked."""

    def __init__(self) -> None:
        super().__init__(())
        self.lane: Lane | None = None
        self.waiting: list[int] = []

    def _look(self) -> None:
        self.waiting += [] if self.lane is None else [self.lane.waiting]

    async def start(self) -> list[str]:
        self._look()
        return []

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        self._look()
        if len(self.waiting) == 1:
            raise WorkerError("It ended.")
        for place, _ in enumerate(items):
            yield place, Answer(200, b"")

    async def ended(self) -> None:
        await asyncio.Event().wait()


class Absent(Mortal):
    """Has ended whenever it is asked, three times."""

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        self._look()
        if len(self.waiting) < 6:  # looks when it is started and when it is asked
            raise NotAskedError("It ended before.")
        for place, _ in enumerate(items):
            yield place, Answer(200, b"")


class Faulty(Mortal):
    """Raises what nobody expects when it gets its first item."""

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        self._look()
        if len(self.waiting) == 1:
            raise ZeroDivisionError
        for place, _ in enumerate(items):
            yield place, Answer(200, b"")


@pytest.mark.parametrize("kind", [Absent, Faulty])
def test_a_worker_is_replaced_whatever_happens_and_its_items_are_not_lost(kind: type[Mortal]) -> None:
    async def answered() -> list[int]:
        process = kind()
        lane = Lane("solve", [process], Waiting(1, 1, most=9), wait=0.0, metrics=Metrics())
        await lane.start()
        process.lane = lane
        answers = await lane.submit([{}] * 3, 60.0)
        await lane.stop()
        return [answer.status for answer in answers]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, answered()).result() == [200, 200, 200]


@pytest.mark.parametrize(("parts", "waiting"), [(1, [0, 1, 0]), (2, [1, 1, 1, 0])])
def test_a_request_that_has_to_wait_for_another_worker_counts_as_waiting(parts: int, waiting: list[int]) -> None:
    async def seen() -> list[int]:
        process = Mortal()
        lane = Lane("solve", [process], Waiting(1, 1, most=9), wait=0.0, metrics=Metrics())
        await lane.start()
        process.lane = lane
        await lane.submit([{}] * parts, 60.0)
        assert lane.waiting == 0
        await lane.stop()
        return process.waiting

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, seen()).result() == waiting


def test_a_request_has_no_more_time_than_it_has_left() -> None:
    async def late() -> None:
        lane = Lane("solve", [], Waiting(1, 1, most=9), wait=0.0, metrics=Metrics())
        with pytest.raises(Refusal, match="within 60 s"):
            await lane.submit([{}], 60.0, spent=60.5)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, late()).result()


def test_health_says_so_while_no_worker_is_ready() -> None:
    with running() as server:
        os.kill(pids_of(server.pool.solving)[0], signal.SIGKILL)
        seen = set()
        for _ in range(2_000):
            found = server.client.get("/healthz")
            seen.add((found.status_code, found.json()["status"]))
            if len(seen) > 1 and found.status_code == 200:
                break
            threading.Event().wait(0.002)
        assert seen == {(200, "ok"), (503, "no_workers")}


def test_a_model_that_cannot_be_loaded_keeps_the_server_from_starting() -> None:
    with pytest.raises(WorkerError, match="The weights are broken"), running(model="broken"):
        pass
