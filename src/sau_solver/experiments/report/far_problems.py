"""Test problems of folds with a near copy in the training folds, as stored, and accuracy without them.

`results/near-copies.jsonl` has one line per manifest of folds. `python scripts/fold_copies.py` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sau_solver.data.prepared.training_copies import NEAR
from sau_solver.experiments.judging import shares_of_metrics
from sau_solver.experiments.report.merging import Experiment

FILE = "near-copies.jsonl"
FAR = f"< {NEAR:.1f}".replace("0.", ".")


@dataclass(frozen=True, slots=True)
class FoldCopies:
    """The test problems of each fold with a near copy among its training problems."""

    manifest: str
    fingerprint: str  # of the corpus
    folds: tuple[frozenset[str], ...]

    def line(self) -> str:
        """Return the line of the file."""
        fields = {
            "manifest": self.manifest,
            "fingerprint": self.fingerprint,
            "least": NEAR,
            "folds": [sorted(ids, key=lambda one: (len(one), one)) for ids in self.folds],
        }
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


NearCopies = Mapping[str, FoldCopies]  # by manifest
Far = Mapping[str, Mapping[str, float]]  # experiment -> metric -> share of the problems without near copies


def read_near_copies(results: Path) -> NearCopies:
    """Read the stored problems with near copies; nothing if there is no such file."""
    path = results / FILE
    if not path.is_file():
        return {}
    lines: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        one["manifest"]: FoldCopies(one["manifest"], one["fingerprint"], tuple(map(frozenset, one["folds"])))
        for one in lines
    }


def far_shares(experiments: Mapping[str, Experiment], near: NearCopies) -> Far:
    """Return the accuracy of each experiment without near copies; nothing for one whose copies are not known."""
    found: dict[str, Mapping[str, float]] = {}
    for name, own in experiments.items():
        known = near.get(own.runs[0].config["division"])
        if known is not None and known.fingerprint == own.runs[0].fingerprint:
            found[name] = shares_of_metrics(
                [right for run in own.runs for id_, right in own.store.counted(run) if id_ not in known.folds[run.fold]]
            )
    return found
