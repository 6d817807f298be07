"""The stored runs of an experiment. Files are always replaced as a whole, and equal content gives equal bytes.

results/NAME.json                   one object per run: figures, settings, versions
results/NAME.predictions.jsonl.bz2  one line per run and test problem: the candidates and the verdicts on them
results/NAME.figures.jsonl.bz2      one line per epoch of a network's training, and per attention map

The lines are stored by columns (`columns`).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.columns import pack, unpack
from sau_solver.experiments.config import with_defaults
from sau_solver.experiments.figure_data import AttentionMap, Epoch
from sau_solver.experiments.judging import (
    FIRST,
    METRICS,
    OVER_CANDIDATES,
    Judged,
    metrics_of,
    scores,
    shares_of_expressible,
)
from sau_solver.files import lock, make_folder, write_atomically

RESULTS = Path("results")
SCHEMA = 4  # version of the files' format; runs of another schema are repeated
RESCORED = (3, SCHEMA)  # schemas whose predictions can be scored again; in 3, `answer` was what is now `annotated`

_DIGITS = 2  # significant digits of a stored log-probability

# A candidate's verdicts are stored as one letter for each metric that calls it right.
_LETTERS = {metric: "n" if metric == "annotated" else metric[0] for metric in METRICS if metric not in OVER_CANDIDATES}
_METRIC_OF = {letter: metric for metric, letter in _LETTERS.items()}

_Lines = Mapping[str, Sequence[str]]  # the lines of a file by run


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of one run. Shares are between 0 and 1."""

    model: str
    corpus: str
    fold: int
    seed: int
    epochs: int | None
    epoch_choice: str | None  # "last", or None for a model without epochs
    problems: int
    # train: problems that were not learned from, because they have no gold tree or one that the model cannot write.
    # test: problems without a gold tree, which `equation` counts as wrong. outputs, if not 0: problems whose first
    # candidate is not a tree.
    unusable: Mapping[str, int]
    metrics: Mapping[str, float]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]
    seconds: float
    seconds_by_stage: Mapping[str, float]
    device: str
    versions: Mapping[str, str]
    fingerprint: str  # of the corpus
    config: Mapping[str, Any]
    # `problems` and the metrics over the problems whose gold tree the model can write; empty if it can write all.
    expressible: Mapping[str, float] = field(default_factory=dict)
    together: int | None = None  # networks that trained as one; None for a model without training
    predictions_sha256: str = ""  # of the run's lines

    @property
    def name(self) -> str:
        """Return the name of the run within its experiment."""
        return run_name(self.fold, self.seed)


def run_name(fold: int | None, seed: int) -> str:
    """Return the name of a run within its experiment; `fold` is None if nothing is held out."""
    return f"{'all' if fold is None else f'fold{fold}'}-seed{seed}"


@dataclass(frozen=True, slots=True)
class ResultStore:
    """The files of one experiment. Several processes may add runs at the same time."""

    folder: Path
    experiment: str

    @property
    def path(self) -> Path:
        """Return the path of the result file."""
        return self.folder / f"{self.experiment}.json"

    @property
    def predictions_path(self) -> Path:
        """Return the path of the predictions."""
        return self.folder / f"{self.experiment}.predictions.jsonl.bz2"

    @property
    def figures_path(self) -> Path:
        """Return the path of the data behind figures."""
        return self.folder / f"{self.experiment}.figures.jsonl.bz2"

    def runs(self, schemas: Sequence[int] = (SCHEMA,)) -> list[RunResult]:
        """Return the stored runs by seed and fold; raise InputError if the file is damaged or of another schema."""
        if not self.path.is_file():
            return []
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            if (schema := content["schema"]) in schemas:
                runs = [RunResult(**fields) for fields in content["runs"]]
                return [replace(self._with_first(run), config=with_defaults(run.config)) for run in runs]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.path} is not a result file ({error}). Run the experiment again.") from None
        raise InputError(f"{self.path} must have schema {SCHEMA}, got {schema}. Run the experiment again.")

    def _with_first(self, run: RunResult) -> RunResult:
        """Return a run with the metric `first`, which was stored later than the others and follows from predictions."""
        if FIRST in run.metrics or not self.is_complete(run):
            return run
        judged = self.predictions(run)
        return replace(run, **scores(judged), expressible=shares_of_expressible(judged))

    def predictions(self, run: RunResult) -> list[Judged]:
        """Return the judged predictions of a run; raise InputError if they are missing or were changed."""
        return [_judged(json.loads(line)) for line in self._checked_lines(run)]

    def counted(self, run: RunResult) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield each problem's id and the metrics that count it as right; its trees are not read, to save time."""
        for line in self._checked_lines(run):
            fields = json.loads(line)
            yield fields["id"], metrics_of(tuple(fields["outcomes"]), tuple(map(_verdicts, fields["right"])))

    def is_complete(self, run: RunResult) -> bool:
        """Tell whether the predictions of a run are stored and unchanged."""
        try:
            return _sha256(self._prediction_lines(run)) == run.predictions_sha256
        except InputError:
            return False

    def epochs(self, run: RunResult) -> list[Epoch]:
        """Return the epochs of a run's training; empty if none are stored."""
        return [Epoch(**fields) for fields in self._figures(run) if "kind" not in fields]

    def attention(self, run: RunResult) -> list[AttentionMap]:
        """Return the attention maps of a run; empty if none are stored."""
        return [AttentionMap.from_fields(fields) for fields in self._figures(run) if "kind" in fields]

    def add(
        self,
        result: RunResult,
        judged: Iterable[Judged],
        figures: Iterable[Epoch | AttentionMap] = (),
        log_probabilities: bool = True,
    ) -> RunResult:
        """Store a run in place of an earlier one of the same name; return it with the checksum of its predictions.

        Log-probabilities are rounded; without them the predictions take a third less space.
        """
        name = result.name
        predicted = [_line(name, _prediction(one, log_probabilities)) for one in judged]
        drawn = [_line(name, asdict(one)) for one in figures]
        result = replace(result, config=with_defaults(result.config), predictions_sha256=_sha256(predicted))
        with _locked(self.folder):
            try:
                runs = {run.name: run for run in self.runs()} | {name: result}
            except InputError:  # damaged, or of another schema: the other runs have to be repeated
                runs = {name: result}
            ordered = sorted(runs.values(), key=lambda run: (run.seed, run.fold))
            names = [run.name for run in ordered]
            # The result comes last: after a kill before it, the checksum does not match and the run is repeated.
            _write_lines(self.predictions_path, names, {name: predicted})
            _write_lines(self.figures_path, names, {name: drawn})
            self._write_runs(ordered)
        return result

    def rescore(self, rescored: Sequence[tuple[RunResult, Sequence[Judged]]]) -> None:
        """Replace the figures and verdicts of all runs; everything else that is stored stays."""
        lines = {}
        for run, judged in rescored:
            chances = any(not math.isnan(one.log_probability) for own in judged for one in own.candidates)
            lines[run.name] = [_line(run.name, _prediction(one, chances)) for one in judged]
        runs = [replace(run, predictions_sha256=_sha256(lines[run.name])) for run, _ in rescored]
        with _locked(self.folder):
            if [run.name for run in self.runs(RESCORED)] != [run.name for run in runs]:
                raise InputError(f"The runs in {self.path} changed while they were scored again. Score them once more.")
            _write_lines(self.predictions_path, [run.name for run in runs], lines)
            self._write_runs(runs)

    def _write_runs(self, runs: Sequence[RunResult]) -> None:
        content = {"schema": SCHEMA, "runs": [asdict(run) for run in runs]}
        write_atomically(self.path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def _checked_lines(self, run: RunResult) -> Sequence[str]:
        lines = self._prediction_lines(run)
        if _sha256(lines) != run.predictions_sha256:
            raise InputError(
                f"{self.predictions_path} must hold the predictions of {run.name} with SHA-256 "
                f"{run.predictions_sha256[:12]}…. Run the experiment again."
            )
        return lines

    def _prediction_lines(self, run: RunResult) -> Sequence[str]:
        return _read_lines(self.predictions_path).get(run.name, ())

    def _figures(self, run: RunResult) -> Iterator[dict[str, Any]]:
        for line in _read_lines(self.figures_path).get(run.name, ()):
            fields = json.loads(line)
            del fields["run"]
            yield fields


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time change the files of a folder. The lock of a killed process is released."""
    make_folder(folder)
    with (folder / ".lock").open("wb") as file:
        lock(file)
        yield


def _line(run: str, fields: Mapping[str, Any]) -> str:
    return json.dumps({"run": run, **fields}, ensure_ascii=False, separators=(",", ":")) + "\n"


def _sha256(lines: Iterable[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _write_lines(path: Path, names: Sequence[str], new: _Lines) -> None:
    """Replace the lines of some runs, keep those of the other named runs, and drop the rest."""
    try:
        old = _read_lines(path)
    except InputError:  # damaged
        old = {}
    lines = [line for name in names for line in new.get(name, old.get(name, ()))]
    if lines:
        write_atomically(path, pack(lines))
    else:
        path.unlink(missing_ok=True)


def _read_lines(path: Path) -> _Lines:
    if not path.is_file():
        return {}
    status = path.stat()
    return _lines_of_version(path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=2)
def _lines_of_version(path: Path, _version: tuple[int, ...]) -> _Lines:
    """Return the lines of a file; they are kept, since every run of an experiment needs the same file."""
    found: dict[str, list[str]] = {}
    try:
        for line in unpack(path.read_bytes()):
            parts = line.split('"', 4)  # every line starts with {"run":"NAME"; parsing all of it takes much longer
            if len(parts) < 5 or parts[:3] != ["{", "run", ":"]:
                raise ValueError(f"a line starts with {line[:20]!r}")
            found.setdefault(parts[3], []).append(line)
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}). Run the experiment again.") from None
    return found


def _prediction(judged: Judged, log_probabilities: bool) -> dict[str, Any]:
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
    return fields


_tree = lru_cache(50_000)(Uet.from_text)  # the runs of an experiment find many equal trees


@cache
def _verdicts(letters: str) -> frozenset[str]:
    return frozenset(_METRIC_OF[letter] for letter in letters)


def _judged(fields: Mapping[str, Any]) -> Judged:
    nothing = [None] * len(fields["candidates"])
    candidates = tuple(
        Candidate(
            _tree(tree),
            math.nan if log_probability is None else log_probability,
            unreadable or "",
            outcome=outcome,
            right=_verdicts(right),
        )
        for tree, log_probability, outcome, right, unreadable in zip(
            fields["candidates"],
            fields.get("log_probabilities") or nothing,
            fields["outcomes"],
            fields["right"],
            fields.get("unreadable") or nothing,
            strict=True,
        )
    )
    return Judged(fields["id"], fields["type"], fields["size"], candidates, fields.get("expressible", True))
