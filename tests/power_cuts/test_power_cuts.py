"""After a power cut at any moment, the same command ends with the bytes of an uninterrupted run."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.kill_rounds import contents, different
from tests import commands
from tests.cli.small_jobs import NAMES, command_of
from tests.power_cuts.recorded_changes import COMPILER, Change, library, record
from tests.power_cuts.simulated_disk import Disk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(COMPILER is None, reason="no C compiler"),
    pytest.mark.xdist_group("power cuts"),
]

CUTS = 4  # of each job
LUCKY = (0.0, 0.5, 0.9)  # chances of a change that was not synchronized


@dataclass(frozen=True)
class Recorded:
    """A job that ran to its end under the recorder."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    before: str
    folder: Path
    changes: list[Change]

    def resume(self, folder: Path) -> None:
        done = commands.sau(*self.arguments, folder=folder, environment=self.environment, before=self.before)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", params=NAMES)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    root = tmp_path_factory.mktemp("power")
    inputs, folder = root / "inputs", root / "whole"
    folder.mkdir()
    arguments, job, before = command_of(request.param, inputs)
    environment = {**os.environ, **job.environment}
    found = record(library(tmp_path_factory.getbasetemp()), arguments, folder, job.environment, before)
    return Recorded(request.param, arguments, environment, before, folder, found)


def test_results_of_a_finished_command_survive_without_luck(recorded: Recorded, tmp_path: Path) -> None:
    disk = Disk()
    disk.perform(recorded.changes)
    disk.write_after_cut(tmp_path / "cut", random.Random(0), lucky=0.0)
    whole, left = contents(recorded.folder), contents(tmp_path / "cut")
    assert whole
    assert {path: content for path, content in left.items() if path in whole} == whole


@pytest.mark.parametrize("number", range(CUTS))
def test_a_run_after_a_power_cut_writes_the_bytes_of_an_uninterrupted_one(
    recorded: Recorded, tmp_path: Path, number: int
) -> None:
    draw = random.Random(f"{recorded.name} {number}")
    disk = Disk()
    disk.perform(recorded.changes[: draw.randrange(len(recorded.changes))])
    disk.write_after_cut(tmp_path / "cut", draw, draw.choice(LUCKY))
    recorded.resume(tmp_path / "cut")
    assert different(contents(recorded.folder), contents(tmp_path / "cut")) == []


def test_the_disk_forgets_what_was_not_synchronized(tmp_path: Path) -> None:
    changes = [
        Change("M", "a", "", 0, b""),
        Change("C", "a/kept", "", 0, b""),
        Change("W", "a/kept", "", 0, b"old"),
        Change("S", "a/kept", "", 0, b""),
        Change("S", "a", "", 0, b""),
        Change("S", ".", "", 0, b""),
        Change("W", "a/kept", "", 0, b"new"),
        Change("C", "a/lost", "", 0, b""),
        Change("S", "a/lost", "", 0, b""),
    ]
    disk = Disk()
    disk.perform(changes)
    disk.write_after_cut(tmp_path / "cut", random.Random(0), lucky=0.0)
    assert contents(tmp_path / "cut") == {"a/kept": b"old"}
    disk.write_after_cut(tmp_path / "lucky", random.Random(0), lucky=1.0)
    assert contents(tmp_path / "lucky") == {"a/kept": b"new", "a/lost": b""}


def test_sectors_that_did_not_arrive_are_zeros(tmp_path: Path) -> None:
    disk = Disk()
    disk.perform([Change("C", "a", "", 0, b""), Change("S", ".", "", 0, b""), Change("W", "a", "", 0, b"x" * 4096)])
    seen = set()
    for seed in range(20):
        disk.write_after_cut(tmp_path / str(seed), random.Random(seed), lucky=0.5)
        seen.add((tmp_path / str(seed) / "a").read_bytes())
    assert len(seen) > 10
    assert all(set(content) <= set(b"x\0") for content in seen)
