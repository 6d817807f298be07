"""All runs of an experiment, in this process or in several, and their summary."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING

from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.results import RunResult
from sau_solver.experiments.runs import RESULTS, Job, earlier, run_together
from sau_solver.models.loading import require_torch
from sau_solver.models.options import NetworkOptions

if TYPE_CHECKING:
    from sau_solver.training.trainer import EpochReport, Report


@dataclass(frozen=True, slots=True)
class Progress:
    """One more run has ended, or had a result already."""

    run: str  # its name
    done: int
    runs: int
    result: RunResult
    new: bool


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share over all problems of all runs, and its standard deviation from run to run (0 for a single run)."""

    share: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Expressible:
    """The figures over the problems that a model can express, for one that cannot express all; empty for none."""

    problems: int  # over all runs
    metrics: Mapping[str, Accuracy]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of an experiment, pooled over its runs."""

    name: str
    model: str
    corpus: str
    runs: int
    problems: int  # over all runs
    metrics: Mapping[str, Accuracy]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]
    seconds: float
    expressible: Expressible | None = None  # None where the model can express every problem


def crossval(
    config: ExperimentConfig,
    folds: Sequence[int] | None = None,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    results: Path = RESULTS,
) -> Summary:
    """Run every fold and seed that has no result yet and sum up; `folds` replaces those of the configuration."""
    return crossval_all([config], folds, jobs, on_progress, results)[0]


def crossval_all(
    configs: Sequence[ExperimentConfig],
    folds: Sequence[int] | None = None,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    results: Path = RESULTS,
    report: Report | None = None,
    checkpoints: Path | None = None,
) -> list[Summary]:
    """The same for several experiments. On a GPU up to `jobs` networks of one shape train as one."""
    if jobs < 1:
        raise InputError(f"jobs must be at least 1; {jobs} came.")
    for config in configs:
        config.one_corpus()
    wanted = {
        config.name: [
            Job(config, fold, seed) for seed in config.seeds for fold in (config.folds if folds is None else folds)
        ]
        for config in configs
    }
    if len(wanted) < len(configs):
        raise InputError("Experiments that run together need different names.")
    everything = [job for own in wanted.values() for job in own]
    if not everything:
        raise InputError("At least one fold was expected, none came.")
    done: dict[Job, RunResult] = {}

    def finish(ended: Sequence[Job], found: Sequence[RunResult], new: bool = True) -> None:
        for job, result in zip(ended, found, strict=True):
            done[job] = result
            if on_progress:
                on_progress(Progress(job.name, len(done), len(everything), result, new))

    for job in everything:
        if result := earlier(job, results):
            finish([job], [result], new=False)
    on_gpu = [job for job in everything if job not in done and _trains_on_gpu(job.config)]
    for group in _groups(on_gpu, jobs, checkpoints):
        judges = min(len(group) + 1, os.cpu_count() or 1)
        finish(group, run_together(group, results, None, report, checkpoints, judges))
    others = [job for job in everything if job not in done]
    if jobs == 1 or len(others) == 1:
        for job in others:
            finish([job], run_together([job], results, None, report, checkpoints))
    elif others:
        # New interpreters, not forks: the parent may hold threads, as torch does.
        spawn = get_context("spawn")
        with _handed_on(report, spawn) as told, ProcessPoolExecutor(min(jobs, len(others)), spawn) as pool:
            pending = {pool.submit(run_together, [job], results, None, told, checkpoints): job for job in others}
            for future in as_completed(pending):
                finish([pending[future]], future.result())
    return [summarise(name, [done[job] for job in own]) for name, own in wanted.items()]


@contextmanager
def _handed_on(report: Report | None, context: SpawnContext) -> Iterator[Report | None]:
    """A report that other processes can call; what they tell is handed on in a thread of this one."""
    if report is None:
        yield None
        return
    with context.Manager() as manager:
        told: Queue[EpochReport | None] = manager.Queue()

        def hand_on() -> None:
            while (epoch := told.get()) is not None:
                report(epoch)

        thread = Thread(target=hand_on, daemon=True)
        thread.start()
        try:
            yield told.put
        finally:
            told.put(None)
            thread.join()


def _trains_on_gpu(config: ExperimentConfig) -> bool:
    if config.training is None:
        return False
    require_torch()
    from sau_solver.training.learning import trains_on_gpu  # torch, only where a network is trained

    return trains_on_gpu(config.training)


def _groups(jobs: Sequence[Job], together: int, checkpoints: Path | None = None) -> list[list[Job]]:
    """Runs that can train as one: same corpus, training and network; the alignment's weight and the form of the data
    may differ. Interrupted ones resume from an epoch that all of a group were saved at.
    """
    groups: list[tuple[list[Job], frozenset[str]]] = []
    for job in jobs:
        saved = _saved(job, checkpoints)
        for place, (group, common) in enumerate(groups):
            resumable = common & saved if saved else common
            if len(group) < together and bool(saved) == bool(resumable) and _alike(group[0].config, job.config):
                groups[place] = ([*group, job], resumable)
                break
        else:
            groups.append(([job], saved))
    return [group for group, _ in groups]


def _saved(job: Job, checkpoints: Path | None) -> frozenset[str]:
    """The names of a run's checkpoints, which tell epochs."""
    if checkpoints is None:
        return frozenset()
    from sau_solver.models.checkpoint import Checkpoints  # torch, only where a network is trained

    return frozenset(path.name for path in Checkpoints(checkpoints / job.name / "checkpoints").all())


def _alike(first: ExperimentConfig, second: ExperimentConfig) -> bool:
    if not isinstance(first.options, NetworkOptions) or type(second.options) is not type(first.options):
        return False
    options = second.options.like(first.options)
    fields = {name: getattr(first, name) for name in ("name", "folds", "seeds", "text", "equations")}
    return replace(second, **fields, options=options) == first


def summarise(name: str, results: Sequence[RunResult]) -> Summary:
    """Pool the results of one experiment."""
    if not results:
        raise InputError(f"{name}: no results to sum up; run the experiment first.")
    problems = [float(result.problems) for result in results]
    return Summary(
        name=name,
        model=results[0].model,
        corpus=results[0].corpus,
        runs=len(results),
        problems=sum(result.problems for result in results),
        metrics={metric: _accuracy([result.metrics[metric] for result in results], problems) for metric in METRICS},
        by_type=_pooled([result.by_type for result in results]),
        by_size=_pooled([result.by_size for result in results]),
        seconds=round(sum(result.seconds for result in results), 2),
        expressible=_expressible(results),
    )


def _expressible(results: Sequence[RunResult]) -> Expressible | None:
    if not any(result.expressible for result in results):
        return None
    # A fold may have nothing but problems that the model can express, or none of them.
    rows = [result.expressible or {"problems": result.problems, **result.metrics} for result in results]
    rows = [row for row in rows if row["problems"]]
    counts = [row["problems"] for row in rows]
    shares = {metric: _accuracy([row[metric] for row in rows], counts) for metric in METRICS} if rows else {}
    return Expressible(int(sum(counts)), shares)


def _accuracy(shares: Sequence[float], problems: Sequence[float]) -> Accuracy:
    mean = math.fsum(shares) / len(shares)
    squares = math.fsum((share - mean) ** 2 for share in shares)
    deviation = math.sqrt(squares / (len(shares) - 1)) if len(shares) > 1 else 0.0
    return Accuracy(_weighted(shares, problems), deviation)


def _weighted(shares: Sequence[float], problems: Sequence[float]) -> float:
    return math.fsum(share * count for share, count in zip(shares, problems, strict=True)) / math.fsum(problems)


def _pooled(groups: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for group in groups for name in group)
    pooled: dict[str, dict[str, float]] = {}
    for name in names:
        rows = [group[name] for group in groups if name in group]
        counts = [row["problems"] for row in rows]
        pooled[name] = {"problems": sum(counts)} | {
            metric: _weighted([row[metric] for row in rows], counts) for metric in METRICS
        }
    return pooled
