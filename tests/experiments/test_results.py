"""Results are stored run by run in few files, whole or not at all, by several processes at a time."""

from __future__ import annotations

import bz2
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sau_solver.answering.candidates import UNFILLABLE
from sau_solver.errors import InputError
from sau_solver.experiments.figure_data import AttentionMap, Epoch
from sau_solver.experiments.judging import scores, shares_of_expressible
from sau_solver.experiments.results import ResultStore, RunResult
from tests.experiments.stored_results import judged, store

ROOT = Path(__file__).parents[2]
EPOCHS = [Epoch(k, 2 / k, 1 - 0.5 / k, 0.1, 1e-3) for k in (1, 2, 3)]
LOOK = AttentionMap("7", "decoder", ("鸡", "有", "20", "个"), ("=", "x", "20"), ((0.25,) * 4,) * 3)
ALIGNED = AttentionMap("7", "alignment", ("hens", "have", "20"), ("x=20",), ((0.1, 0.2, 0.7),), (0.5,))


def test_what_is_stored_is_read_back(results: Path) -> None:
    problems = [judged("鸡\u2028兔", True), judged("b", False, log_probability=math.nan)]
    problems[1] = replace(problems[1], expressible=False)
    store(results, "net", problems, fold=1, figures=[*EPOCHS, LOOK, ALIGNED])
    store(results, "net", [judged("c", True)], fold=0)
    files = ResultStore(results, "net")
    first, second = files.runs()
    assert (first.name, second.name) == ("fold0-seed0", "fold1-seed0")
    assert [one.id for one in files.predictions(first)] == ["c"]
    assert files.predictions(second) == problems
    assert (files.epochs(second), files.attention(second)) == (EPOCHS, [LOOK, ALIGNED])
    assert (files.epochs(first), files.attention(first)) == ([], [])


def test_a_result_that_was_stored_before_the_metric_first_gets_it_from_its_predictions(results: Path) -> None:
    store(results, "net", [judged("a", True), judged("b", False)])
    files = ResultStore(results, "net")
    stored = files.runs()
    content = json.loads(files.path.read_text(encoding="utf-8"))
    del content["runs"][0]["metrics"]["first"]
    files.path.write_text(json.dumps(content), encoding="utf-8")
    assert files.runs() == stored
    assert stored[0].metrics["first"] == 0.5


def test_an_output_that_is_no_tree_is_stored(results: Path) -> None:
    one = judged("a", False)
    (candidate,) = one.candidates
    broken = replace(candidate, tree=UNFILLABLE, outcome="unreadable", unreadable="x = ( N0")
    store(results, "net", [replace(one, candidates=(broken, candidate))])
    files = ResultStore(results, "net")
    assert files.predictions(files.runs()[0])[0].candidates == (broken, candidate)


def test_files_have_equal_bytes_in_whatever_order_runs_end(results: Path, tmp_path: Path) -> None:
    for folder, order in ((results, (0, 1, 2)), (tmp_path / "other", (2, 0, 1))):
        for fold in order:
            store(folder, "net", [judged(f"{fold}", True)], fold=fold, figures=EPOCHS)
    for path in (ResultStore(results, "net").path, *results.glob("*.bz2")):
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()


def test_a_run_that_is_done_again_replaces_the_old_one(results: Path) -> None:
    store(results, "net", [judged("a", True)], figures=EPOCHS)
    store(results, "net", [judged("b", True)], fold=1)
    store(results, "net", [judged("a", False)])
    files = ResultStore(results, "net")
    assert [run.metrics["answer"] for run in files.runs()] == [0, 1]
    assert all(map(files.is_complete, files.runs()))
    assert not files.figures_path.exists()  # nothing is left in it


def test_an_experiment_without_files_has_no_runs(results: Path) -> None:
    assert ResultStore(results, "none").runs() == []


@pytest.mark.parametrize(
    ("content", "complaint"), [('{"schema": 3}', "must have schema 4, got 3"), ("{", "not a result file")]
)
def test_a_file_that_is_no_result_is_named(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"a\.json .*{complaint}|a\.json is {complaint}"):
        ResultStore(tmp_path, "a").runs()


@pytest.mark.parametrize("content", [b"{", bz2.compress(b'{"id": 1}\n'), bz2.compress(b"[]\n")])
def test_damaged_predictions_are_noticed(results: Path, content: bytes) -> None:
    store(results, "net", [judged("a", True)])
    files = ResultStore(results, "net")
    files.predictions_path.write_bytes(content)
    (run,) = files.runs()
    assert not files.is_complete(run)
    with pytest.raises(InputError, match=r"net\.predictions\.jsonl\.bz2"):
        files.predictions(run)


WRITER = """
import sys
from pathlib import Path
from typing import Any
from tests.experiments.stored_results import judged, store
for seed in range(int(sys.argv[3])):
    problems = [judged(f"{seed}-{k}", k % 2 == 0) for k in range(200)]
    store(Path(sys.argv[1]), "net", problems, fold=int(sys.argv[2]), seed=seed)
"""


def writer(results: Path, fold: int, seeds: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.Popen([sys.executable, "-c", WRITER, str(results), str(fold), str(seeds)], env=environment)


@pytest.mark.slow
def test_processes_that_add_runs_at_the_same_time_lose_none(results: Path) -> None:
    writers = [writer(results, fold, 6) for fold in range(3)]
    assert [process.wait(timeout=120) for process in writers] == [0, 0, 0]
    files = ResultStore(results, "net")
    assert len(files.runs()) == 18
    assert all(map(files.is_complete, files.runs()))


@pytest.mark.slow
def test_a_kill_leaves_whole_files_and_finished_runs(results: Path) -> None:
    files = ResultStore(results, "net")
    for place, delay in enumerate((0.0, 0.013, 0.031)):
        with writer(results, place, 1_000) as process:
            while process.poll() is None and not any(run.fold == place for run in files.runs()):
                time.sleep(0.005)
            time.sleep(delay)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        stored = files.runs()
        complete = [run for run in stored if files.is_complete(run)]
        assert len(complete) == len(stored) >= place + 1
    store(results, "net", [judged("z", True)], fold=9)  # the lock of a killed process is free
    assert all(map(files.is_complete, files.runs()))


def test_a_kill_between_predictions_and_result_makes_that_run_incomplete(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(results, "net", [judged("a", True)])
    store(results, "net", [judged("b", True)], fold=1)
    dumps = json.dumps

    def interrupted(content: dict[str, Any], **options: Any) -> str:
        if "schema" in content:  # the result file, which is written last
            raise KeyboardInterrupt
        return dumps(content, **options)

    monkeypatch.setattr(json, "dumps", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store(results, "net", [judged("b", False)], fold=1)
    monkeypatch.undo()
    files = ResultStore(results, "net")
    assert [files.is_complete(run) for run in files.runs()] == [True, False]


def stored_scores(result: RunResult) -> dict[str, object]:
    """Return the fields of a result that follow from its predictions."""
    return {name: getattr(result, name) for name in ("metrics", "by_type", "by_size", "expressible")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "results").glob("*.json"), *(ROOT / "results/choices").glob("*.json")]),
    ids=lambda path: path.stem,
)
def test_the_results_of_this_repository_follow_from_their_predictions(path: Path) -> None:
    files = ResultStore(path.parent, path.stem)
    runs = files.runs()
    assert runs
    for place, run in enumerate(runs):
        found = files.predictions(run)
        if not place:
            assert list(files.counted(run)) == [(one.id, one.metrics()) for one in found]
        assert scores(found) | {"expressible": shares_of_expressible(found)} == stored_scores(run)
