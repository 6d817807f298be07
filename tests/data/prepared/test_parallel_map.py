"""A parallel map gives the results of a plain loop, and starts processes only for a large mixture."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from sau_solver.data.prepared.parallel_map import LARGE, MOST, ParallelMap, processes_for


def with_process(added: int, item: int) -> tuple[int, int]:
    return added + item, os.getpid()


def test_a_small_mixture_is_prepared_in_this_process() -> None:
    assert processes_for(LARGE - 1) == 1
    with ParallelMap(1) as parallel:
        assert list(parallel.map(with_process, 10, range(3))) == [(n, os.getpid()) for n in (10, 11, 12)]


def test_one_process_works_only_on_what_is_taken() -> None:
    def reciprocal(_: None, item: int) -> float:
        return 1 / item

    assert list(islice(ParallelMap().map(reciprocal, None, (1, 2, 0)), 2)) == [1, 0.5]


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (6, 6), (200, MOST)])
def test_a_large_mixture_takes_the_cores_that_this_process_may_use(
    cores: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert processes_for(LARGE) == processes


@pytest.mark.slow
def test_other_processes_keep_the_order_of_the_items_and_each_state() -> None:
    with ParallelMap(2) as parallel:
        for added in (100, 200):
            found = list(parallel.map(with_process, added, range(50), together=3))
            assert [value for value, _ in found] == list(range(added, added + 50))
            assert os.getpid() not in {process for _, process in found}
