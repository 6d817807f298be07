"""The figures of a benchmark -> tables for Markdown and HTML, and one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sau_solver import __version__
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES
from sau_solver.data.prepared.training_copies import NEAR
from sau_solver.experiments.benchmark.measuring import CLOSE, Benchmark, Group, PartFigures
from sau_solver.experiments.benchmark.replies import AMONG, FIRST
from sau_solver.experiments.report.table import Cell, Code, Compared, Table

METRICS = {
    "answer": "answer",
    "annotated": "annotated",
    "strict": "strict",
    "reference": "reference",
    FIRST: "first",
    AMONG: "any candidate",
}
FAR = f"< {NEAR:.1f}".replace("0.", ".")
CALIBRATION = {
    "answered": "answered",
    "precision": "right of answered",
    "mean_confidence": "mean confidence of these",
    "error": "calibration error",
    "least_error": "least error",
    "half": "right in the surer half",
}


def tables(found: Benchmark, beside: Sequence[Mapping[str, Any]] = ()) -> list[Table]:
    """Return every table that has rows; `beside` are the JSON objects of earlier benchmarks."""
    made = [
        _accuracy(found.parts),
        _comparison(found, beside) if beside else None,
        _copies(found.parts),
        _calibration(found.parts),
        _by_type(found.parts),
        _lessons(found.parts, "by_skill", "skills", "By skill", "skill"),
        _lessons(found.parts, "by_contrast", "contrasts", "By contrast", "contrast"),
        _speed(found),
        _skipped(found.skipped),
    ]
    return [_without_empty_columns(table) for table in made if table is not None and table.rows]


def _without_empty_columns(table: Table) -> Table:
    """Return a table without the columns in which the system has no figure."""
    kept = [place for place in range(len(table.columns)) if any(row[place] is not None for row in table.rows)]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def as_json(found: Benchmark, limit: int | None) -> dict[str, Any]:
    """Return all figures as one object."""
    parts = [asdict(part) for part in found.parts]
    return {
        "name": found.name,
        "version": __version__,
        "systems": list(found.systems),
        "limit": limit,
        "parts": parts,
        "speed": dict(found.speed),
        "skipped": dict(found.skipped),
        "notes": list(found.notes),
    }


def _accuracy(parts: Sequence[PartFigures]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for part in parts:
        low, high = part.interval or (0.0, 0.0)
        interval = f"{100 * low:.1f} – {100 * high:.1f}" if part.interval else None
        far = _percent((part.copies or {}).get("answer"))
        shares = [_percent(part.metrics[metric]) for metric in METRICS]
        rows.append((Code(part.name), part.language, _count(part.problems), shares[0], interval, far, *shares[1:]))
    first, *others = METRICS.values()
    return Table(
        "accuracy",
        "Accuracy",
        ("problems of", "language", "problems", first, "95 % interval", f"{first}, {FAR}", *others),
        tuple(rows),
        (
            "Percent. `answer`: exactly what is asked, as a reader would accept it. `annotated`: the values that the "
            "corpus lists. `strict`: the equations have the same solutions as those of the corpus. `reference`: as in "
            "the released code of the SAU-Solver paper. `first`: the first candidate alone, by `reference`. `any "
            f"candidate`: any of the candidates, by `reference`. {FAR}: only problems without a near copy in the "
            "training data. A dash: the system or the corpus does not have what the figure needs.",
        ),
    )


def _comparison(found: Benchmark, beside: Sequence[Mapping[str, Any]]) -> Table:
    columns = {found.name: {part.name: (part.problems, part.metrics["answer"]) for part in found.parts}}
    for other in beside:
        name = other["name"] if other["name"] not in columns else f"{other['name']} ({len(columns) + 1})"
        columns[name] = {part["name"]: (part["problems"], part["metrics"]["answer"]) for part in other["parts"]}
    names = dict.fromkeys(name for column in columns.values() for name in column)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        cells = [_beside(column.get(name)) for column in columns.values()]
        rows.append((Code(name), *cells))
    note = "Percent right by `answer`; the number of problems is in brackets. Compare only equal numbers of problems."
    return Table("comparison", "Systems side by side", ("problems of", *columns), tuple(rows), (note,))


def _beside(cell: tuple[int, float | None] | None) -> Cell:
    if cell is None or cell[1] is None:
        return None
    return Compared(100 * cell[1], digits=1, remark=f"({cell[0]:,})")


def _copies(parts: Sequence[PartFigures]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for part in parts:
        if (found := part.copies) is None:
            continue
        shares = [_percent(found.get(name)) for name in ("answer", "strict", "reference", FIRST)]
        near = [_percent(found[name]) for name in ("near", "close")]
        rows.append((Code(part.name), *near, _percent(part.metrics["answer"]), _count(int(found["problems"])), *shares))
    columns = (f"near ≥ {NEAR:.1f}", f"near ≥ {CLOSE:.1f}", "answer, all", f"problems {FAR}")
    metrics = (f"{name}, {FAR}" for name in ("answer", "strict", "reference", "first"))
    return Table(
        "copies",
        "Without near copies",
        ("problems of", *columns, *metrics),
        tuple(rows),
        (
            "Percent. The similarity of two texts is the Jaccard similarity of their pairs of neighboring words, with "
            "one word for all numbers. The first columns have the share of test problems with such a copy in the "
            "training data.",
        ),
    )


def _calibration(parts: Sequence[PartFigures]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (Code(part.name), *(_percent(part.calibration[name]) for name in CALIBRATION)) for part in parts
    ]
    return Table(
        "calibration",
        "Calibration",
        ("problems of", *CALIBRATION.values()),
        tuple(rows),
        (
            "Percent, errors in points. A problem is answered if the system replies and does not abstain. The "
            "calibration error is expected, over ten bins of equal width; the least error is what perfectly calibrated "
            "confidences would show on as many problems.",
        ),
    )


def _by_type(parts: Sequence[PartFigures]) -> Table:
    kinds: list[str] = [kind for kind in PROBLEM_TYPES if any(kind in part.by_type for part in parts)]
    kinds += sorted({kind for part in parts for kind in part.by_type} - set(kinds))
    rows: list[tuple[Cell, ...]] = [
        (Code(part.name), *(_group(part.by_type.get(kind)) for kind in kinds)) for part in parts
    ]
    note = "Percent right by `answer`; the number of problems is in brackets."
    return Table("types", "By type", ("problems of", *kinds), tuple(rows), (note,))


def _lessons(parts: Sequence[PartFigures], field: str, name: str, title: str, column: str) -> Table | None:
    """Return the table of skills or contrasts of the parts that have them: School and the held-out families."""
    own = [part for part in parts if getattr(part, field)]
    if not own:
        return None
    names = sorted({one for part in own for one in getattr(part, field)})
    rows: list[tuple[Cell, ...]] = [(one, *(_group(getattr(part, field).get(one)) for part in own)) for one in names]
    if field == "by_contrast":
        rows.append(("with unneeded numbers", *(_group(part.unneeded) for part in own)))
    note = "Percent right by `answer`; the number of problems is in brackets."
    return Table(name, title, (column, *(part.name for part in own)), tuple(rows), (note,))


def _speed(found: Benchmark) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (Code(part.name), _count(part.problems), *_rates(part.problems, part.seconds))
        for part in found.parts
        if part.seconds is not None
    ]
    problems, seconds = int(found.speed["problems"]), found.speed["seconds"]
    rows.append(("all", _count(problems), *_rates(problems, seconds)))
    notes = ["Problems are solved in batches. The time includes everything from the text to the steps."]
    if "median_alone" in found.speed:
        alone, slow = (1000 * found.speed[name] for name in ("median_alone", "slow_alone"))
        notes.append(f"One problem at a time takes {alone:,.0f} ms (median); 95 % take at most {slow:,.0f} ms.")
    else:
        notes = ["The time of the whole program, with its start."]
    return Table("speed", "Speed", ("problems of", "problems", "seconds", "ms per problem"), tuple(rows), tuple(notes))


def _rates(problems: int, seconds: float | None) -> tuple[Cell, Cell]:
    if seconds is None:
        return None, None
    return Compared(seconds, digits=1), Compared(1000 * seconds / problems, digits=1)


def _skipped(reasons: Mapping[str, str]) -> Table:
    rows: list[tuple[Cell, ...]] = [(Code(name), why) for name, why in reasons.items()]
    return Table("skipped", "Not tested", ("corpus or part", "reason"), tuple(rows))


def facts(found: Benchmark) -> Iterable[str]:
    """Yield one line about each system."""
    for system in found.systems:
        told = [f"{system['name']}: {' and '.join(system['languages'])}"]
        if system.get("parameters"):
            told.append(f"{system['parameters'] / 1e6:.1f} million parameters")
        if system.get("bytes"):
            told.append(f"{system['bytes'] / 1e6:.1f} MB")
        if system.get("beam"):
            told.append(f"beam {system['beam']}")
        if system.get("command"):
            told.append(f"program `{system['command']}`")
        yield ", ".join(told) + "."


def _percent(share: float | None) -> Cell:
    return None if share is None else Compared(100 * share, digits=1)


def _count(number: int) -> Cell:
    return Compared(float(number), digits=0)


def _group(group: Group | None) -> Cell:
    if group is None:
        return None
    return Compared(100 * group.right / group.problems, digits=1, remark=f"({group.problems:,})")
