"""A benchmark -> its figures: accuracy by part, reliability, risk and coverage, accuracy by skill. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sau_solver.experiments.benchmark.measuring import Benchmark, PartFigures, Row
from sau_solver.experiments.report.figures import COLORS, drawing, empty_figure, save, thinned
from sau_solver.experiments.report.reliability import WIDTH_BINS, risk_coverage
from sau_solver.models.loading import LANGUAGES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINES = ("-", "--", ":")
_LEAST = 10  # problems of a bin of confidences, so that its share says something


def draw(found: Benchmark, folder: Path) -> dict[str, Path]:
    """Draw every figure that the benchmark allows; return the files by title."""
    with drawing():
        return {title: save(figure, folder / f"{name}.svg") for name, title, figure in _figures(found)}


def _figures(found: Benchmark) -> Iterator[tuple[str, str, Figure]]:
    yield "accuracy", "Accuracy by corpus", _accuracy(found.parts)
    rows = {part.name: [row for row in found.rows[part.name] if row.problem.answers] for part in found.parts}
    sure = {name: own for name, own in rows.items() if any(row.reply.confidence is not None for row in own)}
    if sure:
        yield "reliability", "Confidence and right answers", _reliability(found.parts, sure)
        yield "risk-coverage", "Risk and coverage", _risk(sure)
    if any(part.by_skill for part in found.parts):
        yield "skills", "Accuracy by skill", _skills(found.parts)


def _accuracy(parts: Sequence[PartFigures]) -> Figure:
    """Draw a bar with its 95 % interval for each part, and a mark for the problems without near copies."""
    figure, axes = empty_figure((7.2, 0.36 * len(parts) + 1.3), "Right by answer")
    shown = [part for part in parts if part.metrics["answer"] is not None and part.interval]
    shares = [100 * (part.metrics["answer"] or 0.0) for part in shown]
    ends = [part.interval or (0.0, 0.0) for part in shown]
    low = [max(0.0, share - 100 * end[0]) for share, end in zip(shares, ends, strict=True)]
    high = [max(0.0, 100 * end[1] - share) for share, end in zip(shares, ends, strict=True)]
    places = range(len(shown))
    axes.barh(places, shares, xerr=(low, high), height=0.62, color=COLORS[0], ecolor="#24292f", capsize=2, alpha=0.85)
    far = [(place, 100 * part.copies["answer"]) for place, part in zip(places, shown, strict=True)
           if part.copies and "answer" in part.copies]  # fmt: skip
    if far:
        axes.plot([share for _, share in far], [place for place, _ in far], "D", color=COLORS[4], markersize=5,
                  label="problems without a near copy in training")  # fmt: skip
        figure.legend(loc="outside lower center", fontsize=8)
    axes.set_yticks(places, [f"{part.name} ({part.problems:,})" for part in shown])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, 100)
    axes.set_xlabel("right, %")
    return figure


def _reliability(parts: Sequence[PartFigures], rows: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw the share of right answers over the confidence for each language; a text that two parts have counts once."""
    figure, axes = empty_figure((5.4, 4.6), "Confidence and right answers")
    axes.plot([0, 100], [0, 100], color="#8c959f", linestyle="--", linewidth=1, label="perfectly calibrated")
    for place, language in enumerate(dict.fromkeys(part.language for part in parts)):
        own = {row.problem.text: row for part in parts if part.language == language for row in rows.get(part.name, ())}
        bins: list[list[Row]] = [[] for _ in range(WIDTH_BINS)]
        for row in own.values():
            bins[min(WIDTH_BINS - 1, int((row.reply.confidence or 0.0) * WIDTH_BINS))].append(row)
        drawn = [members for members in bins if len(members) >= _LEAST]
        means = [100 * sum(row.reply.confidence or 0.0 for row in members) / len(members) for members in drawn]
        right = [100 * sum("answer" in row.right for row in members) / len(members) for members in drawn]
        name = {str(code): title for code, title in LANGUAGES.items()}[language]
        axes.plot(means, right, marker="o", markersize=5, color=COLORS[place], label=f"{name} ({len(own):,} problems)")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xlabel("mean confidence, %")
    axes.set_ylabel("right, %")
    axes.legend(fontsize=8, loc="upper left")
    return figure


def _risk(rows: Mapping[str, Sequence[Row]]) -> Figure:
    figure, axes = empty_figure((7.2, 4.6), "Wrong answers if only the surest problems are answered")
    for place, (name, own) in enumerate(rows.items()):
        points = thinned(
            risk_coverage([row.reply.confidence or 0.0 for row in own], ["answer" in row.right for row in own])
        )
        color, line = COLORS[place % len(COLORS)], _LINES[place // len(COLORS) % len(_LINES)]
        axes.plot([100 * one.coverage for one in points], [100 * one.risk for one in points], label=name,
                  color=color, linestyle=line)  # fmt: skip
    axes.set_xlim(0, 100)
    axes.set_ylim(0, None)
    axes.set_xlabel("problems answered, surest first, %")
    axes.set_ylabel("wrong, %")
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _skills(parts: Sequence[PartFigures]) -> Figure:
    """Draw a mark for each skill: of School and of the held-out families, all languages together."""
    groups: dict[str, dict[str, tuple[int, int]]] = {}
    for part in parts:
        kind = (
            "held-out families" if part.name.startswith("families") else part.name.replace("-", " ").partition(" ")[0]
        )
        kind = f"{kind}, {part.name.partition('/')[2]}" if "/" in part.name else kind
        for skill, group in part.by_skill.items():
            problems, right = groups.setdefault(kind, {}).get(skill, (0, 0))
            groups[kind][skill] = problems + group.problems, right + group.right
    totals = {
        skill: [sum(own[skill][k] for own in groups.values() if skill in own) for k in range(2)]
        for skill in {skill for own in groups.values() for skill in own}
    }
    skills = sorted(totals, key=lambda skill: (totals[skill][1] / totals[skill][0], skill))
    figure, axes = empty_figure((7.2, 0.2 * len(skills) + 1.4), "Right by answer, by skill")
    for place, (kind, own) in enumerate(groups.items()):
        shown = [(100 * own[skill][1] / own[skill][0], row) for row, skill in enumerate(skills) if skill in own]
        axes.plot([one[0] for one in shown], [one[1] for one in shown], "osD^v"[place % 5], color=COLORS[place % 6],
                  markersize=5, alpha=0.85, label=kind)  # fmt: skip
    axes.set_yticks(range(len(skills)), [f"{skill} ({totals[skill][0]:,})" for skill in skills], fontsize=8)
    axes.set_ylim(-0.7, len(skills) - 0.3)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("right, %")
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    return figure
