"""Merged experiments -> Table 2, the significance of its differences, and one row per configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import TypeVar

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.data.prepared.folds import FOLDS
from sau_solver.experiments.judging import FIRST
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.far_problems import FAR, Far
from sau_solver.experiments.report.merging import Experiment, refuse_mixtures
from sau_solver.experiments.report.significance import CorrectedTest, corrected_test, holm
from sau_solver.experiments.report.table import Cell, Chance, Code, Compared, Table
from sau_solver.experiments.summary import Accuracy

COMPARABLE = FIRST  # how the paper counts: the first candidate, by `reference`
SHOWN = (FIRST, *PROTOCOLS)
_Item = TypeVar("_Item")
_TESTED_SHARE = 1 / (FOLDS - 1)  # tested problems for each problem that is learned from


def standing_for(
    system: paper.System, corpus: str, experiments: Mapping[str, Experiment]
) -> tuple[Experiment | None, str]:
    """Return the experiment of a system on a corpus, and a remark if runs are missing."""
    own = experiments.get(system.experiments.get(corpus, ""))
    if own is None or not own.missing:
        return own, ""
    return own, f"[{len(own.runs)} of {len(own.runs) + len(own.missing)} runs]"


def on_corpus(corpus: str, experiments: Mapping[str, Experiment]) -> dict[str, Experiment]:
    """Return the systems with runs on a corpus, in the paper's order; raise InputError if they cannot be compared."""
    found = {}
    for system in paper.SYSTEMS:
        own, _ = standing_for(system, corpus, experiments)
        if own is not None:
            found[system.name] = own
    refuse_mixtures(found.values(), paper.CORPORA[corpus])
    return found


def accuracy_table(experiments: Mapping[str, Experiment], protocol: str = COMPARABLE, far: Far | None = None) -> Table:
    """Return Table 2 under a protocol; COMPARABLE is compared with the paper's figures.

    Given the accuracy without near copies, each corpus has a second column for it.
    """
    for corpus in paper.CORPORA:
        on_corpus(corpus, experiments)
    rows: list[tuple[Cell, ...]] = []
    for system in paper.SYSTEMS:
        kinds = {f"{system.name}, problems it can express": True, f"{system.name}, all problems": False}
        for name, expressible in kinds.items() if system.selective else [(system.name, False)]:
            cells = _row(system, experiments, protocol, expressible)
            beside = _far_row(system, experiments, protocol, {} if expressible else far) if far else []
            rows.append((name, *_alternating(list(cells), beside)))
    compared = " The paper's figure and the difference are in brackets." if protocol == COMPARABLE else ""
    explained = f" {FAR}: over the problems without a near copy in the training folds." if far else ""
    titles = list(paper.CORPORA.values())
    return Table(
        f"accuracy-{protocol}",
        f"Table 2: accuracy, {protocol}",
        ("system", *_alternating(titles, [f"{title}, {FAR}" for title in titles] if far else [])),
        tuple(rows),
        (
            f"Percent over all folds, ± the deviation between seeds, or between folds if there is one seed.{compared}"
            f"{explained}",
            *(f"{paper.CORPORA[corpus]}: {remark}." for corpus, remark in paper.REMARKS.items()),
        ),
    )


def _row(
    system: paper.System, experiments: Mapping[str, Experiment], protocol: str, expressible: bool = False
) -> Iterator[Cell]:
    """Yield the cells of a system, over all problems or over those that it can write."""
    for corpus in paper.CORPORA:
        printed = paper.ACCURACY[system.name].get(corpus) if protocol == COMPARABLE else None
        own, remark = standing_for(system, corpus, experiments)
        if corpus not in system.experiments:
            yield None
        elif own is None:
            yield Compared(None, printed)
        elif expressible and own.summary.expressible:
            counted = f"[of {own.summary.expressible.problems / own.rounds:,.0f} problems]"
            found = own.expressible(protocol)
            yield _shown(own, found, printed, f"{counted} {remark}".rstrip()) if found else None
        else:
            yield _shown(own, own.accuracy(protocol), printed, remark)


def _far_row(system: paper.System, experiments: Mapping[str, Experiment], protocol: str, far: Far) -> list[Cell]:
    """Return the cells of a system over the problems without near copies."""
    return [_far_cell(standing_for(system, corpus, experiments)[0], protocol, far) for corpus in paper.CORPORA]


def _far_cell(own: Experiment | None, protocol: str, far: Far) -> Cell:
    share = far.get(own.name, {}).get(protocol) if own else None
    return None if share is None else Compared(100 * share)


def _alternating(first: Sequence[_Item], second: Sequence[_Item]) -> list[_Item]:
    """Return the items of both in turn; all of the first if there is no second."""
    return [one for pair in zip(first, second, strict=True) for one in pair] if second else list(first)


def _shown(own: Experiment, found: Accuracy, printed: float | None, remark: str = "") -> Compared:
    """Return an accuracy in percent; a single run has no deviation."""
    deviation = 100 * found.deviation if len(own.runs) > 1 else None
    return Compared(100 * found.share, printed, deviation, remark=remark)


def significance_table(experiments: Mapping[str, Experiment], protocol: str = COMPARABLE) -> Table:
    """Return the corrected test between SAU-Solver and each other system, over the folds that both were run on."""
    rows: list[tuple[Cell, ...]] = []
    for corpus, title in paper.CORPORA.items():
        here = on_corpus(corpus, experiments)
        others = {name: own for name, own in here.items() if name != paper.SAU and paper.SAU in here}
        pairs = {name: _compare(here[paper.SAU], own, protocol) for name, own in others.items()}
        tested = {name: test for name, test in pairs.items() if test is not None}
        corrected = holm([test.p for test in tested.values()])
        for (name, test), value in zip(tested.items(), corrected, strict=True):
            difference = Compared(100 * test.difference, deviation=100 * test.error)
            rows.append((title, name, Compared(float(test.pairs), digits=0), difference, Chance(test.p), Chance(value)))
    return Table(
        f"significance-{protocol}",
        f"SAU-Solver against the other systems, {protocol}",
        ("corpus", "system", "pairs of runs", "SAU-Solver is ahead by", "p", "p Holm"),
        tuple(rows),
        (
            "Points, ± the corrected standard error. Runs are paired by seed and fold, or by fold with seeds averaged "
            "if the systems have different seeds. The test is the two-sided t test of repeated cross-validation, "
            "corrected for overlapping training folds (Nadeau and Bengio 2003, Bouckaert and Frank 2004). The last "
            "column corrects p for the number of systems of a corpus by Holm's method.",
        ),
    )


def _compare(first: Experiment, second: Experiment, protocol: str) -> CorrectedTest | None:
    """Return the test of two systems; None if they share fewer than two folds."""
    ours, theirs = (_by_run(one, protocol, first.seeds == second.seeds) for one in (first, second))
    differences = [ours[key] - theirs[key] for key in ours if key in theirs]
    return corrected_test(differences, _TESTED_SHARE) if len(differences) > 1 else None


def _by_run(own: Experiment, protocol: str, by_seed: bool) -> dict[tuple[int, int], float]:
    """Return the accuracy by seed and fold, or the mean over the seeds of each fold."""
    if by_seed:
        return {(run.seed, run.fold): run.metrics[protocol] for run in own.runs}
    folds = {fold: [run.metrics[protocol] for run in own.runs if run.fold == fold] for fold in own.folds}
    return {(0, fold): fmean(shares) for fold, shares in folds.items()}


def configuration_table(experiments: Mapping[str, Experiment], far: Far | None = None) -> Table:
    """Return one row per configuration with results: its command, every protocol, and the GPU time."""
    printed = {
        name: paper.ACCURACY[system.name].get(corpus)
        for system in paper.SYSTEMS
        for corpus, name in system.experiments.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for name, own in experiments.items():
        figures: list[Cell] = [
            _shown(own, own.accuracy(protocol), printed.get(name) if protocol == COMPARABLE else None)
            for protocol in SHOWN
        ]
        figures[1:1] = [_far_cell(own, COMPARABLE, far)] if far else []
        among = Compared(100 * own.accuracy("candidates_oracle").share)
        minutes = Compared(own.gpu_minutes, digits=1) if own.gpu_minutes else None
        command = Code(f"sau crossval {own.config_file}")
        view = {"published": "published", "raw": "as typed"}[own.runs[0].config["text"]]
        runs = f"{len(own.seeds)} x {len(own.folds)}"
        epochs = None if own.runs[0].epochs is None else Compared(float(own.runs[0].epochs), digits=0)
        rows.append((Code(name), command, view, runs, epochs, *figures, among, minutes, _remarks(own)))
    return Table(
        "configurations",
        "Every configuration with results",
        (
            "config",
            "command",
            "text",
            "seeds x folds",
            "epochs",
            FIRST,
            *([f"{FIRST}, {FAR}"] if far else []),
            *PROTOCOLS,
            "any candidate",
            "minutes on the GPU",
            "remark",
        ),
        tuple(rows),
        (
            "Percent, ± the deviation between seeds, or between folds if there is one seed. The paper's figure and the "
            f"difference are in brackets. {FIRST}: the first candidate alone, by reference, as in the paper; the other "
            f"columns count the first candidate that can be solved. {FAR}: over the problems without a near copy in "
            "the training folds. Minutes on the GPU are those of all runs, training and search, – on a CPU. "
            "Experiments may have shared a GPU.",
        ),
    )


def _remarks(own: Experiment) -> str | None:
    runs = [f"{len(own.runs)} of {len(own.runs) + len(own.missing)} runs"] if own.missing else []
    corpus = [paper.REMARKS[own.runs[0].corpus]] if own.runs[0].corpus in paper.REMARKS else []
    return "; ".join((*runs, *_of_expressible(own), *corpus)) or None


def _of_expressible(own: Experiment) -> list[str]:
    part = own.summary.expressible
    if part is None:
        return []
    found = own.expressible(COMPARABLE)
    share = f", {COMPARABLE} {100 * found.share:.2f}" if found else ""
    return [f"can express {part.problems / own.rounds:,.0f} problems{share}"]
