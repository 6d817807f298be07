"""Find the test problems of folds that a training problem nearly copies, and write them to results/near-copies.jsonl.

    SAU_DATA=... python scripts/fold_copies.py

`sau report` shows accuracy without them. Needs every corpus that has a manifest of folds.
"""

from __future__ import annotations

from pathlib import Path

from sau_solver.data import load
from sau_solver.data.prepared.folds import RULES, load_manifest
from sau_solver.experiments.report.far_problems import FILE, find_fold_copies

RESULTS = Path(__file__).parents[1] / "results"


def main() -> None:
    """Write one line per manifest and print the share of near copies in each fold."""
    lines = []
    for name, rule in RULES.items():
        corpus = load(rule.corpus)
        manifest = load_manifest(name, corpus)
        found = find_fold_copies(manifest, corpus)
        lines.append(found.line())
        shares = (100 * len(ids) / len(fold.test) for ids, fold in zip(found.folds, manifest.folds, strict=True))
        print(f"{name}: {', '.join(f'{share:.1f} %' for share in shares)}", flush=True)
    (RESULTS / FILE).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
