"""The folder of a campaign: how far each target is, the corpus of inputs, and one file for each finding."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fuzzing.shrinking import size_of
from sau_solver.files import write_atomically

KEPT = 20  # inputs of one kind in the corpus


@dataclass
class Progress:
    """How far a target is with one seed."""

    next: int = 0  # index of the next input
    inputs: int = 0  # how many were checked; a few that mean nothing do not count
    slowest: float = 0.0  # seconds of work
    slowest_index: int = 0
    memory: float = 0.0  # megabytes above the base


class State:
    """What a campaign knows, stored after each slice of time so that the next one goes on from there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings, self.corpus = folder / "findings", folder / "corpus"
        for needed in (self.findings, self.corpus):
            needed.mkdir(parents=True, exist_ok=True)
        self._file = folder / "state.json"
        stored = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        self.progress = {key: Progress(**value) for key, value in stored.items()}
        self._kept: dict[str, Counter[str]] = {}

    def of(self, name: str, seed: int) -> Progress:
        """Return the progress of a target with a seed."""
        return self.progress.setdefault(f"{name}/{seed}", Progress())

    def add(self, name: str, seed: int, told: dict[str, Any]) -> None:
        """Add what a worker process tells about a target."""
        progress = self.of(name, seed)
        progress.next = max(progress.next, told["next"])
        progress.inputs += told["inputs"]
        progress.memory = max(progress.memory, told["memory"])
        if told["slowest"] > progress.slowest:
            progress.slowest, progress.slowest_index = told["slowest"], told["slowest_index"]

    def save(self) -> None:
        """Store the progress of all targets."""
        stored = {key: asdict(value) for key, value in self.progress.items()}
        write_atomically(self._file, json.dumps(stored, indent=1).encode())

    def keep(self, name: str, kind: str, spec: Any) -> None:
        """Add an input to the corpus, unless it has enough of that kind."""
        file = self.corpus / f"{name}.jsonl"
        if name not in self._kept:
            lines = file.read_text("utf-8").splitlines() if file.exists() else []
            self._kept[name] = Counter(json.loads(line)["kind"] for line in lines)
        if self._kept[name][kind] < KEPT:
            self._kept[name][kind] += 1
            with file.open("a", encoding="utf-8") as lines_file:
                lines_file.write(json.dumps({"kind": kind, "input": spec}) + "\n")

    def found(self, name: str, seed: int, finding: dict[str, Any]) -> bool:
        """Store a finding; return whether it is new. Of several with the same rule, the smallest input is kept."""
        digest = hashlib.sha256(finding["rule"].encode()).hexdigest()[:8]
        file = self.findings / f"{name}-{digest}.json"
        known = read_finding(file) if file.exists() else None
        if known is not None and known["open"] and size_of(known["input"]) <= size_of(finding["input"]):
            return False
        stored = {"target": name, "seed": seed, "open": True} | finding
        _write_finding(file, stored)
        return known is None or not known["open"]

    def stored_findings(self, name: str | None = None) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield all findings, or those of a target."""
        for file in sorted(self.findings.glob("*.json")):
            finding = read_finding(file)
            if name is None or finding["target"] == name:
                yield file, finding

    def settle(self, file: Path, wrong: dict[str, str] | None) -> None:
        """Note whether a finding is still open."""
        finding = read_finding(file)
        finding["open"] = wrong is not None
        _write_finding(file, finding)


def read_finding(file: Path) -> dict[str, Any]:
    """Return a stored finding, whose input may have characters that are no Unicode text."""
    finding: dict[str, Any] = json.loads(file.read_bytes().decode("utf-8", "surrogatepass"))
    return finding


def _write_finding(file: Path, finding: dict[str, Any]) -> None:
    write_atomically(file, json.dumps(finding, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"))
