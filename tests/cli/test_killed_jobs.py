"""Jobs that are killed at random moments write what they write without a kill: a short form of benchmarks/kills.py."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from benchmarks.kill_rounds import Wait, after, contents, different, kill_and_resume
from tests.cli.small_jobs import NAMES, small_job

pytestmark = pytest.mark.slow

KILLS = 3
CHANGES = {"train": 12, "bulk": 3, "crossval": 12, "report": 8}  # from which the moments are drawn; a run has more


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_job_writes_the_bytes_of_an_uninterrupted_one(name: str, tmp_path: Path) -> None:
    job, draw = small_job(name, tmp_path), random.Random(f"kill {name}")
    folder = tmp_path / "killed"
    folder.mkdir()

    def moments() -> Iterator[Wait]:
        for _ in range(KILLS):
            yield after(draw.uniform(0.0, 0.4))

    kill_and_resume(partial(job.start, folder), moments())
    assert different(job.expected, contents(folder)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_kill_before_any_change_of_a_file_costs_nothing(name: str, tmp_path: Path) -> None:
    job, draw = small_job(name, tmp_path), random.Random(f"change {name}")
    folder = tmp_path / "killed"
    folder.mkdir()
    die = "from pathlib import Path\nfrom benchmarks.kill_rounds import die_before_change\n"
    kills = 0
    for _ in range(KILLS):
        code, printed = job.run(
            folder, f"{die}die_before_change({draw.randint(1, CHANGES[name])}, Path({str(folder)!r}))\n"
        )
        assert code in (0, -9), printed
        kills += code != 0
    assert kills
    assert job.run(folder)[0] == 0
    assert different(job.expected, contents(folder)) == []
