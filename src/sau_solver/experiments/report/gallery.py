"""Merged experiments -> the figures of a report, as SVG files: those that the stored results suffice for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sau_solver.experiments.records import Looking, read_attention, read_curve
from sau_solver.experiments.report.reliability import risk_coverage
from sau_solver.experiments.results import run_name
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.accuracy import COMPARABLE, on_corpus, standing_for
from sau_solver.experiments.report.figures import (
    Line,
    accuracy_by_size,
    attention_map,
    drawing,
    learning_curves,
    risk_coverage_curves,
    save,
)
from sau_solver.experiments.report.merging import Experiment
from sau_solver.experiments.report.systems import SYSTEMS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLES = {
    "decoder": "attention of each node",
    "alignment": "SSAR: where subtrees look",
    "similarity": "SSAR: how near subtrees are to words",
}


def draw_all(experiments: Mapping[str, Experiment], folder: Path, ending: str = ".svg") -> list[Path]:
    """Draw every figure that there are results for; the files that were written."""
    with drawing():
        return [save(figure, folder / f"{name}{ending}") for name, figure in _figures(experiments)]


def draw_looks(model: str, looks: Sequence[Looking], folder: Path, ending: str = ".svg") -> list[Path]:
    """Draw where a model looks in a problem."""
    with drawing():
        return [
            save(attention_map(look, f"{model}, {_TITLES[look.kind]}"), folder / f"{look.kind}-{model}{ending}")
            for look in looks
        ]


def _figures(experiments: Mapping[str, Experiment]) -> Iterator[tuple[str, Figure]]:
    for corpus, title in paper.CORPORA.items():
        lines = _lines(corpus, experiments)
        if not lines:
            continue
        yield f"size-{corpus}", _by_size(lines, corpus, f"{title}: accuracy by size of the tree, {COMPARABLE}")
        curves = {
            line: risk_coverage(
                [_confidence(said.log_probability) for said in own.said], ["answer" in said.right for said in own.said]
            )
            for line, own in lines.items()
            if all(said.log_probability is not None for said in own.said)
        }
        if curves:
            yield f"risk-coverage-{corpus}", risk_coverage_curves(curves, f"{title}: risk and coverage, answer")
    for name, own in experiments.items():
        yield from _kept(name, own)


def _lines(corpus: str, experiments: Mapping[str, Experiment]) -> dict[Line, Experiment]:
    """The systems that have runs on a corpus; a remark stands behind the name of one that is not complete."""
    on_corpus(corpus, experiments)  # refuses what does not compare
    found = {}
    for place, system in enumerate(SYSTEMS):
        own, remark = standing_for(system, corpus, experiments)
        if own is not None:
            found[Line(f"{system.name} {remark}".rstrip(), place)] = own
    return found


def _by_size(lines: Mapping[Line, Experiment], corpus: str, title: str) -> Figure:
    systems = {
        line: {size: 100 * row[COMPARABLE] for size, row in own.summary.by_size.items()} for line, own in lines.items()
    }
    printed = paper.BY_SIZE.get(corpus, {})
    shares = {size: 100 * right / (right + wrong) for size, (right, wrong) in printed.items() if right + wrong}
    if shares:
        systems[Line(f"paper: {paper.SAU}, one fold", None)] = shares
    most = max(lines.values(), key=lambda own: own.summary.problems)
    problems = {size: row["problems"] / most.rounds for size, row in most.summary.by_size.items()}
    return accuracy_by_size(systems, problems, title)


def _kept(name: str, own: Experiment) -> Iterator[tuple[str, Figure]]:
    """Figures of what runs kept beside their results."""
    files = {run_name(run.fold, run.seed): own.folder / f"{run_name(run.fold, run.seed)}.json" for run in own.runs}
    curves = {run: epochs for run, path in files.items() if (epochs := read_curve(path))}
    if curves:
        yield f"learning-{name}", learning_curves(curves, f"{name}: training")
    for run, path in files.items():
        for look in read_attention(path):
            yield (
                f"{look.kind}-{name}-{run}-{_file_name(look)}",
                attention_map(look, f"{_TITLES[look.kind]}: {look.id}"),
            )


def _file_name(look: Looking) -> str:
    return "".join(character if character.isalnum() else "-" for character in look.id)


def _confidence(log_probability: float | None) -> float:
    """Of what was chosen; only the order of confidences matters here."""
    return math.exp(log_probability) if log_probability is not None else 0.0
