"""Merged experiments -> Table 2, the significance of its differences, and one row per configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.merging import Experiment, refuse_mixtures
from sau_solver.experiments.report.significance import McNemar, holm, mcnemar
from sau_solver.experiments.report.table import Cell, Chance, Code, Compared, Table
from sau_solver.experiments.summary import Accuracy

COMPARABLE = "reference"  # the protocol of the paper's figures


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


def accuracy_table(experiments: Mapping[str, Experiment], protocol: str = COMPARABLE) -> Table:
    """Return Table 2 under a protocol; `reference` is compared with the paper's figures."""
    for corpus in paper.CORPORA:
        on_corpus(corpus, experiments)
    rows: list[tuple[Cell, ...]] = []
    for system in paper.SYSTEMS:
        if system.selective:
            rows.append((f"{system.name}, problems it can express", *_row(system, experiments, protocol, True)))
            rows.append((f"{system.name}, all problems", *_row(system, experiments, protocol)))
        else:
            rows.append((system.name, *_row(system, experiments, protocol)))
    compared = " The paper's figure and the difference are in brackets." if protocol == COMPARABLE else ""
    return Table(
        f"accuracy-{protocol}",
        f"Table 2: accuracy, {protocol}",
        ("system", *paper.CORPORA.values()),
        tuple(rows),
        (
            f"Percent over all folds, ± the deviation between seeds, or between folds if there is one seed.{compared}",
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


def _shown(own: Experiment, found: Accuracy, printed: float | None, remark: str = "") -> Compared:
    """Return an accuracy in percent; a single run has no deviation."""
    deviation = 100 * found.deviation if len(own.runs) > 1 else None
    return Compared(100 * found.share, printed, deviation, remark=remark)


def significance_table(experiments: Mapping[str, Experiment], protocol: str = COMPARABLE) -> Table:
    """Return McNemar's test between the systems of each corpus, for first seeds and folds that both were run on."""
    rows: list[tuple[Cell, ...]] = []
    for corpus, title in paper.CORPORA.items():
        here = on_corpus(corpus, experiments)
        pairs = [
            (first, second, _compare(here[first], here[second], protocol)) for first, second in combinations(here, 2)
        ]
        tested = [(first, second, test) for first, second, test in pairs if test is not None]
        corrected = holm([test.mid for _, _, test in tested])
        for (first, second, test), value in zip(tested, corrected, strict=True):
            counts = (Compared(float(n), digits=0) for n in (test.problems, test.only_first, test.only_second))
            chances = map(Chance, (test.exact, test.mid, value))
            rows.append((title, first, second, *counts, *chances))
    return Table(
        f"significance-{protocol}",
        f"McNemar's test, {protocol}",
        ("corpus", "first", "second", "problems", "only first", "only second", "p exact", "p mid", "p Holm"),
        tuple(rows),
        (
            "Only first: problems that only the first system has right. The tests are two-sided. The last column "
            "corrects the mid-p values for the number of pairs of a corpus. Each system has one seed, so the test does "
            "not include the variation between seeds.",
        ),
    )


def _compare(first: Experiment, second: Experiment, protocol: str) -> McNemar | None:
    shared = {one.fold for one in first.verdicts} & {one.fold for one in second.verdicts}
    verdicts = [
        {one.id: protocol in one.right for one in own.verdicts if one.fold in shared} for own in (first, second)
    ]
    return mcnemar(*verdicts) if shared else None


def configuration_table(experiments: Mapping[str, Experiment]) -> Table:
    """Return one row per configuration with results: its command, every protocol, and the GPU time."""
    printed = {
        name: paper.ACCURACY[system.name].get(corpus)
        for system in paper.SYSTEMS
        for corpus, name in system.experiments.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for name, own in experiments.items():
        figures = [
            _shown(own, own.accuracy(protocol), printed.get(name) if protocol == COMPARABLE else None)
            for protocol in PROTOCOLS
        ]
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
            *PROTOCOLS,
            "any candidate",
            "minutes on the GPU",
            "remark",
        ),
        tuple(rows),
        (
            "Percent, ± the deviation between seeds, or between folds if there is one seed. The paper's figure and the "
            "difference are in brackets. Minutes on the GPU are those of all runs, training and search, – on a CPU. "
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
