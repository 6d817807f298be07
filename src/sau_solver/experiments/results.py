"""A run's result file and its predictions: written whole or not at all, equal bytes for equal content."""

from __future__ import annotations

import bz2
import hashlib
import json
import math
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.judging import METRICS, Judged

SCHEMA = 2  # of result files; a result of another schema is computed again

PACKED = ".jsonl.bz2"  # ends the name of a file of predictions; half of what gzip makes of them
_DIGITS = 2  # of a log-probability, the zeros that it begins with not counted

# One letter for each protocol that calls a candidate right.
_LETTERS = {metric: metric[0] for metric in METRICS if metric != "candidates_oracle"}
_METRIC_OF = {letter: metric for metric, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class RunResult:
    """What results/EXPERIMENT/RUN.json holds. Shares are between 0 and 1."""

    schema: int
    model: str
    corpus: str
    fold: int
    seed: int
    epochs: int | None
    epoch_choice: str | None  # last, validation; None where a model has no epochs
    problems: int
    # Problems without a gold tree, or one that the model can express: left out of training; without a gold tree: wrong
    # by `equation` in testing; and, where there are any, those whose first candidate is no tree.
    unusable: Mapping[str, int]
    metrics: Mapping[str, float]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]
    seconds: float
    seconds_by_stage: Mapping[str, float]
    device: str
    versions: Mapping[str, str]
    fingerprint: str
    config: Mapping[str, Any]
    predictions: Mapping[str, str]  # file and sha256
    # `problems` and the metrics over those whose gold tree the model can express; empty where that is every problem.
    expressible: Mapping[str, float] = field(default_factory=dict)
    # Networks that trained as one on a GPU, which shares out their problems in batches; None where nothing was trained.
    together: int | None = None


def run_name(fold: int, seed: int) -> str:
    """The file name of a run, less its ending."""
    return f"fold{fold}-seed{seed}"


def write_predictions(judged: Iterable[Judged], target: Path, log_probabilities: bool = True) -> str:
    """Write judged problems as packed JSON lines; returns the SHA-256 of the file.

    Log-probabilities are rounded; without them the file is a third smaller.
    """
    lines = "".join(_line(one, log_probabilities) for one in judged)
    packed = bz2.compress(lines.encode())
    _replace(target, packed)
    return hashlib.sha256(packed).hexdigest()


def read_predictions(path: Path) -> list[Judged]:
    """What `write_predictions` wrote; log-probabilities as they were kept, None where they were not."""
    with bz2.open(path, "rt", encoding="utf-8") as file:
        return [_judged(json.loads(line)) for line in file]


def write_result(result: RunResult, target: Path) -> None:
    """Write a result file."""
    _replace(target, (json.dumps(asdict(result), indent=1, ensure_ascii=False) + "\n").encode())


def read_result(path: Path) -> RunResult:
    """Read a result file; InputError where it is not one of this schema."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        if fields["schema"] == SCHEMA:
            return RunResult(**fields)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: a result file was expected ({error}); run the experiment again.") from None
    raise InputError(f"{path}: a result of schema {SCHEMA} was expected; run the experiment again.")


def is_complete(result: RunResult, folder: Path) -> bool:
    """Whether the predictions that a result speaks of lie beside it, unchanged."""
    path = folder / result.predictions["file"]
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == result.predictions["sha256"]


def _line(judged: Judged, log_probabilities: bool) -> str:
    candidates = judged.candidates
    fields: dict[str, Any] = {
        "id": judged.id,
        "type": judged.type,
        "size": judged.size,
        "candidates": [str(one.tree) for one in candidates],
        "outcomes": [one.outcome for one in candidates],
        "right": ["".join(letter for metric, letter in _LETTERS.items() if metric in one.right) for one in candidates],
    }
    if log_probabilities:
        fields["log_probabilities"] = [
            None if math.isnan(one.log_probability) else float(f"{one.log_probability:.{_DIGITS}g}")
            for one in candidates
        ]
    if any(one.unreadable for one in candidates):
        fields["unreadable"] = [one.unreadable for one in candidates]
    if not judged.expressible:
        fields["expressible"] = False
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def _judged(fields: Mapping[str, Any]) -> Judged:
    kept = fields.get("log_probabilities") or [None] * len(fields["candidates"])
    unreadable_outputs = fields.get("unreadable") or [""] * len(fields["candidates"])
    candidates = tuple(
        Candidate(
            Uet.from_text(tree),
            math.nan if log_probability is None else log_probability,
            unreadable,
            outcome=outcome,
            right=frozenset(_METRIC_OF[letter] for letter in right),
        )
        for tree, log_probability, outcome, right, unreadable in zip(
            fields["candidates"], kept, fields["outcomes"], fields["right"], unreadable_outputs, strict=True
        )
    )
    return Judged(fields["id"], fields["type"], fields["size"], candidates, fields.get("expressible", True))


def _replace(target: Path, content: bytes) -> None:
    """The file appears whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        beside.chmod(0o644)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
