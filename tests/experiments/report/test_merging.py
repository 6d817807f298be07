"""Runs that belong together are merged, others are refused, and missing runs are named."""

from __future__ import annotations

import dataclasses
import statistics
from pathlib import Path

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.report.accuracy import accuracy_table
from sau_solver.experiments.report.build import collect
from sau_solver.experiments.report.merging import Experiment, load_experiments, merge
from sau_solver.experiments.results import ResultStore
from tests.experiments.stored_results import judged, store

CONFIG = '[experiment]\nname = "retrieval-hmwp"\ncorpus = "hmwp"\nmodel = "retrieval"\nfolds = [0, 1]\nseeds = [0, 1]\n'


def merged(results: Path, name: str = "sau-hmwp") -> Experiment:
    return load_experiments(results, results / "configs")[name]


def test_runs_are_pooled_over_folds(results: Path) -> None:
    store(results, "sau-hmwp", {"a": True, "b": False}, fold=0)
    store(results, "sau-hmwp", {"c": True, "d": True}, fold=1)
    own = merged(results)
    assert own.accuracy("answer").share == 0.75
    assert own.accuracy("answer").deviation == pytest.approx((2 * 0.25**2) ** 0.5)
    assert [(verdict.id, verdict.fold, "answer" in verdict.right) for verdict in own.verdicts] == [
        ("a", 0, True), ("b", 0, False), ("c", 1, True), ("d", 1, True),
    ]  # fmt: skip


def test_a_deviation_is_taken_over_seeds_where_there_are_several(results: Path) -> None:
    for seed, right in enumerate((True, False)):
        store(results, "sau-hmwp", {"a": True, "b": right}, fold=0, seed=seed)
        store(results, "sau-hmwp", {"c": False, "d": False}, fold=1, seed=seed)
    own = merged(results)
    assert own.accuracy("answer").share == 3 / 8
    assert own.accuracy("answer").deviation == pytest.approx((2 * 0.125**2) ** 0.5)
    assert {verdict.id for verdict in own.verdicts} == {"a", "b", "c", "d"}  # for one seed


def test_a_seed_that_lacks_folds_does_not_halve_what_is_counted(results: Path) -> None:
    store(results, "sau-hmwp", {"a": True, "b": True}, fold=0)
    store(results, "sau-hmwp", {"c": False, "d": False}, fold=1)
    store(results, "sau-hmwp", {"a": True, "b": True}, fold=0, seed=1)
    own = merged(results)
    assert own.rounds == 1.5
    assert own.accuracy("answer").deviation == pytest.approx(
        statistics.stdev([1, 0, 1])
    )  # between runs, since only one seed is complete


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"fingerprint": "b" * 64}, "fold0-seed0 has data aaaaaaaaaaaa and fold1-seed0 has bbbbbbbbbbbb"),
        ({"config": {"sau": {"hidden": 9}}}, r"has sau\.hidden = 8 and fold1-seed0 has sau\.hidden = 9"),
        ({"config": {"test": "validation"}}, "test = None and fold1-seed0 has test = 'validation'"),
    ],
)
def test_runs_of_other_data_or_settings_are_refused(results: Path, changed: dict[str, str], complaint: str) -> None:
    store(results, "sau-hmwp", {"a": True})
    store(results, "sau-hmwp", {"b": True}, fold=1, **changed)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=complaint):
        merged(results)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"fingerprint": "b" * 64}, "data aaaaaaaaaaaa and bbbbbbbbbbbb"),
        ({"config": {"division": "hmwp-other"}}, "folds hmwp and hmwp-other"),
        ({"config": {"test": "validation"}}, "tested part fold and validation"),
    ],
)
def test_systems_that_do_not_compare_are_not_put_into_one_table(
    results: Path, changed: dict[str, str], complaint: str
) -> None:
    store(results, "sau-hmwp-without-ssar", {"a": True})
    store(results, "sau-hmwp", {"a": True}, **changed)  # type: ignore[arg-type]
    experiments = load_experiments(results, results)
    with pytest.raises(InputError, match=complaint):
        accuracy_table(experiments)


def test_systems_with_settings_of_their_own_compare(results: Path) -> None:
    store(results, "sau-hmwp-without-ssar", {"a": True})
    store(results, "sau-hmwp", {"a": True}, config={"text": "published", "beam": 3})
    assert accuracy_table(load_experiments(results, results)).rows


def test_missing_runs_are_named_after_the_configuration(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "retrieval-hmwp.toml"
    path.write_text(CONFIG, encoding="utf-8")
    store(results, "retrieval-hmwp", {"a": True}, fold=1)
    files = ResultStore(results, "retrieval-hmwp")
    run = dataclasses.replace(files.runs()[0], config=load_config(path).run_fields())
    own = merge(files, [run], load_config(path))
    assert own.missing == ("fold0-seed0", "fold0-seed1", "fold1-seed1")


def test_results_of_another_configuration_than_the_file_of_their_name_are_refused(
    results: Path, tmp_path: Path
) -> None:
    (tmp_path / "retrieval-hmwp.toml").write_text(CONFIG, encoding="utf-8")
    store(results, "retrieval-hmwp", {"a": True})
    with pytest.raises(
        InputError,
        match=r"configs/retrieval-hmwp\.toml has model = 'retrieval', but the stored results have model = 'sau'",
    ):
        collect(results, tmp_path)


def test_without_a_configuration_five_folds_are_expected(results: Path) -> None:
    store(results, "sau-hmwp", {"a": True}, fold=2)
    assert merged(results).missing == ("fold0-seed0", "fold1-seed0", "fold3-seed0", "fold4-seed0")


def test_predictions_that_were_changed_are_refused(results: Path) -> None:
    store(results, "sau-hmwp", {"a": True})
    store(results, "other", {"a": False})
    ResultStore(results, "other").predictions_path.replace(ResultStore(results, "sau-hmwp").predictions_path)
    with pytest.raises(InputError, match="must hold the predictions of fold0-seed0"):
        _ = merged(results).verdicts


def test_gpu_minutes_leave_out_judging_and_the_processors_runs(results: Path) -> None:
    store(results, "sau-hmwp", {"a": True}, device="NVIDIA H200")
    store(results, "sau-hmwp", {"b": True}, fold=1, device="NVIDIA H200")
    store(results, "sau-alg514", [judged("a", True)], corpus="alg514")
    assert merged(results).gpu_minutes == 2.0
    assert merged(results, "sau-alg514").gpu_minutes == 0.0


def test_no_results_are_no_report(tmp_path: Path, config: ExperimentConfig) -> None:
    with pytest.raises(InputError, match="none does not exist"):
        load_experiments(tmp_path / "none", tmp_path)
    with pytest.raises(InputError, match="small has no results"):
        merge(ResultStore(tmp_path, "small"), [], config)
