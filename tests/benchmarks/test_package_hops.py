"""A solve goes from package to package like a relay: few changes, so that it can be followed."""

from __future__ import annotations

from itertools import pairwise

import pytest

import sau_solver
from benchmarks.package_hops import PROBLEM, trace

MOST = 40  # package switches of one solve


@pytest.mark.slow
def test_one_solve_changes_packages_rarely() -> None:
    solver = sau_solver.load("en")
    solver.solve(PROBLEM)
    calls = trace(lambda: solver.solve(PROBLEM))
    switches = [(before, after) for before, after in pairwise(calls) if before.package != after.package]
    assert 10 < len(switches) <= MOST
