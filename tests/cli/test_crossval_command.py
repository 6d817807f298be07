"""`sau crossval` as users see it: one line and one result per run, and runs that are killed and started again."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from benchmarks.kill_rounds import after_progress
from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.experiments.results import ResultStore
from tests.cli.progress_lines import without_progress
from tests.commands import Command

pytestmark = pytest.mark.slow

LINES = [
    {"id": str(k), "text": f"{name} has {k + 12} pears and buys {k + 3} more pears. How many pears has {name}?",
     "equations": [f"x={k + 12}+{k + 3}"], "answers": [str(2 * k + 15)]}
    for k, name in enumerate(("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Joe"))
]  # fmt: skip
CORPUS = """
[toy]
title = "Toy"
language = "en"
format = "sau"
problems = 10
license = "none"
citation = "none"
notes = "none"
files = ["toy.jsonl"]
folds = "contiguous"
"""
CONFIG = """
[experiment]
name = "NAME"
corpus = "toy"
model = "MODEL"
folds = [0, 1]
seeds = [3, 4]
"""
NETWORK = """
[sau]
embedding = 6
hidden = 8
minimum_word_count = 1

[training]
epochs = 10
batch = 2
device = "cpu"
checkpoint_seconds = 0
"""
RUNS = ["fold0-seed3", "fold1-seed3", "fold0-seed4", "fold1-seed4"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corpora.toml").write_text(CORPUS, encoding="utf-8")
    text = "".join(json.dumps(line) + "\n" for line in LINES)
    (tmp_path / "data" / "toy.jsonl").write_text(text, encoding="utf-8")
    for name, model, more in (("net", "sau", NETWORK), ("near", "retrieval", "")):
        config = CONFIG.replace("NAME", name).replace("MODEL", model) + more
        (tmp_path / f"{name}.toml").write_text(config, encoding="utf-8")
    return tmp_path


def start(folder: Path, *arguments: str) -> Command:
    environment = os.environ | {"SAU_DATA": str(folder / "data")}
    return Command("crossval", *arguments, folder=folder, environment=environment)


def crossval(folder: Path, *arguments: str) -> tuple[str, list[str]]:
    """Return the output, and the lines about the runs."""
    with start(folder, *arguments) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    return out, without_progress(err).splitlines()


def files(results: Path) -> list[str]:
    """Return the names of all files but the lock."""
    return sorted(path.name for path in results.iterdir() if path.name != ".lock")


def test_every_fold_and_seed_has_one_result_with_everything_that_it_came_from(folder: Path) -> None:
    crossval(folder, "net.toml", "--set", "training.epochs=2")
    assert files(folder / "results") == ["net.figures.jsonl.bz2", "net.json", "net.predictions.jsonl.bz2"]
    store = ResultStore(folder / "results", "net")
    results = store.runs()
    assert [result.name for result in results] == RUNS
    for result in results:
        assert result.problems == 2
        assert result.config["sau"]["hidden"] == 8
        assert result.config["training"]["epochs"] == 2
        assert len(result.fingerprint) == 64
        assert result.versions.keys() >= {"sau-solver", "source", "python", "torch"}
        assert result.metrics.keys() >= set(PROTOCOLS)
        assert [one.id for one in store.predictions(result)] == [str(2 * result.fold), str(2 * result.fold + 1)]
        assert [one.epoch for one in store.epochs(result)] == [1, 2]
    assert not any((folder / "runs").iterdir())  # nothing is left to resume from


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_run_has_one_line_and_is_not_repeated(folder: Path, jobs: str) -> None:
    _, lines = crossval(folder, "near.toml", "--jobs", jobs)
    assert sorted(line.split(":")[0] for line in lines) == sorted(f"near/{run}" for run in RUNS)
    assert all("100.00 % reference, 0 s (" in line for line in lines)
    before = {name: (folder / "results" / name).stat().st_mtime_ns for name in files(folder / "results")}
    _, again = crossval(folder, "near.toml", "--jobs", jobs)
    assert again == [f"near/{run}: 100.00 % reference, already done" for run in RUNS]
    assert {name: (folder / "results" / name).stat().st_mtime_ns for name in files(folder / "results")} == before


def test_what_was_missing_after_a_kill_is_done_and_nothing_else(folder: Path) -> None:
    def saved(run: str) -> list[Path]:
        return list((folder / "runs" / "net" / run / "checkpoints").glob("epoch-*"))

    with start(folder, "net.toml") as process:
        after_progress(lambda: bool(saved(RUNS[1])), 0)(process)
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    store = ResultStore(folder / "results", "net")
    (finished,) = store.runs()
    assert finished.name == RUNS[0]
    begun = max(saved(RUNS[1]))

    _, lines = crossval(folder, "net.toml")
    assert lines[0] == f"net/{RUNS[0]}: {lines[0].split(': ')[1]}"
    assert lines[0].endswith("already done")
    assert [line.split(":")[0] for line in lines] == [f"net/{run}" for run in RUNS]
    assert store.runs()[0] == finished  # seconds included: it was not done again

    crossval(folder, "net.toml", "--results", "whole", "--checkpoints", "elsewhere")
    assert begun.name >= "epoch-0001"
    for name in ("net.predictions.jsonl.bz2", "net.figures.jsonl.bz2"):
        assert (folder / "results" / name).read_bytes() == (folder / "whole" / name).read_bytes()
    for run in store.runs():
        assert [one.epoch for one in store.epochs(run)] == list(range(1, 11))


def test_the_checkpoints_of_a_run_that_was_killed_after_it_was_stored_are_removed(folder: Path) -> None:
    short = ("--set", "training.epochs=2", "--set", "experiment.seeds=[3]")
    crossval(folder, "net.toml", *short)
    killed, deleted = folder / "runs" / "net" / RUNS[0], folder / "runs" / "net" / f".{RUNS[1]}.deleting"
    trained = folder / "runs" / "net" / RUNS[2]  # what `sau train` was doing
    for path in (killed / "checkpoints", deleted, trained / "checkpoints"):
        path.mkdir(parents=True)
    (killed / "curve.jsonl").touch()
    crossval(folder, "net.toml", *short)
    assert [path.name for path in (folder / "runs" / "net").iterdir()] == [RUNS[2]]


def test_processes_train_what_one_process_does(folder: Path) -> None:
    crossval(folder, "net.toml", "--set", "training.epochs=3")
    crossval(folder, "net.toml", "--set", "training.epochs=3", "--jobs", "2", "--results", "side-by-side")
    for name in ("net.predictions.jsonl.bz2", "net.figures.jsonl.bz2"):
        assert (folder / "results" / name).read_bytes() == (folder / "side-by-side" / name).read_bytes()
