"""All runs of an experiment, in this process or in several, and their summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.results import RunResult
from sau_solver.experiments.runs import RESULTS, gather, run


@dataclass(frozen=True, slots=True)
class Progress:
    """One more run has ended."""

    done: int
    runs: int
    result: RunResult


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share over all problems of all runs, and its standard deviation from run to run (0 for a single run)."""

    share: float
    deviation: float


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


def crossval(
    config: ExperimentConfig,
    folds: Sequence[int] | None = None,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    results: Path = RESULTS,
) -> Summary:
    """Run every fold and seed that has no result yet and sum up; `folds` replaces those of the configuration."""
    if jobs < 1:
        raise InputError(f"jobs must be at least 1; {jobs} came.")
    wanted = [(fold, seed) for seed in config.seeds for fold in (config.folds if folds is None else folds)]
    if not wanted:
        raise InputError("At least one fold was expected, none came.")
    done: dict[tuple[int, int], RunResult] = {}

    def finish(fold: int, seed: int, result: RunResult) -> None:
        done[fold, seed] = result
        if on_progress:
            on_progress(Progress(len(done), len(wanted), result))

    if jobs == 1 or len(wanted) == 1:
        material = gather(config)
        for fold, seed in wanted:
            finish(fold, seed, run(config, fold, seed, results, material))
    else:
        # New interpreters, not forks: the parent may hold threads, as torch does.
        with ProcessPoolExecutor(min(jobs, len(wanted)), mp_context=get_context("spawn")) as pool:
            pending = {pool.submit(run, config, fold, seed, results): (fold, seed) for fold, seed in wanted}
            for future in as_completed(pending):
                finish(*pending[future], future.result())
    return summarise(config.name, [done[key] for key in wanted])


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
    )


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
