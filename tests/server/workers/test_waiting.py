"""Single requests do not wait for batches, batches do not wait for single requests forever."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path

import httpx
import pytest

from sau_solver.server.workers.waiting import SMALL_REQUEST, Item, Request, Waiting
from tests import by_heart
from tests.server.running import running


def add(queue: Waiting, count: int, large: bool = False, beam: int = 5, length: int = 50) -> list[Item]:
    request = Request(large)
    loop = asyncio.new_event_loop()
    items = [Item({"beam": beam, "text": "x" * length}, 0.0, loop.create_future(), request) for _ in range(count)]
    loop.close()
    for item in items:
        queue.add(item)
    return items


def test_small_requests_share_a_batch_and_go_before_large_ones() -> None:
    queue = Waiting(size=8, bulk=2, most=9)
    large = add(queue, 6, large=True)
    small = add(queue, 1) + add(queue, 1)
    assert queue.take() == small
    assert queue.take() == large[:2]
    late = add(queue, 1)
    assert queue.take() == late
    assert queue.take() == large[2:4]
    assert queue.take() == large[4:]
    assert not queue
    assert queue.requests == 0


def test_a_long_text_does_not_make_short_ones_wait_in_its_batch() -> None:
    queue = Waiting(size=32, bulk=2, most=99)
    first, long, last = add(queue, 20), add(queue, 2, length=4_000), add(queue, 9)
    assert queue.take() == first + last
    assert [queue.take(), queue.take()] == [long[:1], long[1:]]
    assert not queue


def test_texts_share_a_batch_as_long_as_the_longest_is_not_too_much_work_for_all() -> None:
    queue = Waiting(size=32, bulk=2, most=99)
    middle = add(queue, 8, length=600)
    assert queue.take() == middle
    middle = add(queue, 9, length=600)
    assert [queue.take(), queue.take()] == [middle[:8], middle[8:]]
    usual = add(queue, 40, length=300)
    assert queue.take() == usual[:32]


def test_large_requests_get_a_third_while_small_ones_keep_coming() -> None:
    queue = Waiting(size=8, bulk=2, most=999)
    large = add(queue, 100, large=True)
    taken: list[Item] = []
    while len(taken) < 90:
        add(queue, 1)
        taken += queue.take()
    assert 28 <= len(set(taken) & set(large)) <= 32


def test_a_worker_that_small_requests_fill_owes_the_large_ones_their_share() -> None:
    queue = Waiting(size=8, bulk=2, most=999)
    large = add(queue, 100, large=True)
    for _ in range(400):
        add(queue, 1)
    taken = [item for _ in range(60) for item in queue.take()]
    share = len(set(taken) & set(large)) / len(taken)
    assert 0.3 <= share <= 0.36


def test_large_requests_are_answered_in_their_order() -> None:
    queue = Waiting(size=8, bulk=2, most=9)
    items = add(queue, 3, large=True) + add(queue, 3, large=True)
    assert [item for _ in range(3) for item in queue.take()] == items


@pytest.mark.parametrize(("beam", "count"), [(5, 4), (1, 8), (10, 2), (50, 1)])
def test_a_worker_takes_fewer_problems_of_a_batch_with_a_large_beam(beam: int, count: int) -> None:
    queue = Waiting(size=8, bulk=4, most=9)
    add(queue, 20, large=True, beam=beam)
    assert len(queue.take()) == count


def test_large_requests_leave_room_in_the_queue_for_others() -> None:
    queue = Waiting(size=8, bulk=2, most=4)
    for _ in range(2):
        assert not queue.full(large=True)
        add(queue, 9, large=True)
    assert queue.full(large=True)
    for _ in range(2):
        assert not queue.full(large=False)
        add(queue, 1)
    assert queue.full(large=False)


def test_only_small_requests_wait_for_a_batch_to_fill() -> None:
    queue = Waiting(size=2, bulk=2, most=9)
    add(queue, 5, large=True)
    assert queue.pause(wait=1.0, now=0.25) == 0
    add(queue, 1)
    assert queue.pause(wait=1.0, now=0.25) == 0.75
    add(queue, 1)
    assert queue.pause(wait=1.0, now=0.25) == 0


def test_a_single_request_overtakes_a_batch_that_is_being_solved(tmp_path: Path) -> None:
    gates = [tmp_path / str(number) for number in range(3 * SMALL_REQUEST)]
    with running(bulk_size=1) as server:
        batch: Future[httpx.Response] = Future()
        texts = [f"until {gate}" for gate in gates]

        def send() -> None:
            batch.set_result(httpx.post(f"{server.url}/v1/solve/batch", json={"texts": texts}, timeout=30))

        thread = threading.Thread(target=send)
        thread.start()
        server.until("sau_batch_size_count", 1, lane="solve")
        single = server.later(by_heart.pens(3, 2))
        server.until("sau_requests_waiting", 2, lane="solve")
        gates[0].touch()
        assert single.result().json()["answers"] == ["6"]
        assert not batch.done()
        for gate in gates:
            gate.touch()
        assert [one["answers"] for one in batch.result().json()["results"]] == [["7"]] * len(gates)
        thread.join()
