"""The local engine calls functions here or in several processes, in order, and reads only a little ahead."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from sau_solver.engines.engine import Place, Task, ahead, open_engine, packed, perform
from sau_solver.engines.local_engine import LocalEngine
from sau_solver.errors import InputError, WorkerLostError


def square(number: int) -> int:
    return number * number


def process(_: int) -> int:
    return os.getpid()


def refuse(number: int) -> int:
    raise InputError(f"{number} is refused.", "Give another.")


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


class Counting:
    """Counts its calls since it was unpickled."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, _: int) -> int:
        self.calls += 1
        return self.calls

    def __reduce__(self) -> tuple[type[Counting], tuple[()]]:
        return Counting, ()


def test_one_job_runs_in_this_process_and_reads_one_item_at_a_time() -> None:
    read: list[int] = []

    def items() -> Iterator[int]:
        for number in range(3):
            read.append(number)
            yield number

    with LocalEngine() as engine:
        results = engine.in_order(square, items())
        assert [next(results), next(results)] == [0, 1]
        assert read == [0, 1]
        assert list(engine.as_completed(process, [Task(1), Task(2)])) == [(0, os.getpid()), (1, os.getpid())]


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (3, 3)])
def test_no_more_items_are_submitted_than_the_limit_says(limit: int, most: int) -> None:
    open_items = [0, 0]  # now, and at most

    def submit(number: int) -> object:
        open_items[0] += 1
        open_items[1] = max(open_items)

        def wait() -> int:
            open_items[0] -= 1
            return number

        return wait

    assert list(ahead(submit, range(9), lambda: limit)) == list(range(9))  # type: ignore[arg-type]
    assert open_items == [0, most]


def test_a_function_is_unpickled_once_in_a_worker_and_keeps_what_it_has() -> None:
    function = packed(Counting(), None)
    items = [b"\x80\x04K\x01."] * 3  # the pickled number 1
    assert [perform(function, item) for item in items] == [1, 2, 3]


def test_a_node_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sau_solver.engines.engine.__version__", "0.0.1")
    function = packed(square, None)
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"must have sau-solver 0\.0\.1"):
        perform(function, b"\x80\x04K\x01.")


@pytest.mark.slow
def test_processes_give_results_in_order_and_raise_the_errors_of_jobs() -> None:
    told: list[str] = []
    with LocalEngine(jobs=2) as engine:
        assert list(engine.in_order(square, range(9))) == [number * number for number in range(9)]
        others = {pid for _, pid in engine.as_completed(process, [Task(number) for number in range(4)])}
        assert others
        assert os.getpid() not in others
        with engine.telling(told.append) as tell:
            assert dict(engine.as_completed(tell, [Task("a"), Task("b")])) == {0: None, 1: None}
        assert sorted(told) == ["a", "b"]
        with pytest.raises(InputError, match=r"3 is refused\. Give another\."):
            list(engine.in_order(refuse, [3]))
        with pytest.raises(WorkerLostError, match="Run the same command again"):
            list(engine.in_order(die, [1, 2]))


def test_a_place_says_what_is_wrong_with_it() -> None:
    with pytest.raises(InputError, match="jobs must be at least 1, got 0"):
        Place(jobs=0)
    with pytest.raises(InputError, match="--address is for --engine ray"):
        Place(address="auto")


def test_without_ray_the_engine_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install '\.\[scale\]'"):
        open_engine(Place("ray"))
