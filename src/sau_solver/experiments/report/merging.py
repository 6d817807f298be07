"""Result files -> experiments whose runs belong together, and which runs they lack.

Runs of one experiment must be of one configuration and of the same data; experiments that are compared must be of the
same data, the same folds and the same part of them. Anything else is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import stdev

from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, find_configs, load_config
from sau_solver.experiments.summary import Accuracy, Summary, summarise
from sau_solver.data.prepared.folds import FOLDS
from sau_solver.experiments.judging import METRICS, Judged
from sau_solver.experiments.results import ResultStore, RunResult, run_name

_GPU_STAGES = ("fit", "predict")  # judging is the processor's


@dataclass(frozen=True, slots=True)
class Said:
    """What one run says of one problem: the metrics that call it right, and the log-probability of what was chosen."""

    id: str
    fold: int
    right: frozenset[str]
    log_probability: float | None


@dataclass(frozen=True)
class Experiment:
    """The runs of results/NAME that belong together, by seed and fold, and the names of those that are missing."""

    name: str
    runs: tuple[RunResult, ...]
    missing: tuple[str, ...]
    store: ResultStore
    config_file: str  # such as configs/paper/sau-hmwp.toml

    @cached_property
    def summary(self) -> Summary:
        """The figures, pooled over runs."""
        return summarise(self.name, self.runs)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that have runs."""
        return tuple(sorted({run.seed for run in self.runs}))

    @property
    def folds(self) -> tuple[int, ...]:
        """The folds that have runs."""
        return tuple(sorted({run.fold for run in self.runs}))

    @property
    def rounds(self) -> float:
        """How many times each fold was run, on average: pooled counts are so many times those of one round."""
        return len(self.runs) / len(self.folds)

    @property
    def protocol(self) -> tuple[str, str, str]:
        """What must be equal where results are compared: the data, their folds, and the part that was tested."""
        config = self.runs[0].config
        return self.runs[0].fingerprint, config["division"], config.get("test", "fold")

    @property
    def gpu_minutes(self) -> float:
        """Minutes of training and searching on a GPU; runs that train as one share the time between them."""
        on_gpu = [run for run in self.runs if run.device != "cpu"]
        return sum(run.seconds_by_stage.get(stage, 0.0) for run in on_gpu for stage in _GPU_STAGES) / 60

    @property
    def devices(self) -> tuple[str, ...]:
        """What the runs were done on."""
        return tuple(dict.fromkeys(run.device for run in self.runs))

    def accuracy(self, metric: str) -> Accuracy:
        """The pooled share, and its deviation from seed to seed, or from fold to fold where there is one seed."""
        pooled = self.summary.metrics[metric]
        if len(self._whole_seeds) < 2:
            return pooled
        by_seed = [self.of_seed(seed).metrics[metric].share for seed in self._whole_seeds]
        return Accuracy(pooled.share, stdev(by_seed))

    def expressible(self, metric: str) -> Accuracy | None:
        """The same over the problems that the model can express; None where those are none."""
        part = self.summary.expressible
        if part is None:
            return self.accuracy(metric)
        if len(self._whole_seeds) < 2 or not part.metrics:
            return part.metrics.get(metric)
        parts = [self.of_seed(seed).expressible for seed in self._whole_seeds]
        return Accuracy(part.metrics[metric].share, stdev(one.metrics[metric].share for one in parts if one))

    @property
    def _whole_seeds(self) -> list[int]:
        """Seeds that were run on as many folds as any, and so can be compared."""
        runs = Counter(run.seed for run in self.runs)
        return [seed for seed in self.seeds if runs[seed] == len(self.folds)]

    def of_seed(self, seed: int) -> Summary:
        """The figures of one seed."""
        return summarise(self.name, [run for run in self.runs if run.seed == seed])

    def of_fold(self, fold: int) -> Summary | None:
        """The figures of one fold, over its seeds; None where it was not run."""
        own = [run for run in self.runs if run.fold == fold]
        return summarise(self.name, own) if own else None

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """The verdicts on every problem, of the first seed."""
        return tuple(_said(one, run.fold) for run in self.runs if run.seed == self.seeds[0] for one in self.judged(run))

    def run(self, fold: int) -> RunResult | None:
        """The first seed's run of a fold, where there is one."""
        return next((run for run in self.runs if run.fold == fold), None)

    def judged(self, run: RunResult) -> list[Judged]:
        """Return the stored predictions of a run; raise InputError if they were changed."""
        return self.store.predictions(run)


def load_experiments(results: Path, configs: Path) -> dict[str, Experiment]:
    """Every experiment with results, by name."""
    if not results.is_dir():
        raise InputError(f"{results}: no such folder; run an experiment first: sau crossval CONFIG.toml")
    files, found = find_configs(configs), {}
    for name in sorted(path.name.removesuffix(".json") for path in results.glob("*.json")):
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
        raise InputError(f"{name}: no results to merge; run the experiment first.")
    first = runs[0]
    for run in runs[1:]:
        if run.fingerprint != first.fingerprint:
            data = f"data {first.fingerprint[:12]}", run.fingerprint[:12]
            raise InputError(_mixed(name, first, run, *data, config_file))
        if run.config != first.config:
            ours, theirs = _difference(first.config, run.config)
            raise InputError(_mixed(name, first, run, ours, theirs, config_file))
    if config is not None and first.config != config.run_fields():
        ours, theirs = _difference(config.run_fields(), first.config)
        raise InputError(
            f"{name}: results of {config_file} ({ours}) were expected, and results/{name} has others ({theirs}); "
            f"run sau crossval {config_file} again, or give the configuration another name."
        )
    ordered = tuple(sorted(runs, key=lambda run: (run.seed, run.fold)))
    return Experiment(name, ordered, tuple(_missing(ordered, config)), store, config_file)


def expected_runs(config: ExperimentConfig) -> list[str]:
    """The runs that a configuration asks for."""
    return [run_name(fold, seed) for seed in config.seeds for fold in config.folds]


def refuse_mixtures(experiments: Iterable[Experiment], where: str) -> None:
    """InputError where experiments that stand in one table are not of the same data, folds and tested part."""
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
                f"{where}: {seen.name} and {one.name} do not compare ({', '.join(differences)}); "
                "run them on the same data and folds, or report them apart."
            )


def _said(judged: Judged, fold: int) -> Said:
    chosen = judged.chosen()
    right = frozenset(metric for metric in METRICS if judged.right(metric))
    return Said(judged.id, fold, right, chosen.log_probability if chosen and not math.isnan(chosen.log_probability) else None)


def _missing(runs: Sequence[RunResult], config: ExperimentConfig | None) -> list[str]:
    """Without a configuration, five folds of every seed seen are expected."""
    here = {run.name for run in runs}
    if config is not None:
        wanted = expected_runs(config)
    else:
        seeds = sorted({run.seed for run in runs})
        wanted = [run_name(fold, seed) for seed in seeds for fold in range(FOLDS)]
    return [name for name in wanted if name not in here]


def _mixed(name: str, first: RunResult, other: RunResult, ours: str, theirs: str, config_file: str) -> str:
    return (
        f"{name}: runs of one experiment were expected; {first.name} has {ours}, "
        f"{other.name} has {theirs}. Run sau crossval {config_file} again."
    )


def _difference(first: Mapping[str, object], other: Mapping[str, object]) -> tuple[str, str]:
    """The first setting in which two configurations differ, as each has it."""
    for key in (*first, *(key for key in other if key not in first)):
        ours, theirs = first.get(key), other.get(key)
        if ours != theirs:
            if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
                inner = _difference(ours, theirs)
                return f"{key}.{inner[0]}", f"{key}.{inner[1]}"
            return f"{key} = {ours!r}", f"{key} = {theirs!r}"
    return "", ""
