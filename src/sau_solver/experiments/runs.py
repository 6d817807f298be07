"""Runs of an experiment: learn on the other folds, predict one fold, judge the predictions, store the result."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from sau_solver.answering.candidates import Candidate
from sau_solver.data.prepared.examples import Prepared, examples_of
from sau_solver.data.prepared.folds import Division
from sau_solver.errors import InputError
from sau_solver.experiments.attention_examples import attention_in_example
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.figure_data import CURVE_FILE, AttentionMap, Epoch, LearningCurves
from sau_solver.experiments.judging import Judged, judge_problem, scores, shares_of_expressible, unreadable
from sau_solver.experiments.material import Material, describe_data, gather
from sau_solver.experiments.provenance import Clock, versions
from sau_solver.experiments.results import RESULTS, ResultStore, RunResult, run_name
from sau_solver.files import is_being_removed, remove
from sau_solver.models.base import Learner, Predictor
from sau_solver.models.loading import require_torch
from sau_solver.models.options import LearnerOptions, NetworkOptions

if TYPE_CHECKING:
    from sau_solver.training.trainer import Report

RUNS = Path("runs")


@dataclass(frozen=True, slots=True)
class Run:
    """One model to be trained: an experiment with the fold that is held out, None for no fold, and a seed.

    The training of a network can be resumed from what it writes to ROOT/NAME/foldF-seedS/.
    """

    config: ExperimentConfig
    fold: int | None
    seed: int
    root: Path = RUNS
    resumable: bool = True  # False trains without writing anything to the folder

    @property
    def name(self) -> str:
        """Return the name for progress displays and folders."""
        return f"{self.config.name}/{run_name(self.fold, self.seed)}"

    @property
    def folder(self) -> Path:
        """Return the folder of the training: checkpoints/, logs/ for TensorBoard, and in the end model/."""
        return self.root / self.name

    @property
    def model(self) -> Path:
        """Return the folder of the trained network."""
        return self.folder / "model"

    def round_folder(self, number: int) -> Path:
        """Return the folder of an earlier round of a training that learns from answers alone (answer_rounds.py)."""
        return self.folder / f"round{number}"

    @property
    def is_first(self) -> bool:
        """Tell whether this is the first fold and seed of its experiment, which stores attention maps as well."""
        return (self.fold, self.seed) == (self.config.folds[0], self.config.seeds[0])


@dataclass(frozen=True, slots=True)
class _Pending:
    """A run that has no result yet, with its problems."""

    run: Run
    fingerprint: str
    division: Division[Prepared]


@dataclass(frozen=True, slots=True)
class DoneRun:
    """A run with everything that is stored of it."""

    run: Run
    result: RunResult
    judged: Sequence[Judged]
    figures: Sequence[Epoch | AttentionMap]


@dataclass(frozen=True, slots=True)
class _Conditions:
    """What runs that were done together share."""

    seconds: Mapping[str, float]  # of one run, by stage
    device: str
    runs: int


def build(config: ExperimentConfig) -> Learner:
    """Return the untrained model of a configuration that names no network."""
    if not isinstance(config.options, LearnerOptions):
        raise InputError(f"{config.model} is a network and must be trained. Use sau train.")
    return config.options.build()


def run_together(
    runs: Sequence[Run],
    results: Path = RESULTS,
    material: Material | None = None,
    report: Report | None = None,
    judges: int = 1,
) -> list[RunResult]:
    """Do and store runs whose networks can train as one, unless they are stored."""
    done: dict[Run, RunResult] = {}
    for run in runs:
        own = material or gather(run.config)
        if before := finished(run, own.corpus.fingerprint, results):
            done[run] = before
    for one in do_together([run for run in runs if run not in done], material, report, judges):
        done[one.run] = store(one, results)
    return [done[run] for run in runs]


def do_together(
    runs: Sequence[Run], material: Material | None = None, report: Report | None = None, judges: int = 1
) -> list[DoneRun]:
    """Do runs whose networks can train as one; `judges` processes compare with gold. Nothing is stored."""
    if not runs:
        return []
    pending: list[_Pending] = []
    for run in runs:
        own = material or gather(run.config)
        assert run.fold is not None
        pending.append(_Pending(run, own.corpus.fingerprint, own.divide(run.fold, run.config.test)))
    clock = Clock()
    curves = LearningCurves(report, {one.run.name: one.run.folder for one in pending if one.run.resumable})
    models, device = _learn(pending, curves)
    clock.stage("fit")
    candidates = [
        model.predict([problem.text for problem in one.division.test], one.run.config.beam)
        for model, one in zip(models, pending, strict=True)
    ]
    clock.stage("predict")
    judged = _judge(pending, candidates, judges)
    clock.stage("judge")
    seconds = {stage: spent / len(pending) for stage, spent in clock.seconds.items()}
    conditions = _Conditions(seconds, device, len(pending))
    done = []
    for one, model, verdicts in zip(pending, models, judged, strict=True):
        run, training = one.run, one.run.config.training
        figures: list[Epoch | AttentionMap] = []
        if training:
            figures += curves.epochs(run.name, training.epochs)
            figures += attention_in_example(model, one.division.test, verdicts) if run.is_first else []
        done.append(DoneRun(run, _result(one, model.name, verdicts, conditions), verdicts, figures))
    return done


def store(done: DoneRun, results: Path = RESULTS) -> RunResult:
    """Store a run, and remove what its training would have been resumed from."""
    config = done.run.config
    stored = ResultStore(results, config.name).add(
        done.result, done.judged, done.figures, config.keep_log_probabilities
    )
    _remove_training(done.run)
    return stored


def _learn(pending: Sequence[_Pending], report: Report) -> tuple[Sequence[Predictor], str]:
    training = pending[0].run.config.training
    if training is None:
        models = []
        for one in pending:
            models.append(build(one.run.config))
            models[-1].fit(list(examples_of(one.division.train)))
        return models, "cpu"
    require_torch()
    from sau_solver.training import learning  # imports torch

    tasks = [
        learning.TrainingTask(
            one.run.name,
            list(examples_of(one.division.train)),
            options,
            one.run.seed,
            one.run.folder if one.run.resumable else None,
            describe_data(one.run.config, one.run.fold, one.fingerprint),
        )
        for one in pending
        if isinstance(options := one.run.config.options, NetworkOptions)
    ]
    resume = any(one.run.resumable for one in pending)
    return learning.learn(tasks, training, report, resume=resume, keep=False), learning.device_name(training)


def _judge(
    pending: Sequence[_Pending], candidates: Sequence[Sequence[Sequence[Candidate]]], processes: int
) -> list[list[Judged]]:
    problems = [problem for one in pending for problem in one.division.test]
    proposed = [own for run in candidates for own in run]
    if processes == 1:
        judged = list(map(judge_problem, problems, proposed))
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            judged = list(pool.map(judge_problem, problems, proposed, chunksize=32))
    configs = [one.run.config for one in pending for _ in one.division.test]
    judged = [
        replace(verdict, expressible=_is_expressible(problem, config))
        for verdict, problem, config in zip(judged, problems, configs, strict=True)
    ]
    ends = list(itertools.accumulate((len(one.division.test) for one in pending), initial=0))
    return [judged[start:end] for start, end in itertools.pairwise(ends)]


def _result(one: _Pending, model: str, judged: Sequence[Judged], conditions: _Conditions) -> RunResult:
    run, config, division = one.run, one.run.config, one.division
    assert run.fold is not None
    unusable = {
        "train": sum(not _is_learned(problem, config) for problem in division.train),
        "test": sum(problem.tree is None for problem in division.test),
    }
    if outputs := unreadable(judged):
        unusable["outputs"] = outputs
    return RunResult(
        model=model,
        corpus=config.corpus,
        fold=run.fold,
        seed=run.seed,
        epochs=config.training.epochs if config.training else None,
        epoch_choice="last" if config.training else None,
        problems=len(judged),
        unusable=unusable,
        **scores(judged),
        expressible=shares_of_expressible(judged),
        seconds=round(sum(conditions.seconds.values()), 2),
        seconds_by_stage={stage: round(spent, 2) for stage, spent in conditions.seconds.items()},
        device=conditions.device,
        versions=versions(),
        fingerprint=one.fingerprint,
        config=config.run_fields(),
        together=(1 if conditions.device == "cpu" else conditions.runs) if config.training else None,
    )


def _remove_training(run: Run) -> None:
    """Delete what an interrupted training would have resumed from, but not a model that `sau train` wrote."""
    if run.resumable and not run.model.exists():
        with suppress(OSError):  # the result is stored, and the next run tries again
            remove(run.folder)


def remove_leftovers(run: Run) -> None:
    """Delete the training of a run that has a result, if a kill came between the two; a curve marks it."""
    if (run.folder / CURVE_FILE).is_file() or is_being_removed(run.folder):
        _remove_training(run)


def _is_learned(problem: Prepared, config: ExperimentConfig) -> bool:
    """Tell whether a model learns from a problem: it has a tree that the model can write."""
    if problem.learned is None:
        return False
    return not isinstance(config.options, NetworkOptions) or config.options.expressed(problem.learned) is not None


def _is_expressible(problem: Prepared, config: ExperimentConfig) -> bool:
    """Tell whether the model can write a problem's gold tree; True for every model that leaves no trees out."""
    selective = isinstance(config.options, NetworkOptions) and config.options.selective
    return not selective or _is_learned(problem, config)


def stored_result(run: Run, results: Path = RESULTS) -> RunResult | None:
    """Return the stored result of a run; the corpus is read only if there is a candidate."""
    if not ResultStore(results, run.config.name).path.is_file():
        return None
    return finished(run, gather(run.config).corpus.fingerprint, results)


def finished(run: Run, fingerprint: str, results: Path = RESULTS) -> RunResult | None:
    """Return the stored result of a run if it is complete and of the same configuration and data."""
    store = ResultStore(results, run.config.name)
    try:
        stored = store.runs()
    except InputError:
        return None
    for one in stored:
        if (one.fold, one.seed, one.fingerprint) == (run.fold, run.seed, fingerprint):
            return one if one.config == run.config.run_fields() and store.is_complete(one) else None
    return None
