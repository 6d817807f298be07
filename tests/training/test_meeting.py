"""Processes of one training meet within a limited time; after that they may wait for each other much longer."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.training.launching import environments

pytestmark = pytest.mark.slow

PROGRAM = """
import os, sys, time
from datetime import timedelta
from sau_solver.errors import ProcessLostError
from sau_solver.training import processes

processes._MEETING_TIME = processes._CONNECTING_TIME = timedelta(seconds={seconds})
own = processes.Processes.launched()
met = processes.part_of_this_start

def vanish(store, rank, size):
    met(store, rank, size)
    os._exit(0)

if {vanishes} and not own.first:
    processes.part_of_this_start = vanish
try:
    with own.connected():
        if not own.first:
            time.sleep({seconds} + 1)
        print(own.agreed(lambda: "together"))
except ProcessLostError as error:
    print(error)
"""


def said(started: int, seconds: int, vanishes: bool = False) -> list[str]:
    """Return what the first `started` of two processes print."""
    program = PROGRAM.format(seconds=seconds, vanishes=vanishes)
    with environments(2) as both:
        running = [
            subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=one)
            for one in both[:started]
        ]
        return [process.communicate(timeout=240)[0].strip() for process in running]


def test_values_may_take_longer_than_meeting() -> None:
    assert said(2, 12) == ["together"] * 2


@pytest.mark.parametrize(("started", "vanishes"), [(1, False), (2, True)])
def test_a_process_that_is_not_met_is_reported(started: int, vanishes: bool) -> None:
    first, *_ = said(started, 4, vanishes)
    assert first.startswith("Another process has ended or cannot be reached")
