"""What a run may keep beside its result for figures: how its training went, and where its network looked.

results/EXPERIMENT/RUN.curve.jsonl.bz2      one line an epoch
results/EXPERIMENT/RUN.attention.jsonl.bz2  one line a problem and kind of attention
"""

from __future__ import annotations

import bz2
import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sau_solver.errors import InputError
from sau_solver.experiments.results import PACKED

if TYPE_CHECKING:
    from sau_solver.training.trainer import EpochReport, Report

CURVE, ATTENTION = f".curve{PACKED}", f".attention{PACKED}"
_BEGUN = f"curve{PACKED}"  # in the folder of a training that is under way
_DIGITS = 4  # of a figure, the zeros that it begins with not counted

# decoder: the attention by which a node is predicted (eq. 5); alignment: that of SSAR, by which a subtree looks for its
# meaning in the text (eq. 9); similarity: the cosine of a subtree's meaning and each word's, in the space of SSAR.
Kind = Literal["decoder", "alignment", "similarity"]


@dataclass(frozen=True, slots=True)
class Epoch:
    """How one epoch went: loss, accuracy and alignment are those of single symbols in training."""

    epoch: int  # from 1
    loss: float
    accuracy: float
    alignment: float
    rate: float  # of learning


@dataclass(frozen=True, slots=True)
class Looking:
    """Figures over the words of one problem, a row for each node of a tree in prefix order; weights sum to 1.

    `distances`, where they are kept, are SSAR's, one for each row: how far a subtree lies from what it looks at.
    """

    id: str
    kind: Kind
    words: tuple[str, ...]
    nodes: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    distances: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        rows, columns = len(self.nodes), len(self.words)
        if len(self.weights) != rows or any(len(row) != columns for row in self.weights):
            raise InputError(
                f"Attention of {rows} nodes over {columns} words has as many rows and columns; others came."
            )
        if self.distances and len(self.distances) != rows:
            raise InputError(f"One distance for each of {rows} nodes was expected, {len(self.distances)} came.")


class Curves:
    """A training's reports -> the epochs of each run, each report handed on.

    `folders` are those that runs resume from, by name: epochs are put down there as they end, so that a run which was
    interrupted has those from before, too.
    """

    def __init__(self, report: Report | None = None, folders: Mapping[str, Path] | None = None) -> None:
        self._report, self._folders = report, folders or {}
        self._kept: dict[str, dict[int, Epoch]] = {}
        for run, folder in self._folders.items():
            self._kept[run] = {fields["epoch"]: Epoch(**fields) for fields in _read(folder / _BEGUN, Epoch)}

    def __call__(self, told: EpochReport) -> None:
        """Take a report; those from within an epoch are no part of a curve."""
        if not told.part:
            epoch = Epoch(told.epoch, *map(_short, (told.loss, told.accuracy, told.alignment, told.rate)))
            self._kept.setdefault(told.run, {})[told.epoch] = epoch  # one that was done again counts once
            if folder := self._folders.get(told.run):
                folder.mkdir(parents=True, exist_ok=True)
                _write(map(dataclasses.asdict, self._kept[told.run].values()), folder / _BEGUN)
        if self._report:
            self._report(told)

    def epochs(self, run: str, last: int) -> list[Epoch]:
        """The epochs of a run in order, up to its last."""
        return [epoch for number, epoch in sorted(self._kept.get(run, {}).items()) if number <= last]


def write_curve(epochs: Iterable[Epoch], run: Path) -> Path:
    """Write the epochs of a run; `run` is its result file."""
    return _write(map(dataclasses.asdict, epochs), _beside(run, CURVE))


def read_curve(run: Path) -> list[Epoch]:
    """The epochs of a run; none where they were not kept."""
    return [Epoch(**fields) for fields in _read(_beside(run, CURVE), Epoch)]


def write_attention(looks: Iterable[Looking], run: Path) -> Path:
    """Write where a run's network looked."""
    return _write(map(dataclasses.asdict, looks), _beside(run, ATTENTION))


def read_attention(run: Path) -> list[Looking]:
    """Where a run's network looked; nothing where that was not kept."""
    return [
        Looking(
            fields["id"],
            fields["kind"],
            tuple(fields["words"]),
            tuple(fields["nodes"]),
            tuple(map(tuple, fields["weights"])),
            tuple(fields["distances"]),
        )
        for fields in _read(_beside(run, ATTENTION), Looking)
    ]


def forget(run: Path) -> None:
    """Remove what lies beside a result that is to be computed again."""
    for ending in (CURVE, ATTENTION):
        _beside(run, ending).unlink(missing_ok=True)


def _short(figure: float) -> float:
    return float(f"{figure:.{_DIGITS}g}")


def _beside(run: Path, ending: str) -> Path:
    return run.with_name(run.name.removesuffix(".json") + ending)


def _write(lines: Iterable[Mapping[str, Any]], target: Path) -> Path:
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    beside = target.with_name(f".{target.name}")
    beside.write_bytes(bz2.compress(text.encode()))
    return beside.replace(target)  # whole or not at all


def _read(path: Path, record: type) -> Sequence[dict[str, Any]]:
    if not path.is_file():
        return []
    names = {item.name for item in dataclasses.fields(record)}
    found = []
    try:
        lines = bz2.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: packed lines were expected ({error}); run it again.") from None
    for number, line in enumerate(lines, start=1):
        try:
            fields = json.loads(line)
        except ValueError:
            fields = None
        if not isinstance(fields, dict) or fields.keys() != names:
            raise InputError(f"{path}:{number}: an object with {', '.join(sorted(names))} was expected; run it again.")
        found.append(fields)
    return found
