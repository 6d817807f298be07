"""Cross-validation pools its runs, in one process or in several, and the report shows them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from sau_solver.data import available
from sau_solver.errors import InputError
from sau_solver.experiments import runs as module
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.crossval import Progress, crossval
from sau_solver.experiments.material import Material
from sau_solver.experiments.report.merging import load_experiments
from sau_solver.experiments.runs import Run, run_together
from sau_solver.experiments.summary import breakdown, overview, summarize


@pytest.fixture(autouse=True)
def _material(monkeypatch: pytest.MonkeyPatch, small: Material) -> None:
    monkeypatch.setattr(module, "gather", lambda _: small)


def test_every_fold_is_run_and_counted_once(config: ExperimentConfig, results: Path) -> None:
    seen: list[Progress] = []
    summary = crossval(config, on_progress=seen.append, results=results)
    assert [progress.result.fold for progress in seen] == [0, 1, 2, 3, 4]
    assert [(progress.done, progress.runs) for progress in seen] == [(k, 5) for k in range(1, 6)]
    assert summary.problems == 21
    assert summary.metrics["strict"].share == pytest.approx(20 / 21)
    assert sum(row["problems"] for row in summary.by_type.values()) == 21
    assert sum(row["problems"] for row in summary.by_size.values()) == 21


def test_accuracy_is_pooled_over_problems_and_its_deviation_taken_over_runs(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    one = run_together([Run(config, 0, 0)], results, small)[0]
    other = dataclasses.replace(one, problems=1, metrics=dict.fromkeys(one.metrics, 0.0))
    pooled = summarize("small", [one, other]).metrics["strict"]
    assert pooled.share == pytest.approx(4 / 5)
    assert pooled.deviation == pytest.approx(0.5**0.5)
    assert summarize("small", [one]).metrics["strict"].deviation == 0


def test_fewer_folds_can_be_asked_for(config: ExperimentConfig, results: Path) -> None:
    assert crossval(config, folds=[3], results=results).runs == 1
    with pytest.raises(InputError, match="at least one fold"):
        crossval(config, folds=[], results=results)
    with pytest.raises(InputError, match="jobs"):
        crossval(config, jobs=0, results=results)


def test_the_report_shows_every_experiment_with_results(config: ExperimentConfig, results: Path) -> None:
    crossval(config, results=results)
    (results / "empty").mkdir()
    found = [one.summary for one in load_experiments(results, results).values()]
    assert [one.name for one in found] == ["small"]
    assert "| small | retrieval | alg514 | 21 | 5 | 95.24 ± 8.94 | 95.24 ± 8.94 |" in overview(found)
    assert "| linear-two | 5 | 100.00 | 100.00 | 100.00 |" in breakdown(found[0], "by_type")


@pytest.mark.corpus
def test_processes_give_the_results_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "alg514" not in available():
        pytest.skip("ALG514 is not under SAU_DATA")
    monkeypatch.undo()
    config = ExperimentConfig("alg514", "alg514", "retrieval", folds=(0, 1), beam=1)
    alone, together = crossval(config, results=tmp_path / "a"), crossval(config, jobs=2, results=tmp_path / "b")
    assert dataclasses.replace(alone, seconds=0) == dataclasses.replace(together, seconds=0)
    name = "alg514.predictions.jsonl.bz2"
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
