"""Merged experiments -> figures as SVG files: accuracy by tree size, learning curves, risk and coverage, attention.

matplotlib is the extra `report`. Text stays text in the SVG files, so no Chinese font is needed to draw Chinese words.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sau_solver.data.prepared.problem_types import SIZES
from sau_solver.errors import InputError
from sau_solver.experiments.figure_data import AttentionMap, Epoch
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.accuracy import COMPARABLE, on_corpus, standing_for
from sau_solver.experiments.report.merging import Experiment
from sau_solver.experiments.report.reliability import Point, risk_coverage
from sau_solver.files import make_folder, replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#1f6feb", "#bf8700", "#8250df", "#0a7d8c", "#d1242f", "#1a7f37")
PRINTED = "#57606a"  # the color of the paper's figures
MARKS = ("o", "v", "P", "D", "s", "^")
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "sau-solver",  # equal figures, equal files
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#d0d7de",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
}

MOST_POINTS = 400  # of a drawn line

Shares = Mapping[str, float]  # by size of the tree, in percent


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a figure; the place of its system in the paper's order decides its style.

    `place` is None for figures of the paper.
    """

    name: str
    place: int | None

    @property
    def style(self) -> dict[str, Any]:
        """Return the label and color; a system has the same in every figure."""
        if self.place is None:
            return {"label": self.name, "color": PRINTED, "linestyle": "--"}
        return {"label": self.name, "color": COLORS[self.place % len(COLORS)]}

    @property
    def mark(self) -> str:
        """Return the marker of its points."""
        return "x" if self.place is None else MARKS[self.place % len(MARKS)]


def accuracy_by_size(systems: Mapping[Line, Shares], problems: Shares, title: str) -> Figure:
    """Draw one line per system over the tree sizes, with the number of problems of each size below."""
    sizes = [size for size in SIZES if problems.get(size)]
    figure, axes = empty_figure((6.4, 4.0), title)
    for line, shares in systems.items():
        places = [place for place, size in enumerate(sizes) if size in shares]
        axes.plot(places, [shares[sizes[place]] for place in places], marker=line.mark, markersize=5, **line.style)
    axes.set_xticks(range(len(sizes)), [f"{size}\n{problems[size]:,.0f}" for size in sizes])
    axes.set_xlabel("symbols of the gold tree, and problems with so many")
    _per_cent(axes, "right")
    _legend(axes)
    return figure


def learning_curves(runs: Mapping[str, Sequence[Epoch]], title: str) -> Figure:
    """Draw the loss on the left and the accuracy of training symbols on the right."""
    figure, (left, right) = _empty_pair((8.6, 3.6), title)
    for (name, epochs), color in zip(runs.items(), cycle(COLORS)):
        places = [one.epoch for one in epochs]
        left.plot(places, [one.loss for one in epochs], color=color, label=name)
        right.plot(places, [100 * one.accuracy for one in epochs], color=color, label=name)
    for axes in (left, right):
        axes.set_xlabel("epoch")
    left.set_ylabel("loss of a symbol")
    left.set_ylim(bottom=0)
    _per_cent(right, "right")
    _legend(right)
    return figure


def risk_coverage_curves(curves: Mapping[Line, Sequence[Point]], title: str) -> Figure:
    """Draw the share of wrong answers among the most confident problems, one line per system."""
    figure, axes = empty_figure((6.4, 4.0), title)
    for line, points in curves.items():
        drawn = thinned(points)
        axes.plot([100 * one.coverage for one in drawn], [100 * one.risk for one in drawn], **line.style)
    axes.set_xlim(0, 100)
    axes.set_xlabel("problems answered, most confident first, %")
    _per_cent(axes, "wrong")
    _legend(axes)
    return figure


def attention_map(look: AttentionMap, title: str) -> Figure:
    """Draw weights, one column per word and one row per tree node, and the distances of SSAR in a second panel."""
    wide = max(4.5, 0.32 * len(look.words) + 1.6) + (1.6 if look.distances else 0)
    high = max(2.2, 0.3 * len(look.nodes) + 1.5)
    figure = _blank((wide, high))
    figure.suptitle(title)
    if look.distances:
        axes, beside = figure.subplots(1, 2, width_ratios=(wide - 1.6, 1.2), sharey=True)
        beside.barh(range(len(look.nodes)), look.distances, color=COLORS[0], height=0.6)
        beside.set_xlim(0, 1.1 * max(look.distances) or 1.0)  # all 0 if the alignment has collapsed
        beside.locator_params(axis="x", nbins=2)
        beside.set_xlabel("distance")
        beside.tick_params(left=False)
    else:
        axes = figure.subplots()
    axes.grid(visible=False)
    image = axes.imshow(look.weights, aspect="auto", interpolation="nearest", **_colors(look))
    latin = all(word.isascii() for word in look.words)
    axes.set_xticks(range(len(look.words)), look.words, rotation=60 if latin else 0, ha="right" if latin else "center")
    # Left-aligned labels, indented by depth: a letter of this font is 0.6 of its size wide.
    axes.set_yticks(range(len(look.nodes)), look.nodes, family="monospace", ha="left")
    axes.tick_params(axis="y", pad=4 + 0.61 * _STYLE["font.size"] * max(map(len, look.nodes)))
    axes.set_ylabel("node" if look.kind == "decoder" else "subtree")
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, shrink=0.8, label="cosine" if look.kind == "similarity" else "weight")
    return figure


def _colors(look: AttentionMap) -> dict[str, Any]:
    """Return a color map in which equal weights for all words are pale."""
    if look.kind == "similarity":
        return {"cmap": "RdBu", "vmin": -1, "vmax": 1}
    return {"cmap": "Blues", "vmin": 0, "vmax": max(3 / len(look.words), *map(max, look.weights))}


def save(figure: Figure, path: Path) -> Path:
    """Write a figure as .svg, .png or .pdf; equal figures give equal files."""
    make_folder(path.parent)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    with drawing(), warnings.catch_warnings(), replacing(path) as file:
        # The font here lacks Chinese characters; the viewer of the SVG has its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(file, format=path.suffix.removeprefix("."), dpi=150, metadata=metadata)
    return path


@contextmanager
def drawing() -> Iterator[None]:
    """Apply this package's style inside the context only."""
    with _matplotlib().rc_context(_STYLE):
        yield


def _matplotlib() -> Any:
    try:
        import matplotlib  # the extra `report`
    except ImportError:
        raise InputError(
            "Figures need matplotlib, which is not installed. "
            "Run pip install '.[report]' in a checkout, or add --no-figures."
        ) from None
    return matplotlib


def empty_figure(size: tuple[float, float], title: str) -> tuple[Figure, Axes]:
    """Return a figure with empty axes under a title."""
    figure = _blank(size)
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def _empty_pair(size: tuple[float, float], title: str) -> tuple[Figure, tuple[Axes, Axes]]:
    figure = _blank(size)
    left, right = figure.subplots(1, 2)
    figure.suptitle(title)
    return figure, (left, right)


def _blank(size: tuple[float, float]) -> Figure:
    """Return a figure that pyplot does not know: the backend and the open figures of the process stay as they are."""
    _matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def _per_cent(axes: Axes, what: str) -> None:
    axes.set_ylabel(f"{what}, %")
    axes.set_ylim(0, max(10.0, min(100.0, axes.get_ylim()[1] * 1.05)))


def _legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize=8)


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most `most` points, evenly spread and including the last."""
    if len(points) <= most:
        return list(points)
    return [points[(number + 1) * len(points) // most - 1] for number in range(most)]


_TITLES = {
    "decoder": "attention of each node",
    "alignment": "SSAR: attention of subtrees",
    "similarity": "SSAR: similarity of subtrees and words",
}


def draw_all(experiments: Mapping[str, Experiment], folder: Path) -> list[Path]:
    """Draw every figure that the results allow, and return the files."""
    with drawing():
        return [save(figure, folder / f"{name}.svg") for name, figure in _figures(experiments)]


def draw_attention(model: str, maps: Sequence[AttentionMap], folder: Path) -> list[Path]:
    """Draw the attention maps of a model, and return the files."""
    with drawing():
        return [
            save(attention_map(look, f"{model}, {_TITLES[look.kind]}"), folder / f"{look.kind}-{model}.svg")
            for look in maps
        ]


def _figures(experiments: Mapping[str, Experiment]) -> Iterator[tuple[str, Figure]]:
    for corpus, title in paper.CORPORA.items():
        lines = _lines(corpus, experiments)
        if not lines:
            continue
        yield f"size-{corpus}", _by_size(lines, corpus, f"{title}: accuracy by size of the tree, {COMPARABLE}")
        curves = {}
        for line, own in lines.items():
            logs = [verdict.log_probability for verdict in own.verdicts if verdict.log_probability is not None]
            if len(logs) == len(own.verdicts):
                right = ["answer" in verdict.right for verdict in own.verdicts]
                curves[line] = risk_coverage(list(map(math.exp, logs)), right)
        if curves:
            yield f"risk-coverage-{corpus}", risk_coverage_curves(curves, f"{title}: risk and coverage, answer")
    for name, own in experiments.items():
        yield from _kept(name, own)


def _lines(corpus: str, experiments: Mapping[str, Experiment]) -> dict[Line, Experiment]:
    """Return the systems with runs on a corpus; the name of an incomplete one has a remark."""
    on_corpus(corpus, experiments)  # raises InputError if they cannot be compared
    found = {}
    for place, system in enumerate(paper.SYSTEMS):
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
    curves = {run.name: epochs for run in own.runs if (epochs := own.store.epochs(run))}
    if curves:
        yield f"learning-{name}", learning_curves(curves, f"{name}: training")
    for run in own.runs:
        for look in own.store.attention(run):
            problem = "".join(character if character.isalnum() else "-" for character in look.id)
            yield f"{look.kind}-{name}-{run.name}-{problem}", attention_map(look, f"{_TITLES[look.kind]}: {look.id}")
