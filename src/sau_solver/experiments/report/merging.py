"""Result files -> experiments with all their runs, and the names of missing runs.

The runs of one experiment must have the same configuration and data. Experiments that are compared must have the same
data and folds, and test the same part of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import stdev

from sau_solver.data.prepared.folds import FOLDS
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, find_configs, load_config
from sau_solver.experiments.judging import METRICS, Judged
from sau_solver.experiments.results import ResultStore, RunResult, run_name
from sau_solver.experiments.summary import Accuracy, Summary, summarize

_GPU_STAGES = ("fit", "predict")  # judging runs on the CPU


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one problem in one run: the metrics that count it as right, and the chosen log-probability."""

    id: str
    fold: int
    right: frozenset[str]
    log_probability: float | None


@dataclass(frozen=True)
class Experiment:
    """The stored runs of an experiment by seed and fold, and the names of the missing ones."""

    name: str
    runs: tuple[RunResult, ...]
    missing: tuple[str, ...]
    store: ResultStore
    config_file: str  # such as configs/paper/sau-hmwp.toml

    @cached_property
    def summary(self) -> Summary:
        """Return the figures, pooled over runs."""
        return summarize(self.name, self.runs)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds that have runs."""
        return tuple(sorted({run.seed for run in self.runs}))

    @property
    def folds(self) -> tuple[int, ...]:
        """Return the folds that have runs."""
        return tuple(sorted({run.fold for run in self.runs}))

    @property
    def rounds(self) -> float:
        """Return how often each fold was run on average; divide pooled counts by it to get those of one round."""
        return len(self.runs) / len(self.folds)

    @property
    def protocol(self) -> tuple[str, str, str]:
        """Return what must be equal to compare results: the data, their folds, and the tested part."""
        config = self.runs[0].config
        return self.runs[0].fingerprint, config["division"], config.get("test", "fold")

    @property
    def gpu_minutes(self) -> float:
        """Return the minutes of training and search on a GPU; runs that trained as one share the time."""
        on_gpu = [run for run in self.runs if run.device != "cpu"]
        return sum(run.seconds_by_stage.get(stage, 0.0) for run in on_gpu for stage in _GPU_STAGES) / 60

    def accuracy(self, metric: str) -> Accuracy:
        """Return the pooled share and its deviation between seeds, or between folds if there is one seed."""
        pooled = self.summary.metrics[metric]
        if len(self._whole_seeds) < 2:
            return pooled
        by_seed = [self.of_seed(seed).metrics[metric].share for seed in self._whole_seeds]
        return Accuracy(pooled.share, stdev(by_seed))

    def expressible(self, metric: str) -> Accuracy | None:
        """Return the same over the problems whose gold tree the model can write; None if there are none."""
        part = self.summary.expressible
        if part is None:
            return self.accuracy(metric)
        if len(self._whole_seeds) < 2 or not part.metrics:
            return part.metrics.get(metric)
        parts = [self.of_seed(seed).expressible for seed in self._whole_seeds]
        return Accuracy(part.metrics[metric].share, stdev(one.metrics[metric].share for one in parts if one))

    @property
    def _whole_seeds(self) -> list[int]:
        """Return the seeds that were run on every fold, so that they can be compared."""
        runs = Counter(run.seed for run in self.runs)
        return [seed for seed in self.seeds if runs[seed] == len(self.folds)]

    def of_seed(self, seed: int) -> Summary:
        """Return the figures of one seed."""
        return summarize(self.name, [run for run in self.runs if run.seed == seed])

    def of_fold(self, fold: int) -> Summary | None:
        """Return the figures of one fold over its seeds; None if it was not run."""
        own = [run for run in self.runs if run.fold == fold]
        return summarize(self.name, own) if own else None

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Return the verdicts on every problem, for the first seed."""
        return tuple(
            _verdict(one, run.fold) for run in self.runs if run.seed == self.seeds[0] for one in self.judged(run)
        )

    def run(self, fold: int) -> RunResult | None:
        """Return the run of a fold with the first seed; None if there is none."""
        return next((run for run in self.runs if run.fold == fold), None)

    def judged(self, run: RunResult) -> list[Judged]:
        """Return the stored predictions of a run; raise InputError if they were changed."""
        return self.store.predictions(run)


def load_experiments(results: Path, configs: Path, names: Sequence[str] = ()) -> dict[str, Experiment]:
    """Return the named experiments, or every experiment with results, by name."""
    if not results.is_dir():
        raise InputError(f"The folder {results} does not exist. Run an experiment first: sau crossval CONFIG.toml")
    files, found = find_configs(configs), {}
    for name in names or sorted(path.name.removesuffix(".json") for path in results.glob("*.json")):
        store, path = ResultStore(results, name), files.get(name)
        config = load_config(path) if path else None
        found[name] = merge(store, store.runs(), config, shown_path(path, configs) if path else "")
    return found


def shown_path(path: Path, configs: Path) -> str:
    """Return a configuration's path as commands and messages show it, whatever folder `configs` is."""
    return f"configs/{path.relative_to(configs).as_posix()}"


def merge(
    store: ResultStore, runs: Sequence[RunResult], config: ExperimentConfig | None, config_file: str = ""
) -> Experiment:
    """Put the runs of an experiment together; raise InputError if their data or configurations differ."""
    name = store.experiment
    config_file = config_file or f"configs/{name}.toml"
    if not runs:
        raise InputError(f"{name} has no results. Run the experiment first.")
    first = runs[0]
    for run in runs[1:]:
        ours, theirs = f"data {first.fingerprint[:12]}", run.fingerprint[:12]
        if run.fingerprint == first.fingerprint:
            ours, theirs = _difference(first.config, run.config)
        if ours != theirs:
            raise InputError(
                f"{name}: the runs must have the same configuration and data, but {first.name} has {ours} and "
                f"{run.name} has {theirs}. Run sau crossval {config_file} again."
            )
    if config is not None and first.config != config.run_fields():
        ours, theirs = _difference(config.run_fields(), first.config)
        raise InputError(
            f"{config_file} has {ours}, but the stored results have {theirs}. "
            f"Run sau crossval {config_file} again, or give the configuration another name."
        )
    ordered = tuple(sorted(runs, key=lambda run: (run.seed, run.fold)))
    return Experiment(name, ordered, tuple(_missing(ordered, config)), store, config_file)


def expected_runs(config: ExperimentConfig) -> list[str]:
    """Return the names of all runs of a configuration."""
    return [run_name(fold, seed) for seed in config.seeds for fold in config.folds]


def refuse_mixtures(experiments: Iterable[Experiment], where: str) -> None:
    """Raise InputError if experiments of one table have different data, folds or tested parts."""
    seen: Experiment | None = None
    for one in experiments:
        seen = seen or one
        if one.protocol != seen.protocol:
            names = ("data", "folds", "tested part")
            differences = [
                f"{name} {ours[:12]} and {theirs[:12]}"
                for name, ours, theirs in zip(names, seen.protocol, one.protocol, strict=True)
                if ours != theirs
            ]
            raise InputError(
                f"{where}: {seen.name} and {one.name} cannot be compared ({', '.join(differences)}). "
                "Run them on the same data and folds, or report them separately."
            )


def _verdict(judged: Judged, fold: int) -> Verdict:
    chosen = judged.chosen()
    right = frozenset(metric for metric in METRICS if judged.right(metric))
    return Verdict(
        judged.id, fold, right, chosen.log_probability if chosen and not math.isnan(chosen.log_probability) else None
    )


def _missing(runs: Sequence[RunResult], config: ExperimentConfig | None) -> list[str]:
    """Return the names of missing runs; without a configuration every seed should have five folds."""
    here = {run.name for run in runs}
    if config is not None:
        wanted = expected_runs(config)
    else:
        seeds = sorted({run.seed for run in runs})
        wanted = [run_name(fold, seed) for seed in seeds for fold in range(FOLDS)]
    return [name for name in wanted if name not in here]


def _difference(first: Mapping[str, object], other: Mapping[str, object]) -> tuple[str, str]:
    """Return the first setting in which two configurations differ, as each has it."""
    for key in (*first, *(key for key in other if key not in first)):
        ours, theirs = first.get(key), other.get(key)
        if ours != theirs:
            if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
                inner = _difference(ours, theirs)
                return f"{key}.{inner[0]}", f"{key}.{inner[1]}"
            return f"{key} = {ours!r}", f"{key} = {theirs!r}"
    return "", ""
