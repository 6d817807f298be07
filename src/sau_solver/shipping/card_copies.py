"""Test problems of a shipped model with a near copy in its training data, stored beside its report for the model card.

`results/shipped/en.copies.json` names the weights that it belongs to, so that it is not used for other ones.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sau_solver.data import load
from sau_solver.data.prepared.training_copies import NEAR, nearest_copies, pairs_of
from sau_solver.experiments.benchmark.learned_data import learned_from
from sau_solver.experiments.benchmark.suite import part_of
from sau_solver.files import write_atomically

SUFFIX = ".copies.json"


def write_copies(folder: Path, report: Path) -> dict[str, list[str]]:
    """Find the near copies of all test parts of a shipped model and store them; return their ids by part."""
    described = json.loads((folder / "config.json").read_bytes())
    parts = {part: part_of(load(part.partition("/")[0]), part.partition("/")[2]) for part in described["data"]["test"]}
    tested = [pairs_of(problem) for own in parts.values() for problem in own]
    left = iter(nearest_copies(tested, learned_from(described["data"]).problems()))
    found = {part: [problem.id for problem in own if next(left)] for part, own in parts.items()}
    fields = {"weights": _weights(described), "least": NEAR, "parts": found}
    write_atomically(report.with_suffix(SUFFIX), json.dumps(fields, indent=1, ensure_ascii=False) + "\n")
    return found


def far_answers(described: Mapping[str, Any], report: Path) -> dict[str, float]:
    """Return the share of right answers by test part without near copies; empty if they are not stored."""
    path = report.with_suffix(SUFFIX)
    fields = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if fields.get("weights") != _weights(described):
        return {}
    verdicts: dict[str, list[bool]] = {part: [] for part in fields["parts"]}
    near = {part: frozenset(ids) for part, ids in fields["parts"].items()}
    for line in gzip.decompress(report.with_suffix(".jsonl.gz").read_bytes()).decode().splitlines():
        trial = json.loads(line)
        if trial["part"] in near and trial["id"] not in near[trial["part"]]:
            verdicts[trial["part"]].append("answer" in trial["right"])
    return {part: sum(own) / len(own) for part, own in verdicts.items() if own}


def _weights(described: Mapping[str, Any]) -> str:
    return str(described["files"]["model.safetensors"]["sha256"])
