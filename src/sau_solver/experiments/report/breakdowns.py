"""Corpus statistics and merged experiments -> Table 1 (corpora), Table 3 (HMWP's types) and Table 4 (tree sizes)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.data.statistics import PAPER, Statistics
from sau_solver.errors import InputError
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.accuracy import COMPARABLE, on_corpus
from sau_solver.experiments.report.merging import Experiment
from sau_solver.experiments.report.table import Cell, Compared, Table
from sau_solver.experiments.summary import Summary

STATISTICS = "corpus-statistics.jsonl"  # the output of `sau data stats --json`

_COUNTS = ("problems", "templates", "sentences", "words")
_AVERAGES = ("average_equation_length", "average_sni", "average_constants", "average_operators")
_TITLES = ("problems", "templates", "sentences", "words", "avg EL", "avg SNI", "avg constants", "avg ops")


def read_statistics(results: Path) -> dict[str, Statistics]:
    """Return the stored statistics of the corpora by name; empty if the file is missing."""
    path = results / STATISTICS
    if not path.is_file():
        return {}
    found = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            name = fields.pop("name")
            found[name] = Statistics(**fields)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} must hold the output of `sau data stats --json` ({error}). Run make figures."
        ) from None
    return found


def corpus_table(statistics: Mapping[str, Statistics]) -> Table:
    """Return Table 1: the corpora of the paper, then other corpora with statistics."""
    whole = [name for name in PAPER if " " not in name]
    others = [name for name in statistics if name not in PAPER]
    rows = [(name, *_statistics_cells(name, statistics.get(name))) for name in (*whole, *others)]
    return Table(
        "corpora",
        "Table 1: corpora",
        ("corpus", *_TITLES),
        tuple(rows),
        (
            "The paper's figure and the difference are in brackets. The paper rounds sentences and words to three "
            "digits and does not define its columns (see EXPERIMENTS.md). 4,666 texts of Dolphin18K are available.",
        ),
    )


def _statistics_cells(name: str, own: Statistics | None) -> list[Cell]:
    printed = PAPER.get(name, (None,) * len(_TITLES))
    fields = dataclasses.asdict(own) if own else {}
    return [
        Compared(fields.get(field), published, digits=0 if field in _COUNTS else 2)
        for field, published in zip((*_COUNTS, *_AVERAGES), printed, strict=True)
    ]


def type_table(experiments: Mapping[str, Experiment], statistics: Mapping[str, Statistics]) -> Table:
    """Return Table 3, HMWP by type: the corpus, then the right problems and the accuracy of each system."""
    names = [*(f"hmwp {kind}" for kind in PROBLEM_TYPES), "hmwp"]
    columns = [_statistics_cells(name, statistics.get(name)) for name in names]
    rows: list[tuple[Cell, ...]] = [
        (title, *(column[place] for column in columns))
        for place, title in enumerate(_TITLES)
        if title not in ("templates", "sentences", "words")
    ]
    here = on_corpus("hmwp", experiments)
    for system in paper.SYSTEMS:
        if "hmwp" in system.experiments:
            rows += _type_rows(system.name, here.get(system.name))
    return Table(
        "types",
        f"Table 3: HMWP by type, {COMPARABLE}",
        ("", *paper.TYPES.values(), "all"),
        tuple(rows),
        ("The paper's figure and the difference are in brackets. Seeds are averaged.",),
    )


def _type_rows(system: str, own: Experiment | None) -> list[tuple[Cell, ...]]:
    counts: list[Cell] = [f"{system}: right"]
    shares: list[Cell] = [f"{system}: percent"]
    for kind in (*PROBLEM_TYPES, "all"):
        right = share = None
        if own is not None:
            row = own.summary.by_type.get(kind) if kind != "all" else None
            found = row[COMPARABLE] if row else own.summary.metrics[COMPARABLE].share if kind == "all" else None
            problems = row["problems"] if row else own.summary.problems
            if found is not None:
                share = 100 * found
                right = found * problems / own.rounds
        printed = paper.CORRECT_BY_TYPE.get(system, {}).get(kind), paper.ACCURACY_BY_TYPE.get(system, {}).get(kind)
        counts.append(Compared(right, printed[0], digits=0))
        shares.append(Compared(share, printed[1]))
    return [tuple(counts), tuple(shares)]


def size_table(experiments: Mapping[str, Experiment]) -> Table:
    """Return Table 4, SAU-Solver by the size of the gold tree: the first fold, as in the paper, and all folds."""
    columns: list[str] = ["symbols"]
    cells: list[list[Cell]] = [[size] for size in SIZES]
    for corpus, printed in paper.BY_SIZE.items():
        own = on_corpus(corpus, experiments).get(paper.SAU)
        title = paper.CORPORA[corpus]
        columns += [f"{title} {what}" for what in ("right", "wrong", "percent", "percent, all folds")]
        first = own.of_fold(0) if own else None
        for place, size in enumerate(SIZES):
            right, wrong = printed[size]
            share = 100 * right / (right + wrong) if right + wrong else None
            ours = _size_cells(first, size, right, wrong, share)
            whole = own.summary.by_size.get(size) if own else None
            everywhere = Compared(100 * whole[COMPARABLE]) if whole else None if own else Compared(None)
            cells[place] += [*ours, everywhere]
    return Table(
        "sizes",
        f"Table 4: SAU-Solver by size of the tree, {COMPARABLE}",
        tuple(columns),
        tuple(map(tuple, cells)),
        (
            "Right, wrong and percent are those of the first fold. The paper's table has one fold of each corpus, and "
            "its sizes match the first fold of HMWP. The paper's figure and the difference are in brackets.",
        ),
    )


def _size_cells(first: Summary | None, size: str, right: int, wrong: int, share: float | None) -> list[Cell]:
    if first is None:
        return [Compared(None, right, digits=0), Compared(None, wrong, digits=0), Compared(None, share)]
    row = first.by_size.get(size, {"problems": 0, COMPARABLE: 0.0})
    found = row["problems"] * row[COMPARABLE] / first.runs
    ours = 100 * row[COMPARABLE] if row["problems"] else None
    return [
        Compared(found, right, digits=0),
        Compared(row["problems"] / first.runs - found, wrong, digits=0),
        Compared(ours, share) if row["problems"] or share is not None else None,
    ]
