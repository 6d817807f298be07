"""Summaries of experiments -> Markdown tables for the screen; tables/ has those of the whole report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.experiments.crossval import Summary


def overview(found: Sequence[Summary]) -> str:
    """A row for each experiment: every protocol in per cent, with the deviation from fold to fold."""
    lines = [
        "| experiment | model | corpus | problems | runs "
        "| reference | strict | answer | equation | any candidate | seconds |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in found:
        rows = [(one.name, one.problems, one.metrics, f"{one.seconds:,.0f}")]
        if one.expressible and one.expressible.metrics:
            part = one.expressible
            rows.append((f"{one.name}: what it can express", part.problems, part.metrics, ""))
        for name, problems, metrics, seconds in rows:
            shown = [
                f"{100 * accuracy.share:.2f} ± {100 * accuracy.deviation:.2f}"
                for accuracy in (metrics[metric] for metric in (*PROTOCOLS, "equation", "candidates_oracle"))
            ]
            cells = [name, one.model, one.corpus, f"{problems:,}", str(one.runs), *shown, seconds]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def breakdown(one: Summary, group: str) -> str:
    """A table of one experiment `by_type` or `by_size`."""
    groups: Mapping[str, Mapping[str, float]] = one.by_type if group == "by_type" else one.by_size
    known = PROBLEM_TYPES if group == "by_type" else SIZES
    order = [*(name for name in known if name in groups), *(name for name in groups if name not in known)]
    lines = [f"| {group.removeprefix('by_')} | problems | {' | '.join(PROTOCOLS)} |", "|---|---:|---:|---:|---:|"]
    for name in order:
        row = groups[name]
        cells = [name, f"{row['problems']:,.0f}", *(f"{100 * row[protocol]:.2f}" for protocol in PROTOCOLS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
