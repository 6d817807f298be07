"""A run learns on the other folds, writes its result whole, and is not done twice."""

from __future__ import annotations

import bz2
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments import runs
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.results import RunResult, read_predictions, read_result, write_predictions
from sau_solver.experiments.runs import Material, run, scores
from sau_solver.models.base import Example
from sau_solver.models.baselines.retrieval import RetrievalJaccard, RetrievalOptions

RESULTS = Path(__file__).parents[2] / "results"


def stored_scores(result: RunResult) -> dict[str, Any]:
    """What a result says that follows from its predictions."""
    return {name: getattr(result, name) for name in ("metrics", "by_type", "by_size", "expressible")}


def test_made_up_problems_of_known_kinds_are_solved(small: Material, config: ExperimentConfig, results: Path) -> None:
    result = run(config, 0, 0, results, small)
    assert result.problems == 4
    assert result.metrics["strict"] == 1
    assert result.metrics["answer"] == 1
    assert result.by_type["linear-two"]["problems"] == 1
    assert result.fingerprint == small.corpus.fingerprint
    assert result.unusable == {"train": 1, "test": 0}


def test_a_problem_with_broken_gold_stays_in_the_denominator(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 4, 0, results, small)
    assert result.problems == 5
    assert result.unusable == {"train": 0, "test": 1}
    assert result.metrics["strict"] == 0.8


def test_the_tested_fold_is_never_learned_from(
    small: Material, config: ExperimentConfig, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[str] = []
    original = RetrievalJaccard.fit

    def spy(self: RetrievalJaccard, examples: Sequence[Example]) -> None:
        learned.extend(example.problem.id for example in examples)
        original(self, examples)

    monkeypatch.setattr(RetrievalJaccard, "fit", spy)
    run(config, 2, 0, results, small)
    assert len(learned) == 16
    assert not any(id_.startswith("2-") for id_ in learned)


def test_the_result_file_reads_back_and_holds_the_contracts_fields(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 1, 0, results, small)
    path = results / "small" / "fold1-seed0.json"
    assert read_result(path) == result
    contract = "model corpus fold seed epochs epoch_choice problems metrics by_type by_size seconds device versions"
    assert {*contract.split(), "fingerprint"} <= set(json.loads(path.read_text(encoding="utf-8")))
    assert set(result.metrics) == {"reference", "strict", "answer", "equation", "candidates_oracle"}
    assert sorted(path.name for path in (results / "small").iterdir()) == ["fold1-seed0.json", "fold1-seed0.jsonl.bz2"]


def test_the_metrics_follow_from_the_stored_predictions(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 4, 0, results, small)
    again = scores(read_predictions(results / "small" / result.predictions["file"]))
    assert again == stored_scores(result)


def test_predictions_have_equal_bytes_whenever_they_are_written(
    small: Material, config: ExperimentConfig, results: Path, tmp_path: Path
) -> None:
    result = run(config, 0, 0, results, small)
    packed = results / "small" / result.predictions["file"]
    write_predictions(read_predictions(packed), tmp_path / "again.jsonl.bz2")
    assert (tmp_path / "again.jsonl.bz2").read_bytes() == packed.read_bytes()
    assert bz2.decompress(packed.read_bytes()).count(b"\n") == result.problems


class RanError(Exception):
    """Raised where a model is built, to see whether a run was done anew."""


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch, small: Material, config: ExperimentConfig, results: Path) -> None:
    run(config, 0, 0, results, small)

    def refuse(_: ExperimentConfig) -> RetrievalJaccard:
        raise RanError

    monkeypatch.setattr(runs, "build", refuse)


@pytest.mark.usefixtures("no_model")
class TestResuming:
    def test_a_finished_run_is_not_done_again(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        assert run(config, 0, 0, results, small) == read_result(results / "small" / "fold0-seed0.json")

    def test_other_options_are(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        changed = dataclasses.replace(config, options=RetrievalOptions(norm="sum"))
        with pytest.raises(RanError):
            run(changed, 0, 0, results, small)

    def test_other_data_are(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        corpus = dataclasses.replace(small.corpus, problems=small.corpus.problems[::-1])
        with pytest.raises(RanError):
            run(config, 0, 0, results, dataclasses.replace(small, corpus=corpus))

    @pytest.mark.parametrize("name", ["fold0-seed0.json", "fold0-seed0.jsonl.bz2"])
    def test_a_damaged_file_is(self, small: Material, config: ExperimentConfig, results: Path, name: str) -> None:
        (results / "small" / name).write_bytes(b"{")
        with pytest.raises(RanError):
            run(config, 0, 0, results, small)


def test_a_file_that_is_no_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"schema": 0}', encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.json"):
        read_result(tmp_path / "a.json")


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/fold*-seed*.json")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_results_of_this_repository_follow_from_their_predictions(path: Path) -> None:
    result = read_result(path)
    predictions = path.parent / result.predictions["file"]
    if not predictions.is_file():
        pytest.skip(f"{predictions.name} is not kept beside its result")
    assert scores(read_predictions(predictions)) == stored_scores(result)
