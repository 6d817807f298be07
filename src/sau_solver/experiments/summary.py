"""Results of runs -> the pooled figures of an experiment, and Markdown tables of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.errors import InputError
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.results import RunResult


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share over all problems of all runs, and its standard deviation between runs (0 for a single run)."""

    share: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Expressible:
    """The figures over the problems whose gold tree the model can write; no metrics if there are none."""

    problems: int  # over all runs
    metrics: Mapping[str, Accuracy]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of an experiment, pooled over its runs."""

    name: str
    model: str
    corpus: str
    runs: int
    problems: int  # over all runs
    metrics: Mapping[str, Accuracy]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]
    seconds: float
    expressible: Expressible | None = None  # None if the model can write every gold tree


def summarize(name: str, results: Sequence[RunResult]) -> Summary:
    """Pool the results of the runs of one experiment."""
    if not results:
        raise InputError(f"{name} has no results. Run the experiment first.")
    problems = [float(result.problems) for result in results]
    return Summary(
        name=name,
        model=results[0].model,
        corpus=results[0].corpus,
        runs=len(results),
        problems=sum(result.problems for result in results),
        metrics={metric: _accuracy([result.metrics[metric] for result in results], problems) for metric in METRICS},
        by_type=_pooled([result.by_type for result in results]),
        by_size=_pooled([result.by_size for result in results]),
        seconds=round(sum(result.seconds for result in results), 2),
        expressible=_expressible(results),
    )


def _expressible(results: Sequence[RunResult]) -> Expressible | None:
    if not any(result.expressible for result in results):
        return None
    # In one fold the model may be able to write every gold tree, or none.
    rows = [result.expressible or {"problems": result.problems, **result.metrics} for result in results]
    rows = [row for row in rows if row["problems"]]
    counts = [row["problems"] for row in rows]
    shares = {metric: _accuracy([row[metric] for row in rows], counts) for metric in METRICS} if rows else {}
    return Expressible(int(sum(counts)), shares)


def _accuracy(shares: Sequence[float], problems: Sequence[float]) -> Accuracy:
    mean = math.fsum(shares) / len(shares)
    squares = math.fsum((share - mean) ** 2 for share in shares)
    deviation = math.sqrt(squares / (len(shares) - 1)) if len(shares) > 1 else 0.0
    return Accuracy(_weighted(shares, problems), deviation)


def _weighted(shares: Sequence[float], problems: Sequence[float]) -> float:
    return math.fsum(share * count for share, count in zip(shares, problems, strict=True)) / math.fsum(problems)


def _pooled(groups: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for group in groups for name in group)
    pooled: dict[str, dict[str, float]] = {}
    for name in names:
        rows = [group[name] for group in groups if name in group]
        counts = [row["problems"] for row in rows]
        pooled[name] = {"problems": sum(counts)} | {
            metric: _weighted([row[metric] for row in rows], counts) for metric in METRICS
        }
    return pooled


def overview(found: Sequence[Summary]) -> str:
    """Return a Markdown table with one row per experiment: every metric in percent, ± its deviation between runs."""
    lines = [
        "| experiment | model | corpus | problems | runs "
        f"| {' | '.join(PROTOCOLS)} | first | equation | any candidate | seconds |",
        "|---|---|---|---:|---:|" + "---:|" * (len(PROTOCOLS) + 4),
    ]
    for one in found:
        rows = [(one.name, one.problems, one.metrics, f"{one.seconds:,.0f}")]
        if one.expressible and one.expressible.metrics:
            part = one.expressible
            rows.append((f"{one.name}: what it can express", part.problems, part.metrics, ""))
        for name, problems, metrics, seconds in rows:
            shown = [
                f"{100 * accuracy.share:.2f} ± {100 * accuracy.deviation:.2f}"
                for accuracy in (metrics[metric] for metric in METRICS)
            ]
            cells = [name, one.model, one.corpus, f"{problems:,}", str(one.runs), *shown, seconds]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def breakdown(one: Summary, group: str) -> str:
    """Return a Markdown table of one experiment, for the group `by_type` or `by_size`."""
    groups: Mapping[str, Mapping[str, float]] = one.by_type if group == "by_type" else one.by_size
    known = PROBLEM_TYPES if group == "by_type" else SIZES
    order = [*(name for name in known if name in groups), *(name for name in groups if name not in known)]
    lines = [
        f"| {group.removeprefix('by_')} | problems | {' | '.join(PROTOCOLS)} |",
        "|---|" + "---:|" * (len(PROTOCOLS) + 1),
    ]
    for name in order:
        row = groups[name]
        cells = [name, f"{row['problems']:,.0f}", *(f"{100 * row[protocol]:.2f}" for protocol in PROTOCOLS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
