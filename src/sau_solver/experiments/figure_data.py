"""The data behind figures of one run: the epochs of its training, and where its network looked in a problem."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sau_solver.errors import InputError
from sau_solver.files import make_folder, write_atomically

if TYPE_CHECKING:
    from sau_solver.training.trainer import EpochReport, Report

# decoder: the attention that predicts a node (eq. 5). alignment: the attention by which SSAR looks for the meaning of a
# subtree in the text (eq. 9). similarity: the cosine between the meanings of a subtree and of each word, as SSAR sees
# them.
AttentionKind = Literal["decoder", "alignment", "similarity"]

CURVE_FILE = "curve.jsonl"  # in the folder of a training in progress
_DIGITS = 4  # significant digits


@dataclass(frozen=True, slots=True)
class Epoch:
    """The figures of one epoch. Loss, accuracy and alignment are means over the symbols of training trees."""

    epoch: int  # from 1
    loss: float
    accuracy: float
    alignment: float
    rate: float  # learning rate


@dataclass(frozen=True, slots=True)
class AttentionMap:
    """Weights over the words of one problem: one row per tree node, in prefix order, that sums to 1.

    For SSAR, `distances` has one value per row: how far the subtree is from what it attends to.
    """

    id: str
    kind: AttentionKind
    words: tuple[str, ...]
    nodes: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    distances: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        rows, columns = len(self.nodes), len(self.words)
        if len(self.weights) != rows or any(len(row) != columns for row in self.weights):
            shape = f"{len(self.weights)} rows of {sorted({len(row) for row in self.weights})} weights"
            raise InputError(f"Attention of {rows} nodes over {columns} words must have that shape, got {shape}.")
        if self.distances and len(self.distances) != rows:
            raise InputError(f"distances must have one value for each of {rows} nodes, got {len(self.distances)}.")

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> AttentionMap:
        """Read the fields of a JSON object."""
        tuples = {name: tuple(fields[name]) for name in ("words", "nodes", "distances")}
        return cls(fields["id"], fields["kind"], **tuples, weights=tuple(map(tuple, fields["weights"])))


class LearningCurves:
    """Collects the epochs of each run from the reports of a training, and passes every report on.

    `folders` has the training folder of each run, by name. Epochs are also written there, so that a resumed run keeps
    those from before the interruption.
    """

    def __init__(self, report: Report | None = None, folders: Mapping[str, Path] | None = None) -> None:
        self._report, self._folders = report, folders or {}
        self._epochs = {run: _read_epochs(folder / CURVE_FILE) for run, folder in self._folders.items()}

    def __call__(self, told: EpochReport) -> None:
        """Take a report; only those at the end of an epoch belong to the curve."""
        if not told.part:
            figures = (told.loss, told.accuracy, told.alignment, told.rate)
            own = self._epochs.setdefault(told.run, {})
            own[told.epoch] = Epoch(told.epoch, *(float(f"{figure:.{_DIGITS}g}") for figure in figures))
            if folder := self._folders.get(told.run):
                make_folder(folder)
                text = "".join(json.dumps(asdict(epoch)) + "\n" for epoch in own.values())
                write_atomically(folder / CURVE_FILE, text)
        if self._report:
            self._report(told)

    def epochs(self, run: str, last: int) -> list[Epoch]:
        """Return the epochs of a run in order, up to its last one."""
        return [epoch for number, epoch in sorted(self._epochs.get(run, {}).items()) if number <= last]


def _read_epochs(path: Path) -> dict[int, Epoch]:
    if not path.is_file():
        return {}
    try:
        epochs = [Epoch(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} must have one epoch per line ({error}). Delete it and run again.") from None
    return {one.epoch: one for one in epochs}
