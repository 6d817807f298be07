"""Runs with and without SSAR, paired by seed and fold -> what the alignment adds, with its standard error."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean, stdev

from sau_solver.experiments.report import paper
from sau_solver.experiments.report.merging import Experiment
from sau_solver.experiments.report.significance import sign_flips
from sau_solver.experiments.report.table import Cell, Chance, Compared, Table
from sau_solver.experiments.results import RunResult

_DECLARED = {system.name: system.experiments for system in paper.SYSTEMS}


def alignment_table(experiments: Mapping[str, Experiment], protocol: str) -> Table:
    """Return one row per corpus that has runs of both kinds with the same seeds and folds."""
    rows: list[tuple[Cell, ...]] = []
    for corpus, title in paper.CORPORA.items():
        with_ssar, without = (
            experiments.get(_DECLARED[name].get(corpus, "")) for name in (paper.SAU, paper.WITHOUT_SSAR)
        )
        if with_ssar and without and (pairs := _pairs(with_ssar, without)):
            rows.append((title, *_figures(pairs, protocol)))
    return Table(
        f"alignment-{protocol}",
        f"What SSAR adds, {protocol}",
        ("corpus", "pairs of runs", "with SSAR", "without", "difference", "p"),
        tuple(rows),
        (
            "Runs with and without SSAR are paired by seed and fold. ± is the standard error of the difference over "
            "the pairs. p is the share of all sign flips of the differences that are at least as extreme. Seeds of one "
            "fold share their problems, so the true error is larger. Five pairs cannot give a p below 0.0625.",
        ),
    )


def _pairs(first: Experiment, second: Experiment) -> list[tuple[RunResult, RunResult]]:
    others = {(run.seed, run.fold): run for run in second.runs}
    return [(run, other) for run in first.runs if (other := others.get((run.seed, run.fold)))]


def _figures(pairs: list[tuple[RunResult, RunResult]], protocol: str) -> tuple[Cell, ...]:
    points = [[100 * run.metrics[protocol] for run in side] for side in zip(*pairs, strict=True)]
    differences = [ours - theirs for ours, theirs in zip(*points, strict=True)]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else None
    problems = [ours.problems * (ours.metrics[protocol] - theirs.metrics[protocol]) for ours, theirs in pairs]
    return (
        Compared(float(len(pairs)), digits=0),
        *(Compared(fmean(side)) for side in points),
        Compared(fmean(differences), deviation=error),
        Chance(sign_flips([round(each) for each in problems])),
    )
