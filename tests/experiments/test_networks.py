"""Networks are cross-validated once, several experiments together, and choices never see the tested fold."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from sau_solver.errors import CheckpointError
from sau_solver.experiments import runs
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.crossval import RunOptions, crossval_all
from sau_solver.experiments.crossval import _groups as groups
from sau_solver.experiments.material import Material
from sau_solver.experiments.results import ResultStore, RunResult
from sau_solver.experiments.summary import overview
from sau_solver.models.options import NETWORKS, GtsOptions, SauOptions
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.text.numbers import MappedText
from sau_solver.training import learning
from sau_solver.training.trainer import EpochReport
from sau_solver.training.training_options import TrainingOptions

OPTIONS = SauOptions(embedding=6, hidden=8, minimum_word_count=1, minimum_constant_count=1)
TRAINING = TrainingOptions(epochs=2, batch=8, device="cpu", checkpoint_seconds=0)
WITH = ExperimentConfig("with", "alg514", "sau", folds=(0, 1), options=OPTIONS, training=TRAINING)
GTS = dataclasses.replace(WITH, name="gts", model="gts", options=GtsOptions(embedding=6, hidden=8))
WITHOUT = dataclasses.replace(WITH, name="without", options=dataclasses.replace(OPTIONS, ssar=0.0))


@pytest.fixture(autouse=True)
def _material(monkeypatch: pytest.MonkeyPatch, small: Material) -> Iterator[None]:
    monkeypatch.setattr(runs, "gather", lambda _: small)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[learning.TrainingTask]:
    """Return a list that gets every task that is trained."""
    seen: list[learning.TrainingTask] = []
    original = learning.learn

    def spy(tasks: Sequence[learning.TrainingTask], *arguments: Any, **named: Any) -> list[learning.Solver]:
        seen.extend(tasks)
        return original(tasks, *arguments, **named)

    monkeypatch.setattr(learning, "learn", spy)
    return seen


def stored(results: Path, name: str, run: str) -> RunResult:
    return next(one for one in ResultStore(results, name).runs() if one.name == run)


@pytest.mark.slow
def test_experiments_with_and_without_alignment_run_together_and_once(
    results: Path, learned: list[learning.TrainingTask]
) -> None:
    reports: list[EpochReport] = []
    summaries = crossval_all([WITH, WITHOUT], RunOptions(results, report=reports.append))
    assert [(one.name, one.runs, one.problems) for one in summaries] == [("with", 2, 8), ("without", 2, 8)]
    assert [task.name for task in learned] == [f"{name}/fold{f}-seed0" for name in ("with", "without") for f in (0, 1)]
    assert {report.run for report in reports} == {task.name for task in learned}
    for name in ("with", "without"):
        store = ResultStore(results, name)
        assert [one.name for one in store.runs()] == ["fold0-seed0", "fold1-seed0"]
        curve = store.epochs(stored(results, name, "fold1-seed0"))
        own = [report for report in reports if report.run == f"{name}/fold1-seed0" and not report.part]
        assert [one.epoch for one in curve] == [1, 2]
        assert [one.loss for one in curve] == pytest.approx([report.loss for report in own], rel=1e-3)
        assert [one.accuracy for one in curve] == pytest.approx([report.accuracy for report in own], rel=1e-3)
        result = stored(results, name, "fold0-seed0")
        assert (result.epochs, result.epoch_choice, result.device, result.model) == (2, "last", "cpu", "sau")
        assert result.config["training"]["epochs"] == 2
        predictions = store.predictions(result)
        assert all(1 <= len(judged.candidates) <= 5 for judged in predictions)

    learned.clear()
    assert crossval_all([WITH, WITHOUT], RunOptions(results)) == summaries
    assert not learned


def test_the_tested_fold_is_never_learned_from(results: Path, learned: list[learning.TrainingTask]) -> None:
    crossval_all([WITH], RunOptions(results))
    for fold, task in enumerate(learned):
        ids = {example.problem.id for example in task.examples}
        assert len(ids) == 16
        assert not any(one.startswith(f"{fold}-") for one in ids)


def test_choices_are_made_without_the_tested_fold(
    results: Path, small: Material, learned: list[learning.TrainingTask], monkeypatch: pytest.MonkeyPatch
) -> None:
    predicted: list[MappedText] = []
    original = SauPredictor.predict

    def spy(self: SauPredictor, texts: Sequence[MappedText], beam: int = 5) -> Any:
        predicted.extend(texts)
        return original(self, texts, beam)

    monkeypatch.setattr(SauPredictor, "predict", spy)
    config = dataclasses.replace(WITH, name="choice", test="validation", folds=(2,))
    (summary,) = crossval_all([config], RunOptions(results))
    (task,) = learned
    judged = {one.id for one in ResultStore(results, "choice").predictions(stored(results, "choice", "fold2-seed0"))}
    trained = {example.problem.id for example in task.examples}
    texts = {one.text.text: one.problem.id for one in small.prepared}
    assert summary.problems == len(judged) == 2  # an eighth of the other 17
    assert {texts[text.text] for text in predicted} == judged
    assert not judged & trained
    assert not any(id_.startswith("2-") for id_ in judged | trained)
    assert stored(results, "choice", "fold2-seed0").config["test"] == "validation"


@pytest.mark.slow
def test_an_interrupted_cross_validation_goes_on_where_it_stood(results: Path, tmp_path: Path) -> None:
    (whole,) = crossval_all([WITH], RunOptions(tmp_path / "whole"))
    seen: list[tuple[str, int]] = []

    def stop(told: EpochReport) -> None:
        seen.append((told.run, told.epoch))
        if seen[-1] == ("with/fold1-seed0", 2):
            raise KeyboardInterrupt

    checkpoints = tmp_path / "checkpoints"
    with pytest.raises(KeyboardInterrupt):
        crossval_all([WITH], RunOptions(results, checkpoints, report=stop))
    assert not (checkpoints / "with" / "fold0-seed0").exists()  # finished, and its result is stored
    again: list[tuple[str, int]] = []
    options = RunOptions(results, checkpoints, report=lambda told: again.append((told.run, told.epoch)))
    (resumed,) = crossval_all([WITH], options)
    assert again == [("with/fold1-seed0", 2)]
    assert dataclasses.replace(resumed, seconds=0) == dataclasses.replace(whole, seconds=0)
    store = ResultStore(results, "with")
    for run in store.runs():
        assert [one.epoch for one in store.epochs(run)] == [1, 2]  # including the epoch before the interruption
    for path in (store.predictions_path, store.figures_path):
        assert path.read_bytes() == (tmp_path / "whole" / path.name).read_bytes()


def test_a_cross_validation_does_not_go_on_from_a_training_with_other_settings(results: Path, tmp_path: Path) -> None:
    def stop(told: EpochReport) -> None:
        if told.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crossval_all([WITH], RunOptions(results, tmp_path, report=stop))
    changed = dataclasses.replace(WITH, training=dataclasses.replace(TRAINING, learning_rate=0.01))
    with pytest.raises(CheckpointError, match=r"learning_rate was 0\.001 and is 0\.01"):
        crossval_all([changed], RunOptions(results, tmp_path))


def test_a_model_that_was_trained_by_command_is_left_where_it_is(results: Path, tmp_path: Path) -> None:
    model = tmp_path / "with" / "fold0-seed0" / "model"
    model.mkdir(parents=True)
    crossval_all([dataclasses.replace(WITH, folds=(0,))], RunOptions(results, tmp_path))
    assert model.is_dir()


def test_the_folder_of_an_experiment_stays_until_all_runs_have_ended(results: Path, tmp_path: Path) -> None:
    """Another process may be about to write there."""
    runs.run_together([runs.Run(WITH, 0, 0, tmp_path)], results)
    assert list((tmp_path / "with").iterdir()) == []
    crossval_all([WITH], RunOptions(results, tmp_path))
    assert not (tmp_path / "with").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "sau"])
def test_baselines_are_cross_validated_like_the_papers_network(
    name: str, results: Path, learned: list[learning.TrainingTask]
) -> None:
    # Short trees: an untrained network writes long ones, which take the symbolic solver a long time.
    options = NETWORKS[name](embedding=6, hidden=8, minimum_word_count=1, minimum_constant_count=1, longest_tree=5)
    config = ExperimentConfig(name, "alg514", name, folds=(0, 1), beam=2, options=options, training=TRAINING)
    (summary,) = crossval_all([config], RunOptions(results))
    assert (summary.model, summary.runs, summary.problems) == (name, 2, 8)
    result = stored(results, name, "fold0-seed0")
    # `broken` has no tree, and half of the other 16 training problems are plain arithmetic.
    assert result.unusable["train"] == (9 if name == "gts" else 1)
    assert bool(result.expressible) == (name == "gts")
    predictions = ResultStore(results, name).predictions(result)
    assert [bool(judged.candidates) for judged in predictions] == [True] * 4
    unreadable = [judged for judged in predictions if judged.candidates[0].outcome == "unreadable"]
    assert len(unreadable) == result.unusable.get("outputs", 0)
    learned.clear()
    assert crossval_all([config], RunOptions(results)) == [summary]
    assert not learned


def test_the_figure_of_a_network_that_cannot_express_all_is_over_what_it_can_and_over_all(results: Path) -> None:
    (summary,) = crossval_all([dataclasses.replace(GTS, folds=(0, 4))], RunOptions(results))
    result = stored(results, "gts", "fold4-seed0")
    predictions = ResultStore(results, "gts").predictions(result)
    assert {one.id: one.expressible for one in predictions} == {
        "4-buy": True, "4-box": True, "4-heads": False, "4-square": False, "broken": False,
    }  # fmt: skip
    can = [one for one in predictions if one.expressible]
    assert result.problems == 5
    assert result.expressible["problems"] == 2
    for metric in ("reference", "strict", "answer", "annotated", "equation"):
        assert result.expressible[metric] == sum(one.right(metric) for one in can) / 2
    assert summary.problems == 9
    assert summary.expressible is not None
    assert summary.expressible.problems == 4
    assert "| gts: what it can express | gts | alg514 | 4 | 2 |" in overview([summary])


def test_what_was_trained_already_is_not_put_beside_what_was_not(tmp_path: Path) -> None:
    """The runs of a group resume from an epoch that all of them have; otherwise their checkpoints would be lost."""
    saved = {
        0: ("epoch-0010-step-000020", "epoch-0020-step-000040"),
        2: ("epoch-0005-step-000010", "epoch-0010-step-000020"),
    }
    for fold, names in saved.items():
        for name in names:
            (tmp_path / f"with/fold{fold}-seed0/checkpoints/{name}").mkdir(parents=True)
    begun = [runs.Run(WITH, fold, 0, tmp_path) for fold in range(4)]
    assert [[run.fold for run in group] for group in groups(begun, 10)] == [[0, 2], [1, 3]]
    new = [runs.Run(WITH, fold, 0, resumable=False) for fold in range(4)]
    assert [[run.fold for run in group] for group in groups(new, 10)] == [[0, 1, 2, 3]]


def test_networks_of_different_kinds_do_not_train_as_one() -> None:
    every = [runs.Run(config, fold, 0, resumable=False) for config in (WITH, WITHOUT, GTS) for fold in (0, 1)]
    assert [[run.config.name for run in group] for group in groups(every, 10)] == [
        ["with", "with", "without", "without"],
        ["gts", "gts"],
    ]
