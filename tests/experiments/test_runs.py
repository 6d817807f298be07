"""A run learns on the other folds, stores its result, and is not repeated."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sau_solver.experiments import runs
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.judging import scores, shares_of_expressible
from sau_solver.experiments.material import Material
from sau_solver.experiments.results import ResultStore, RunResult
from sau_solver.experiments.runs import Run, run_together
from sau_solver.models.base import Example
from sau_solver.models.baselines.retrieval import RetrievalJaccard, RetrievalOptions


def run(config: ExperimentConfig, fold: int, results: Path, material: Material) -> RunResult:
    (result,) = run_together([Run(config, fold, 0)], results, material)
    return result


def test_made_up_problems_of_known_kinds_are_solved(small: Material, config: ExperimentConfig, results: Path) -> None:
    result = run(config, 0, results, small)
    assert result.problems == 4
    assert result.metrics["strict"] == 1
    assert result.metrics["answer"] == 1
    assert result.by_type["linear-two"]["problems"] == 1
    assert result.fingerprint == small.corpus.fingerprint
    assert result.unusable == {"train": 1, "test": 0}


def test_a_problem_with_broken_gold_stays_in_the_denominator(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 4, results, small)
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
    run(config, 2, results, small)
    assert len(learned) == 16
    assert not any(id_.startswith("2-") for id_ in learned)


def test_the_result_file_reads_back_and_holds_the_contracts_fields(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 1, results, small)
    store = ResultStore(results, "small")
    assert store.runs() == [result]
    contract = "model corpus fold seed epochs epoch_choice problems metrics by_type by_size seconds device versions"
    assert {*contract.split(), "fingerprint"} <= set(json.loads(store.path.read_text(encoding="utf-8"))["runs"][0])
    assert set(result.metrics) == {
        "reference",
        "strict",
        "answer",
        "annotated",
        "first",
        "equation",
        "candidates_oracle",
    }


def test_the_metrics_follow_from_the_stored_predictions(
    small: Material, config: ExperimentConfig, results: Path
) -> None:
    result = run(config, 4, results, small)
    predictions = ResultStore(results, "small").predictions(result)
    again = scores(predictions) | {"expressible": shares_of_expressible(predictions)}
    assert again == {name: getattr(result, name) for name in ("metrics", "by_type", "by_size", "expressible")}


class RanError(Exception):
    """Raised when a model is built, to notice that a run is repeated."""


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch, small: Material, config: ExperimentConfig, results: Path) -> None:
    run(config, 0, results, small)

    def refuse(_: ExperimentConfig) -> RetrievalJaccard:
        raise RanError

    monkeypatch.setattr(runs, "build", refuse)


@pytest.mark.usefixtures("no_model")
class TestResuming:
    def test_a_finished_run_is_not_done_again(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        assert run(config, 0, results, small) == ResultStore(results, "small").runs()[0]

    def test_other_options_are(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        changed = dataclasses.replace(config, options=RetrievalOptions(norm="sum"))
        with pytest.raises(RanError):
            run(changed, 0, results, small)

    def test_other_data_are(self, small: Material, config: ExperimentConfig, results: Path) -> None:
        corpus = dataclasses.replace(small.corpus, problems=small.corpus.problems[::-1])
        with pytest.raises(RanError):
            run(config, 0, results, dataclasses.replace(small, corpus=corpus))

    @pytest.mark.parametrize("name", ["small.json", "small.predictions.jsonl.bz2"])
    def test_a_damaged_file_is(self, small: Material, config: ExperimentConfig, results: Path, name: str) -> None:
        (results / name).write_bytes(b"{")
        with pytest.raises(RanError):
            run(config, 0, results, small)
