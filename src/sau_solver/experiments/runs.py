"""One run of an experiment: learn on the other folds, predict one fold, judge, write the result."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sau_solver.answering.candidates import Candidate
from sau_solver.data import Corpus, data_folder, load
from sau_solver.data.prepared.examples import Prepared, TextView, examples_of, prepare_all
from sau_solver.data.prepared.folds import Division, Manifest, divide, load_manifest
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.equations.normal_form import Level
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, Tested
from sau_solver.experiments.judging import (
    Judged,
    judge_problem,
    shares,
    shares_by,
    shares_of_expressible,
    unreadable,
)
from sau_solver.experiments.own_models import code_of
from sau_solver.experiments.provenance import Clock, versions
from sau_solver.experiments.records import Curves, forget, write_attention, write_curve
from sau_solver.experiments.report.looks import look_at_one
from sau_solver.experiments.results import (
    PACKED,
    SCHEMA,
    RunResult,
    is_complete,
    read_result,
    run_name,
    write_predictions,
    write_result,
)
from sau_solver.models.base import Learner, Predictor
from sau_solver.models.loading import require_torch
from sau_solver.models.options import LearnerOptions, NetworkOptions

if TYPE_CHECKING:
    from sau_solver.training.trainer import Report

RESULTS = Path("results")
VALIDATION_SHARE = 1 / 8  # of the training folds, where choices are made on it


@dataclass(frozen=True)
class Material:
    """A corpus made ready for experiments, with its folds."""

    corpus: Corpus
    manifest: Manifest
    prepared: tuple[Prepared, ...]

    def divide(self, fold: int, tested: Tested = "fold") -> Division[Prepared]:
        """What a fold trains on, validates on and tests.

        To make choices, a slice of the training folds is tested instead of the fold.
        """
        division = divide(self.manifest, fold, self.prepared, lambda one: one.problem.id)
        if tested == "fold":
            return division
        order = list(range(len(division.train)))
        random.Random(f"{self.manifest.name} {fold}").shuffle(order)  # noqa: S311
        held = frozenset(order[: round(VALIDATION_SHARE * len(order))])
        train = tuple(one for place, one in enumerate(division.train) if place not in held)
        return Division(train, (), tuple(one for place, one in enumerate(division.train) if place in held))


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be done."""

    config: ExperimentConfig
    fold: int
    seed: int

    @property
    def name(self) -> str:
        """What progress displays and folders call it."""
        return f"{self.config.name}/{run_name(self.fold, self.seed)}"

    @property
    def is_first(self) -> bool:
        """Whether it is the run of the first fold and seed, which keeps more for figures than the others."""
        return (self.fold, self.seed) == (self.config.folds[0], self.config.seeds[0])

    def result(self, results: Path) -> Path:
        """Its result file."""
        return results / f"{self.name}.json"


def gather(config: ExperimentConfig, folder: Path | None = None) -> Material:
    """Read and prepare what an experiment needs; remembered, since every fold needs the same."""
    corpus, prepared = gather_all(config, folder)
    return Material(corpus, load_manifest(config.manifest, corpus), prepared)


def gather_all(config: ExperimentConfig, folder: Path | None = None) -> tuple[Corpus, tuple[Prepared, ...]]:
    """The same without folds, which not every corpus has."""
    return _gather(config.one_corpus(), config.text, config.equations, folder or data_folder())


@lru_cache(maxsize=4)
def _gather(name: str, text: TextView, equations: Level, folder: Path) -> tuple[Corpus, tuple[Prepared, ...]]:
    corpus = load(name, folder)
    return corpus, tuple(prepare_all(corpus, name, text, equations))


def describe_data(config: ExperimentConfig, fold: int | None, fingerprint: str) -> dict[str, Any]:
    """What a checkpoint says of its data: enough to know what it was trained on and what was held out."""
    described = {
        "corpus": config.corpus,
        "fold": fold,
        "fingerprint": fingerprint,
        "text": config.text,
        "equations": config.equations,
    }
    if code := code_of(config.options):
        described["code"] = code
    return described if fold is None else described | {"division": config.manifest, "test": config.test}


def build(config: ExperimentConfig) -> Learner:
    """The learner that a configuration names, before it has learned anything."""
    if not isinstance(config.options, LearnerOptions):
        raise InputError(f"{config.model} is a network: it is trained, not built.")
    return config.options.build()


def run(
    config: ExperimentConfig, fold: int, seed: int, results: Path = RESULTS, material: Material | None = None
) -> RunResult:
    """Do one run, or return the result of an earlier one with the same configuration and data."""
    return run_together([Job(config, fold, seed)], results, material)[0]


def run_together(
    jobs: Sequence[Job],
    results: Path = RESULTS,
    material: Material | None = None,
    report: Report | None = None,
    checkpoints: Path | None = None,
    judges: int = 1,
) -> list[RunResult]:
    """Do several runs that can train as one; those that have a result already are not repeated.

    `checkpoints` is a folder for what an interrupted training resumes from; `judges` is how many processes compare
    predictions with gold.
    """
    materials = [material or gather(job.config) for job in jobs]
    done: dict[Job, RunResult] = {}
    pending: list[tuple[Job, Material, Division[Prepared]]] = []
    for job, own in zip(jobs, materials, strict=True):
        if before := finished(job.config, job.fold, job.seed, own.corpus.fingerprint, results):
            done[job] = before
            continue
        pending.append((job, own, own.divide(job.fold, job.config.test)))
        (results / job.config.name).mkdir(parents=True, exist_ok=True)
        # So that no old result stands beside new predictions.
        job.result(results).unlink(missing_ok=True)
        forget(job.result(results))
    if pending:
        clock = Clock()
        folders = {job.name: checkpoints / job.name for job, _, _ in pending} if checkpoints else {}
        curves = Curves(report, folders)
        models, device = _learned(pending, curves, folders)
        clock.stage("fit")
        candidates = [
            model.predict([one.text for one in division.test], job.config.beam)
            for model, (job, _, division) in zip(models, pending, strict=True)
        ]
        clock.stage("predict")
        judged = _judged([division.test for _, _, division in pending], candidates, judges)
        judged = [
            [
                replace(one, expressible=_is_expressible(gold, job.config))
                for one, gold in zip(own, division.test, strict=True)
            ]
            for own, (job, _, division) in zip(judged, pending, strict=True)
        ]
        clock.stage("judge")
        # Of what was done for all runs at once each takes an equal share.
        seconds = {stage: spent / len(pending) for stage, spent in clock.seconds.items()}
        for place, (job, own, division) in enumerate(pending):
            fingerprint = own.corpus.fingerprint
            if job.config.training:  # a network
                write_curve(curves.epochs(job.name, job.config.training.epochs), job.result(results))
                if job.is_first and (looks := look_at_one(models[place], division.test, judged[place])):
                    write_attention(looks, job.result(results))
            together = (1 if device == "cpu" else len(pending)) if job.config.training else None
            done[job] = _write(
                job, division, judged[place], seconds, device, together, models[place].name, fingerprint, results
            )
            if checkpoints and not (checkpoints / job.name / "model").exists():  # that is one of `sau train`
                shutil.rmtree(checkpoints / job.name, ignore_errors=True)
                with suppress(OSError):  # another run has its folder there
                    (checkpoints / job.config.name).rmdir()
    return [done[job] for job in jobs]


def _learned(
    pending: Sequence[tuple[Job, Material, Division[Prepared]]], report: Report, folders: Mapping[str, Path]
) -> tuple[Sequence[Predictor], str]:
    """Models that have learned from the training part, and the device that they did it on."""
    training = pending[0][0].config.training
    if training is None:
        models = []
        for job, _, division in pending:
            models.append(build(job.config))
            models[-1].fit(list(examples_of(division.train)))
        return models, "cpu"
    require_torch()
    from sau_solver.training import learning  # torch, only where a network is trained

    tasks = [
        learning.TrainingTask(
            job.name,
            list(examples_of(division.train)),
            job.config.options,
            job.seed,
            folders.get(job.name),
            describe_data(job.config, job.fold, material.corpus.fingerprint),
        )
        for job, material, division in pending
        if isinstance(job.config.options, NetworkOptions)
    ]
    solvers = learning.learn(tasks, training, report, resume=bool(folders), keep=False)
    return solvers, learning.device_name(training)


def _write(
    job: Job,
    division: Division[Prepared],
    judged: Sequence[Judged],
    seconds: Mapping[str, float],
    device: str,
    together: int | None,
    model: str,
    fingerprint: str,
    results: Path,
) -> RunResult:
    config, folder = job.config, results / job.config.name
    predictions = folder / f"{run_name(job.fold, job.seed)}{PACKED}"
    digest = write_predictions(judged, predictions, config.keep_log_probabilities)
    result = RunResult(
        schema=SCHEMA,
        model=model,
        corpus=config.corpus,
        fold=job.fold,
        seed=job.seed,
        epochs=config.training.epochs if config.training else None,
        epoch_choice="last" if config.training else None,
        problems=len(judged),
        unusable={
            "train": sum(not _is_learned(one, config) for one in division.train),
            "test": sum(one.tree is None for one in division.test),
            **({"outputs": outputs} if (outputs := unreadable(judged)) else {}),
        },
        **scores(judged),
        seconds=round(sum(seconds.values()), 2),
        seconds_by_stage={stage: round(spent, 2) for stage, spent in seconds.items()},
        device=device,
        versions=versions(),
        fingerprint=fingerprint,
        config=config.run_fields(),
        predictions={"file": predictions.name, "sha256": digest},
        together=together,
    )
    write_result(result, job.result(results))
    return result


def _is_learned(one: Prepared, config: ExperimentConfig) -> bool:
    """Whether a model learns from a problem: it has a tree, which the model can express."""
    if one.learned is None:
        return False
    return not isinstance(config.options, NetworkOptions) or config.options.expressed(one.learned) is not None


def _is_expressible(one: Prepared, config: ExperimentConfig) -> bool:
    """Whether the model can write a problem's gold tree; only networks that leave trees out are asked."""
    selective = isinstance(config.options, NetworkOptions) and config.options.selective
    return not selective or _is_learned(one, config)


def _judged(
    tested: Sequence[Sequence[Prepared]], candidates: Sequence[Sequence[Sequence[Candidate]]], processes: int
) -> list[list[Judged]]:
    """The candidates of several runs compared with gold, in this process or in several."""
    problems = [one for run in tested for one in run]
    proposed = [one for run in candidates for one in run]
    if processes == 1:
        judged = list(map(judge_problem, problems, proposed))
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            judged = list(pool.map(judge_problem, problems, proposed, chunksize=32))
    ends = list(itertools.accumulate(map(len, tested), initial=0))
    return [judged[start:end] for start, end in itertools.pairwise(ends)]


def earlier(job: Job, results: Path = RESULTS) -> RunResult | None:
    """The result of a job that was done before; the corpus is read only where there is a file."""
    if not job.result(results).is_file():
        return None
    return finished(job.config, job.fold, job.seed, gather(job.config).corpus.fingerprint, results)


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
        "expressible": shares_of_expressible(judged),
    }
