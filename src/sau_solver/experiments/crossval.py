"""Do all runs of experiments, in this process, in several or on a Ray cluster, and summarize them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sau_solver.engines.engine import Engine, EngineName, Place, Task, open_engine
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.own_models import file_of, import_files
from sau_solver.experiments.results import RESULTS, RunResult
from sau_solver.experiments.runs import (
    RUNS,
    DoneRun,
    Run,
    do_together,
    remove_leftovers,
    run_together,
    store,
    stored_result,
)
from sau_solver.experiments.summary import Summary, summarize
from sau_solver.models.loading import require_torch
from sau_solver.models.options import NetworkOptions

if TYPE_CHECKING:
    from sau_solver.training.trainer import Report


@dataclass(frozen=True, slots=True)
class Progress:
    """One more run has a result."""

    run: str  # its name
    done: int
    runs: int
    result: RunResult
    new: bool  # False if the result was stored before


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where and how runs are done."""

    results: Path = RESULTS
    checkpoints: Path | None = None  # where trainings write what they resume from; None: interrupted ones start again
    jobs: int | None = None  # runs at a time, or networks that train as one on a GPU; None: 1, or what a cluster has
    report: Report | None = None  # is called with the progress of trainings
    engine: EngineName = "local"
    address: str | None = None  # of a Ray cluster

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise InputError(f"jobs must be at least 1, got {self.jobs}.")


def crossval(
    config: ExperimentConfig,
    folds: Sequence[int] | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    results: Path = RESULTS,
) -> Summary:
    """Do every run that has no result yet, and summarize all; `folds` replaces the folds of the configuration."""
    if folds is not None:
        config = replace(config, folds=tuple(folds))
    return crossval_all([config], RunOptions(results, jobs=jobs), on_progress)[0]


def crossval_all(
    configs: Sequence[ExperimentConfig], options: RunOptions | None = None, on_progress: OnProgress | None = None
) -> list[Summary]:
    """Do every run of several experiments that has no result yet, and summarize each experiment."""
    options = options or RunOptions()
    for config in configs:
        config.one_corpus()
    if len({config.name for config in configs}) < len(configs):
        raise InputError("Experiments that run together must have different names.")
    wanted = {config.name: _runs(config, options) for config in configs}
    every = [run for own in wanted.values() for run in own]
    done: dict[Run, RunResult] = {}

    def finish(run: Run, result: RunResult, new: bool = True) -> None:
        done[run] = result
        if on_progress:
            on_progress(Progress(run.name, len(done), len(every), result, new))

    for run in every:
        if result := stored_result(run, options.results):
            remove_leftovers(run)
            finish(run, result, new=False)
    for run, result in _do([run for run in every if run not in done], options):
        finish(run, result)
    for folder in {run.folder.parent for run in every if run.resumable}:  # now that no run is about to write there
        with suppress(OSError):  # not empty: a model that `sau train` wrote
            folder.rmdir()
    return [summarize(name, [done[run] for run in own]) for name, own in wanted.items()]


def _runs(config: ExperimentConfig, options: RunOptions) -> list[Run]:
    root, resumable = options.checkpoints or RUNS, options.checkpoints is not None
    if options.engine == "ray":
        root = root.resolve()  # the tasks have other working folders
    return [Run(config, fold, seed, root, resumable) for seed in config.seeds for fold in config.folds]


def _do(runs: Sequence[Run], options: RunOptions) -> Iterator[tuple[Run, RunResult]]:
    """Do runs, and yield each with its result as it ends. Only this process stores results."""
    if not runs:
        return
    if options.engine == "local":  # the GPU of this machine belongs to this process
        on_gpu = [run for run in runs if _trains_on_gpu(run.config)]
        for group in _groups(on_gpu, options.jobs or 1):
            judges = min(len(group) + 1, os.cpu_count() or 1)
            yield from zip(group, run_together(group, options.results, None, options.report, judges), strict=True)
        runs = [run for run in runs if run not in on_gpu]
    files = {file for run in runs if (file := file_of(run.config.options))}
    place = Place(options.engine, options.address, options.jobs and min(options.jobs, len(runs) or 1))
    with open_engine(place, partial(import_files, files)) as engine, _heard(engine, options.report) as report:
        tasks = _tasks(runs, engine, options.jobs or 1)
        for _, done in engine.as_completed(partial(_perform, report=report), tasks):
            for one in done:
                yield one.run, store(one, options.results)


def _tasks(runs: Sequence[Run], engine: Engine, together: int) -> list[Task[_Group]]:
    """Return the jobs of an engine: groups that train as one where it gives GPUs, and single runs on a CPU."""
    on_gpu = [run for run in runs if engine.gpus and run.config.training and run.config.training.device != "cpu"]
    tasks = []
    for group in _groups(on_gpu, together):
        cpus = min(len(group) + 1, int(engine.cpus_per_gpu))
        tasks.append(Task(_Group(tuple(group), max(1, cpus)), cpus=cpus, gpus=1))
    return tasks + [Task(_Group((run,))) for run in runs if run not in on_gpu]


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs that are one job, and how many processes compare its predictions with gold."""

    runs: tuple[Run, ...]
    judges: int = 1


def _perform(group: _Group, report: Report | None) -> list[DoneRun]:
    return do_together(group.runs, None, report, group.judges)


@contextmanager
def _heard(engine: Engine, report: Report | None) -> Iterator[Report | None]:
    """Yield a report that the jobs of an engine can call."""
    if report is None:
        yield None
        return
    with engine.telling(report) as told:
        yield told


def _trains_on_gpu(config: ExperimentConfig) -> bool:
    if config.training is None:
        return False
    require_torch()
    from sau_solver.models.devices import find_device  # imports torch

    return find_device(config.training.device).type == "cuda"


def _groups(runs: Sequence[Run], together: int) -> list[list[Run]]:
    """Group runs that can train as one.

    They have the same corpus, training and network; the weight of the alignment and the form of the data may differ.
    Interrupted runs are only grouped with runs that have a checkpoint of the same epoch.
    """
    groups: list[tuple[list[Run], frozenset[str]]] = []
    for run in runs:
        saved = _checkpoints(run)
        for place, (group, common) in enumerate(groups):
            resumable = common & saved if saved else common
            if len(group) < together and bool(saved) == bool(resumable) and _alike(group[0].config, run.config):
                groups[place] = ([*group, run], resumable)
                break
        else:
            groups.append(([run], saved))
    return [group for group, _ in groups]


def _checkpoints(run: Run) -> frozenset[str]:
    """Return the names of a run's checkpoints, which contain the epoch."""
    if not run.resumable:
        return frozenset()
    from sau_solver.models.checkpoint import Checkpoints  # imports torch

    return frozenset(path.name for path in Checkpoints(run.folder / "checkpoints").all())


def _alike(first: ExperimentConfig, second: ExperimentConfig) -> bool:
    if not isinstance(first.options, NetworkOptions) or type(second.options) is not type(first.options):
        return False
    options = second.options.like(first.options)
    fields = {name: getattr(first, name) for name in ("name", "folds", "seeds", "text", "equations")}
    return replace(second, **fields, options=options) == first
