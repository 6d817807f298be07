"""One round of every fault of benchmarks/faults.py on one server: no request is lost or gets a wrong answer."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.fault_load import Tally, equation, single
from benchmarks.fault_victim import Victim
from benchmarks.faults import FAULTS, Report, inject_into, row

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="faults are made with prlimit and /proc")


Inject = Callable[[str], Report]


@pytest.fixture(scope="module")
def injected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inject]:
    """Inject one fault after the other into one server."""
    victim = Victim(light=True, folder=tmp_path_factory.mktemp("faults"), fake_clock=True)

    def close() -> None:
        runner.run(victim.__aexit__(None, None, None))
        runner.close()

    # A thread of its own: the tests of the page leave an event loop running in this one.
    with ThreadPoolExecutor(1) as threads:
        runner = asyncio.Runner()
        threads.submit(runner.run, victim.__aenter__()).result()
        yield lambda name: threads.submit(runner.run, inject_into(victim, name, rounds=1)).result()
        threads.submit(close).result()


@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_no_answer(injected: Inject, name: str) -> None:
    report = injected(name)
    assert report.problems() == []
    assert report.tally.outcomes["right"] > 0
    assert (len(report.recovery), report.effective) == (1, 1)


def test_an_answer_to_another_request_is_wrong() -> None:
    first, second = single(), single()
    answer = {"answers": first.answers, "problem": first.body["text"]}
    assert first.right(answer)
    assert not second.right(answer)
    assert not first.right(answer | {"answers": ["0"]})
    assert equation().right({"roots": [{"x": "0"}]}) is False


def test_what_must_not_happen_is_reported() -> None:
    report = Report(Tally(), [0.5], effective=1)
    report.tally.outcomes.update(right=3, wrong=1, refused=1)
    assert report.problems() == ["wrong"]
    assert row("clock", report).startswith(
        "| clock set by an hour, a day or a year | 1 | 1 | 1 | 5 | 3 | 1 | 0 | 0 | 1 |"
    )
    report.torn, report.effective = 1, 0
    assert report.problems() == ["wrong", "log lines that are not JSON", "no effect in 1 rounds"]


def test_a_round_that_does_not_recover_is_reported_with_what_was_seen() -> None:
    report = Report(stuck=["NotRecoveredError: no answer"])
    assert report.problems()[-1] == "not recovered: NotRecoveredError: no answer"
    assert row("memory", report).startswith("| no memory for a worker | 1 | 0 | 0 |")
    assert row("memory", report).endswith("| never |")
