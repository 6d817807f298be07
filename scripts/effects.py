"""Compare stored experiments with a control: effect sizes and intervals from a paired bootstrap over folds and seeds.

    python scripts/effects.py sau-hmwp-without-ssar sau-hmwp
    python scripts/effects.py --results results/choices g0-alg-none g1-alg-idle g3-alg-infonce-10

The first experiment is the control. All must have the same data, folds and tested part.

Two runs are a pair if they have the same fold and the same seed. The bootstrap draws folds with replacement, and for
each of them seeds with replacement: seeds of one fold share their problems, but runs of one seed in different folds
have nothing in common. So the interval covers the choice of problems and the luck of a training, unlike McNemar's test.
It draws one fold less than there are: otherwise the error of so few folds would be too small.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from sau_solver.errors import InputError, SauError
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.report.merging import Experiment, load_experiments, refuse_mixtures
from sau_solver.experiments.report.rendering import json_fields, markdown
from sau_solver.experiments.report.table import Cell, Code, Compared, Table

ROOT = Path(__file__).parents[1]
DRAWS = 10_000
_TAIL = 0.025  # of the draws, beyond each end of the interval
_ERRORS = 2.0  # standard errors that make a difference more than luck


@dataclass(frozen=True, slots=True)
class Effect:
    """What an experiment changes against its control; all figures but the counts and the size are percentage points."""

    pairs: int
    ahead: int  # pairs in which the experiment is better
    behind: int
    accuracy: float
    control: float
    difference: float
    error: float  # standard error of the difference
    low: float  # of the 95 % interval
    high: float
    size: float | None  # the mean of the pairs' differences over their standard deviation; None if that is 0

    @property
    def beyond_luck(self) -> bool:
        """Tell whether the difference is more than two standard errors."""
        return abs(self.difference) > _ERRORS * self.error


@dataclass(frozen=True, slots=True)
class _Pair:
    problems: int
    ours: float  # points
    theirs: float

    @property
    def difference(self) -> float:
        return self.ours - self.theirs


def effect(experiment: Experiment, control: Experiment, metric: str, draws: int = DRAWS) -> Effect:
    """Compare two experiments over the folds and seeds that both have; at least two pairs are needed."""
    refuse_mixtures([control, experiment], metric)
    by_fold = _pairs(experiment, control, metric)
    every = [pair for pairs in by_fold.values() for pair in pairs]
    if len(every) < 2:
        raise InputError(
            f"{experiment.name} and {control.name} must have at least two runs of the same fold and seed in common, "
            f"got {len(every)}. Run them with the same folds and seeds."
        )
    differences = [pair.difference for pair in every]
    deviation = stdev(differences)
    drawn = _bootstrap(list(by_fold.values()), draws)
    return Effect(
        pairs=len(every),
        ahead=sum(each > 0 for each in differences),
        behind=sum(each < 0 for each in differences),
        accuracy=_pooled([(pair.problems, pair.ours) for pair in every]),
        control=_pooled([(pair.problems, pair.theirs) for pair in every]),
        difference=_pooled([(pair.problems, pair.difference) for pair in every]),
        error=stdev(drawn),
        low=drawn[round(_TAIL * (draws - 1))],
        high=drawn[round((1 - _TAIL) * (draws - 1))],
        size=fmean(differences) / deviation if deviation else None,
    )


def effect_table(experiments: Mapping[str, Experiment], control: str, names: Sequence[str], metric: str) -> Table:
    """Return one row per experiment, compared with the control."""
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        found = effect(experiments[name], experiments[control], metric)
        rows.append(
            (
                Code(name),
                Compared(float(found.pairs), digits=0),
                Compared(found.control),
                Compared(found.accuracy),
                Compared(found.difference, deviation=found.error),
                f"{_signed(found.low)} to {_signed(found.high)}",
                None if found.size is None else Compared(found.size),
                f"{found.ahead} : {found.behind}",
                "yes" if found.beyond_luck else "no",
            )
        )
    return Table(
        f"effects-{metric}",
        f"Effects against {control}, {metric}",
        ("experiment", "pairs", "control", "accuracy", "difference", "95 %", "size", "ahead : behind", "> 2 errors"),
        tuple(rows),
        (
            f"Runs are paired by fold and seed. The standard error (±) and the interval come from {DRAWS:,} draws of a "
            "paired bootstrap over folds and, within each fold, over seeds. size is the mean difference of the pairs "
            "over its standard deviation.",
        ),
    )


def _pairs(experiment: Experiment, control: Experiment, metric: str) -> dict[int, list[_Pair]]:
    others = {(run.fold, run.seed): run for run in control.runs}
    by_fold: dict[int, list[_Pair]] = defaultdict(list)
    for run in experiment.runs:
        if other := others.get((run.fold, run.seed)):
            for one in (run, other):
                if metric not in one.metrics:
                    raise InputError(f"{one.name} has no metric {metric!r}. It has {', '.join(one.metrics)}.")
            by_fold[run.fold].append(_Pair(run.problems, 100 * run.metrics[metric], 100 * other.metrics[metric]))
    return dict(by_fold)


def _bootstrap(folds: Sequence[Sequence[_Pair]], draws: int) -> list[float]:
    """Return the differences of drawn folds and seeds in ascending order; always the same for the same pairs."""
    rng = random.Random(0)  # noqa: S311
    known = [[(pair.problems, pair.difference) for pair in fold] for fold in folds]
    least = max(1, len(known) - 1)
    return sorted(
        _pooled([pair for fold in rng.choices(known, k=least) for pair in rng.choices(fold, k=len(fold))])
        for _ in range(draws)
    )


def _pooled(values: Sequence[tuple[int, float]]) -> float:
    """Return the mean over all problems of all runs."""
    return sum(count * value for count, value in values) / sum(count for count, _ in values)


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def main() -> None:
    """Print one table per metric."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("control", help="the experiment that the others are compared with")
    arguments.add_argument("names", nargs="+", metavar="NAME", help="an experiment with results")
    arguments.add_argument("--results", type=Path, default=ROOT / "results", help="the folder of the results")
    arguments.add_argument("--metric", action="append", choices=METRICS, help="default: reference")
    arguments.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = arguments.parse_args()
    try:
        experiments = load_experiments(options.results, ROOT / "configs", [options.control, *options.names])
        tables = [
            effect_table(experiments, options.control, options.names, metric)
            for metric in options.metric or ["reference"]
        ]
    except SauError as error:
        sys.exit(str(error))
    shown = json.dumps([json_fields(table) for table in tables], indent=1, ensure_ascii=False) + "\n"
    print(shown if options.json else markdown(tables), end="")


if __name__ == "__main__":
    main()
