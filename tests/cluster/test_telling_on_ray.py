"""Messages of Ray tasks reach the driver, and tasks go on when the queue that keeps the messages is lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from sau_solver.engines.engine import Task
from sau_solver.engines.ray_engine import RayEngine
from tests.cluster.conftest import SECONDS, Nodes, children_of, command_of

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # of Ray, about its next version
]

QUEUE = "ray::_QueueActor"  # the process that keeps the messages


@pytest.fixture
def engine(nodes: Nodes) -> Iterator[RayEngine]:
    """The cluster, with this process as its driver."""
    with RayEngine(nodes.address) as running:
        yield running


def queues(nodes: Nodes) -> list[int]:
    """Return the processes that keep messages; on one machine, Ray gives the driver any of the nodes as its own."""
    raylets = [node.all_processes["raylet"][0].process.pid for node in (nodes.cluster.head_node, *nodes.workers)]
    return [pid for raylet in raylets for pid in children_of(raylet) if command_of(pid).startswith(QUEUE)]


def wait_until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def only(find: Callable[[], list[int]]) -> int:
    """Return the only process that is found; Ray writes the titles of processes anew, so it may take a moment."""
    found: list[int] = []

    def search() -> bool:
        found[:] = find()
        return len(found) == 1

    wait_until(search)
    return found[0]


def test_all_messages_of_tasks_arrive_while_others_run(nodes: Nodes, engine: RayEngine) -> None:
    told: list[str] = []
    with engine.telling(told.append) as tell:
        tell("driver")
        wait_until(lambda: told == ["driver"])
        assert dict(engine.as_completed(tell, [Task("a"), Task("b")])) == {0: None, 1: None}
        wait_until(lambda: len(told) == 3)  # without waiting for the end
        assert list(engine.in_order(tell, [str(number) for number in range(20)])) == [None] * 20
    assert sorted(told[1:3]) == ["a", "b"]
    assert sorted(told[3:], key=int) == [str(number) for number in range(20)]
    wait_until(lambda: queues(nodes) == [])


@pytest.mark.kills
def test_a_task_goes_on_without_the_queue(nodes: Nodes, engine: RayEngine) -> None:
    told: list[str] = []
    with engine.telling(told.append) as tell:
        assert dict(engine.as_completed(tell, [Task("before")])) == {0: None}
        wait_until(lambda: told == ["before"])
        os.kill(only(lambda: queues(nodes)), signal.SIGKILL)
        assert dict(engine.as_completed(tell, [Task("after"), Task("later")])) == {0: None, 1: None}
        assert list(engine.in_order(str, [5])) == ["5"]
    assert told == ["before"]
