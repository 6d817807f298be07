"""Cross-validation on a Ray cluster has the results of a local one, whatever is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.test_crossval_command import CONFIG, CORPUS, LINES, NETWORK, RUNS
from tests.cluster.conftest import LOSSES, SECONDS, Nodes, started
from tests.commands import Command, sau

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# A network that waits after a checkpoint while there is a file `shut`: what is killed meanwhile is in the middle.
GATED = """
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sau_solver.models.options import SauOptions
from sau_solver.training.trainer import Trainer


@dataclass(frozen=True, slots=True)
class GatedOptions(SauOptions):
    model: ClassVar[str] = "gated"


save = Trainer._save


def save_and_wait(self):
    save(self)
    while Path(__file__).with_name("shut").exists():
        time.sleep(0.05)


Trainer._save = save_and_wait
"""
STORED = ("net.predictions.jsonl.bz2", "net.figures.jsonl.bz2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus, an experiment of four runs, and its results by the local engine in `local`."""
    folder = tmp_path_factory.mktemp("crossval")
    (folder / "data").mkdir()
    (folder / "data" / "corpora.toml").write_text(CORPUS, encoding="utf-8")
    text = "".join(json.dumps(line) + "\n" for line in LINES)
    (folder / "data" / "toy.jsonl").write_text(text, encoding="utf-8")
    config = CONFIG.replace("NAME", "net").replace("MODEL", 'gated"\nfile = "gated.py') + NETWORK
    (folder / "net.toml").write_text(config.replace("[sau]", "[gated]"), encoding="utf-8")
    (folder / "gated.py").write_text(GATED, encoding="utf-8")
    done = sau("crossval", "net.toml", "--results", "local", folder=folder, environment=environment(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def gate(folder: Path) -> Iterator[Path]:
    """The file that makes runs wait; a test that fails leaves none waiting."""
    shut = folder / "shut"
    shut.touch()
    yield shut
    shut.unlink(missing_ok=True)


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"SAU_DATA": str(folder / "data")}


def crossval(nodes: Nodes, folder: Path, own: Path) -> Command:
    """Start the experiment; results and checkpoints go to a folder of their own."""
    options = ("net.toml", "--results", str(own / "results"), "--checkpoints", str(own / "runs"))
    return started(nodes, folder, "crossval", *options, environment=environment(folder))


def report(folder: Path, results: Path) -> str:
    done = sau("report", "--results", str(results), "--json", folder=folder, environment=environment(folder))
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_equal(results: Path, local: Path) -> None:
    """Compare all but the time that runs took and the commit of this checkout."""
    for name in STORED:
        assert (results / name).read_bytes() == (local / name).read_bytes(), name
    ours, theirs = (json.loads((one / "net.json").read_text())["runs"] for one in (results, local))
    other = {"seconds", "seconds_by_stage", "versions"}
    for own, expected in zip(ours, theirs, strict=True):
        assert {key: own[key] for key in own.keys() - other} == {key: expected[key] for key in own.keys() - other}
    assert report(local.parent, results) == report(local.parent, local)


def begun(checkpoints: Path) -> bool:
    """Return whether a run has written a checkpoint; old ones are deleted meanwhile."""
    with suppress(OSError):
        return any(path.name.startswith("epoch-") for path in checkpoints.iterdir())
    return False


def until_training(nodes: Nodes, own: Path, command: Command) -> None:
    """Wait until two runs have written checkpoints; the gate keeps them from going on."""
    end = time.monotonic() + SECONDS
    runs = [own / "runs" / "net" / run / "checkpoints" for run in RUNS]
    while sum(map(begun, runs)) < 2 or not nodes.busy():
        assert command.poll() is None, command.communicate()
        assert time.monotonic() < end, "it does not begin"
        time.sleep(0.01)


@pytest.mark.kills
@pytest.mark.parametrize("lost", LOSSES)
def test_results_are_those_of_a_local_run_in_spite_of_a_lost(
    lost: str, nodes: Nodes, folder: Path, gate: Path, tmp_path: Path
) -> None:
    with crossval(nodes, folder, tmp_path) as command:
        until_training(nodes, tmp_path, command)
        LOSSES[lost](nodes)
        gate.unlink()
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    told = sorted(line.partition(":")[0] for line in messages.splitlines() if line.startswith("net/"))
    assert told == sorted(f"net/{run}" for run in RUNS)  # each once
    assert_equal(tmp_path / "results", folder / "local")
    assert not list((tmp_path / "runs").iterdir())  # nothing is left to resume from


@pytest.mark.kills
def test_a_killed_driver_is_continued_by_the_same_command(
    nodes: Nodes, folder: Path, gate: Path, tmp_path: Path
) -> None:
    with crossval(nodes, folder, tmp_path) as command:
        until_training(nodes, tmp_path, command)
        command.kill()
        gate.unlink()
        command.communicate()
    assert command.returncode == -signal.SIGKILL
    with crossval(nodes, folder, tmp_path) as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert_equal(tmp_path / "results", folder / "local")
