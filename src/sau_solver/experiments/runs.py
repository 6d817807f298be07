"""One run of an experiment: learn on the other folds, predict one fold, judge, write the result."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sau_solver.data import Corpus, data_folder, load
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.examples import Prepared, TextView, examples_of, prepare_all
from sau_solver.experiments.folds import Division, Manifest, divide, load_manifest
from sau_solver.experiments.judging import Judged, judge_problem, shares, shares_by
from sau_solver.experiments.results import (
    SCHEMA,
    RunResult,
    is_complete,
    read_result,
    run_name,
    write_predictions,
    write_result,
)
from sau_solver.experiments.types import PROBLEM_TYPES, SIZES
from sau_solver.models.base import Learner
from sau_solver.models.retrieval import RetrievalJaccard
from sau_solver.version import VERSION

RESULTS = Path("results")
_PACKAGES = ("python-flint", "sympy", "rjieba")


@dataclass(frozen=True)
class Material:
    """A corpus made ready for experiments, with its folds."""

    corpus: Corpus
    manifest: Manifest
    prepared: tuple[Prepared, ...]

    def divide(self, fold: int) -> Division[Prepared]:
        """What a fold trains on, validates on and tests."""
        return divide(self.manifest, fold, self.prepared, lambda one: one.problem.id)


def gather(config: ExperimentConfig, folder: Path | None = None) -> Material:
    """Read and prepare what an experiment needs; remembered, since every fold needs the same."""
    return _gather(config.corpus, config.manifest, config.text, folder or data_folder())


@lru_cache(maxsize=2)
def _gather(name: str, division: str, text: TextView, folder: Path) -> Material:
    corpus = load(name, folder)
    manifest = load_manifest(division, corpus)
    return Material(corpus, manifest, tuple(prepare_all(corpus, name, text)))


def build(config: ExperimentConfig) -> Learner:
    """The model that a configuration names, before it has learned anything."""
    return RetrievalJaccard(config.options)


def run(
    config: ExperimentConfig, fold: int, seed: int, results: Path = RESULTS, material: Material | None = None
) -> RunResult:
    """Do one run, or return the result of an earlier one with the same configuration and data."""
    material = material or gather(config)
    folder = results / config.name
    target = folder / f"{run_name(fold, seed)}.json"
    if earlier := finished(config, fold, seed, material.corpus.fingerprint, results):
        return earlier
    folder.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)  # so that no old result stands beside new predictions

    division = material.divide(fold)
    clock = _Clock()
    model = build(config)
    examples = list(examples_of(division.train))
    model.fit(examples)
    clock.stage("fit")
    candidates = model.predict([one.text for one in division.test], config.beam)
    clock.stage("predict")
    judged = [judge_problem(one, found) for one, found in zip(division.test, candidates, strict=True)]
    clock.stage("judge")

    predictions = folder / f"{run_name(fold, seed)}.jsonl.gz"
    digest = write_predictions(judged, predictions, config.keep_log_probabilities)
    result = RunResult(
        schema=SCHEMA,
        model=model.name,
        corpus=config.corpus,
        fold=fold,
        seed=seed,
        epochs=None,
        epoch_choice=None,
        problems=len(judged),
        unusable={
            "train": len(division.train) - len(examples),
            "test": sum(one.tree is None for one in division.test),
        },
        **scores(judged),
        seconds=round(sum(clock.seconds.values()), 2),
        seconds_by_stage=clock.seconds,
        device="cpu",
        versions=versions(),
        fingerprint=material.corpus.fingerprint,
        config=config.run_fields(),
        predictions={"file": predictions.name, "sha256": digest},
    )
    write_result(result, target)
    return result


def finished(
    config: ExperimentConfig, fold: int, seed: int, fingerprint: str, results: Path = RESULTS
) -> RunResult | None:
    """The result of an earlier, complete run of the same configuration on the same data."""
    folder = results / config.name
    path = folder / f"{run_name(fold, seed)}.json"
    if not path.is_file():
        return None
    try:
        result = read_result(path)
    except InputError:
        return None
    same = result.config == config.run_fields() and result.fingerprint == fingerprint
    return result if same and is_complete(result, folder) else None


def scores(judged: Sequence[Judged]) -> dict[str, Any]:
    """The parts of a result that follow from the judged predictions alone."""
    return {
        "metrics": shares(judged),
        "by_type": shares_by(judged, "type", PROBLEM_TYPES),
        "by_size": shares_by(judged, "size", SIZES),
    }


def versions() -> dict[str, str]:
    """What the figures were made with."""
    found = {"sau-solver": VERSION, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = round(now - self._last, 2)
        self._last = now
