"""A server in a container starts as many workers as the container may use cores."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sau_solver.server.cores import usable_cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)


@pytest.mark.parametrize(
    ("limit", "cores"),
    [
        ("max 100000", 8),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("10000 100000", 1),
        ("9900000 100000", 8),
        ("", 8),
    ],
)
def test_the_limit_of_a_container_counts(limit: str, cores: int, tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text(f"{limit}\n")
    assert usable_cores(tmp_path) == cores


@pytest.mark.parametrize(("quota", "cores"), [("-1", 8), ("300000", 3)])
def test_the_limit_of_an_old_container_counts(quota: str, cores: int, tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(f"{quota}\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert usable_cores(tmp_path) == cores


def test_without_a_container_the_cores_of_the_process_count(tmp_path: Path) -> None:
    assert usable_cores(tmp_path / "none") == 8
