"""Figures of a report -> matplotlib figures: accuracy by tree size, learning curves, risk and coverage, attention.

matplotlib is the extra `report`. Text stays text in the SVG files, so that whoever looks at them needs the fonts, not
whoever draws them: Chinese words come out right without a Chinese font here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sau_solver.errors import InputError
from sau_solver.experiments.report.curves import thinned
from sau_solver.experiments.records import Epoch, Looking
from sau_solver.experiments.report.reliability import Point
from sau_solver.data.prepared.problem_types import SIZES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#1f6feb", "#bf8700", "#8250df", "#0a7d8c", "#d1242f", "#1a7f37")
PRINTED = "#57606a"  # what the paper printed
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

Shares = Mapping[str, float]  # by size of the tree, in per cent


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a figure: its name, and the place of its system in the paper's order, which gives it its looks.

    `place` is None for what the paper printed.
    """

    name: str
    place: int | None

    @property
    def looks(self) -> dict[str, Any]:
        """The same system looks the same in every figure."""
        if self.place is None:
            return {"label": self.name, "color": PRINTED, "linestyle": "--"}
        return {"label": self.name, "color": COLOURS[self.place % len(COLOURS)]}

    @property
    def mark(self) -> str:
        """At each point."""
        return "x" if self.place is None else MARKS[self.place % len(MARKS)]


def accuracy_by_size(systems: Mapping[Line, Shares], problems: Shares, title: str) -> Figure:
    """A line for each system over the sizes that have problems; how many problems a size has stands under it."""
    sizes = [size for size in SIZES if problems.get(size)]
    figure, axes = _empty((6.4, 4.0), title)
    for line, shares in systems.items():
        places = [place for place, size in enumerate(sizes) if size in shares]
        axes.plot(places, [shares[sizes[place]] for place in places], marker=line.mark, markersize=5, **line.looks)
    axes.set_xticks(range(len(sizes)), [f"{size}\n{problems[size]:,.0f}" for size in sizes])
    axes.set_xlabel("symbols of the gold tree, and problems with so many")
    _per_cent(axes, "right")
    _legend(axes)
    return figure


def learning_curves(runs: Mapping[str, Sequence[Epoch]], title: str) -> Figure:
    """Loss on the left, accuracy of symbols in training on the right."""
    figure, (left, right) = _empty_pair((8.6, 3.6), title)
    for (name, epochs), colour in zip(runs.items(), cycle(COLOURS)):
        places = [one.epoch for one in epochs]
        left.plot(places, [one.loss for one in epochs], color=colour, label=name)
        right.plot(places, [100 * one.accuracy for one in epochs], color=colour, label=name)
    for axes in (left, right):
        axes.set_xlabel("epoch")
    left.set_ylabel("loss of a symbol")
    left.set_ylim(bottom=0)
    _per_cent(right, "right")
    _legend(right)
    return figure


def risk_coverage_curves(curves: Mapping[Line, Sequence[Point]], title: str) -> Figure:
    """How many answers are wrong where only the surest problems are answered, a line for each system."""
    figure, axes = _empty((6.4, 4.0), title)
    for line, points in curves.items():
        drawn = thinned(points)
        axes.plot([100 * one.coverage for one in drawn], [100 * one.risk for one in drawn], **line.looks)
    axes.set_xlim(0, 100)
    axes.set_xlabel("problems answered, surest first, %")
    _per_cent(axes, "wrong")
    _legend(axes)
    return figure


def attention_map(look: Looking, title: str) -> Figure:
    """Words to the right, the nodes of the tree downwards in the order in which they are written; darker is more,
    and for similarities red is opposite.

    Where distances are kept, as for SSAR, they stand in a second panel: how far a subtree is from what it looks at.
    """
    wide = max(4.5, 0.32 * len(look.words) + 1.6) + (1.6 if look.distances else 0)
    high = max(2.2, 0.3 * len(look.nodes) + 1.5)
    plt = _matplotlib()
    figure: Figure = plt.figure(figsize=(wide, high), layout="constrained")
    figure.suptitle(title)
    if look.distances:
        axes, beside = figure.subplots(1, 2, width_ratios=(wide - 1.6, 1.2), sharey=True)
        beside.barh(range(len(look.nodes)), look.distances, color=COLOURS[0], height=0.6)
        beside.set_xlim(0, 1.1 * max(look.distances) or 1.0)  # all 0 where the alignment has collapsed
        beside.locator_params(axis="x", nbins=2)
        beside.set_xlabel("distance")
        beside.tick_params(left=False)
    else:
        axes = figure.subplots()
    axes.grid(visible=False)
    image = axes.imshow(look.weights, aspect="auto", interpolation="nearest", **_colours(look))
    latin = all(word.isascii() for word in look.words)
    axes.set_xticks(range(len(look.words)), look.words, rotation=60 if latin else 0, ha="right" if latin else "center")
    # Set in from the left by depth: a letter of this font is as wide as 0.6 of its size.
    axes.set_yticks(range(len(look.nodes)), look.nodes, family="monospace", ha="left")
    axes.tick_params(axis="y", pad=4 + 0.61 * _STYLE["font.size"] * max(map(len, look.nodes)))
    axes.set_ylabel("node" if look.kind == "decoder" else "subtree")
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, shrink=0.8, label="cosine" if look.kind == "similarity" else "weight")
    return figure


def _colours(look: Looking) -> dict[str, Any]:
    """Equal weights for all words are to look pale, and not like much attention."""
    if look.kind == "similarity":
        return {"cmap": "RdBu", "vmin": -1, "vmax": 1}
    return {"cmap": "Blues", "vmin": 0, "vmax": max(3 / len(look.words), *map(max, look.weights))}


def save(figure: Figure, path: Path) -> Path:
    """Write a figure by the ending of its name (.svg, .png, .pdf); equal figures give equal files."""
    plt = _matplotlib()
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    with drawing(), warnings.catch_warnings():
        # Measured with a font that lacks Chinese, drawn by whoever shows the SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(path, dpi=150, metadata=metadata)
    plt.close(figure)
    return path


@contextmanager
def drawing() -> Iterator[None]:
    """Inside, figures have this package's looks; outside nothing changes."""
    with _matplotlib().rc_context(_STYLE):
        yield


def _matplotlib() -> Any:
    try:
        import matplotlib  # the extra `report`
    except ImportError:
        raise InputError(
            "Figures need matplotlib, which is not installed: pip install 'sau-solver[report]', or add --no-figures."
        ) from None
    matplotlib.use("agg")
    from matplotlib import pyplot

    return pyplot


def _empty(size: tuple[float, float], title: str) -> tuple[Figure, Axes]:
    figure, axes = _matplotlib().subplots(figsize=size, layout="constrained")
    axes.set_title(title)
    return figure, axes


def _empty_pair(size: tuple[float, float], title: str) -> tuple[Figure, tuple[Axes, Axes]]:
    figure, axes = _matplotlib().subplots(1, 2, figsize=size, layout="constrained")
    figure.suptitle(title)
    return figure, tuple(axes)


def _per_cent(axes: Axes, what: str) -> None:
    axes.set_ylabel(f"{what}, %")
    axes.set_ylim(0, max(10.0, min(100.0, axes.get_ylim()[1] * 1.05)))


def _legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize=8)
