"""Find the test problems of folds that a training problem nearly copies, and write them to results/near-copies.jsonl.

    SAU_DATA=... python scripts/fold_copies.py

`sau report` shows accuracy without them. Needs every corpus that has a manifest of folds.
"""

from __future__ import annotations

from pathlib import Path

from sau_solver.data import Corpus, load
from sau_solver.data.prepared.folds import RULES, Manifest, divide, load_manifest
from sau_solver.data.prepared.training_copies import LearnedText, nearest_copies, pairs_of
from sau_solver.experiments.report.far_problems import FILE, FoldCopies

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


def find_fold_copies(manifest: Manifest, corpus: Corpus) -> FoldCopies:
    """Compare the test problems of each fold with its training problems."""
    folds = []
    for place in range(len(manifest.folds)):
        parts = divide(manifest, place, corpus.problems, lambda one: one.id)
        nearest = nearest_copies([pairs_of(one) for one in parts.test], map(LearnedText, parts.train))
        folds.append(frozenset(one.id for one, copy in zip(parts.test, nearest, strict=True) if copy))
    return FoldCopies(manifest.name, corpus.fingerprint, tuple(folds))


if __name__ == "__main__":
    main()
