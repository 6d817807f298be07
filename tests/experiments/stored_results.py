"""Store results for the tests: verdicts in, results/NAME.json with its predictions out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.experiments.figure_data import AttentionMap, Epoch
from sau_solver.experiments.judging import Judged, scores, shares_of_expressible
from sau_solver.experiments.results import ResultStore, RunResult

RIGHT = frozenset({"reference", "strict", "answer", "annotated"})
FINGERPRINT = "a" * 64


def judged(
    id_: str,
    right: bool | frozenset[str],
    size: str = "5",
    kind: str = "linear-one",
    tree: str = "= x N0",
    log_probability: float = -0.5,
) -> Judged:
    """Return a problem with one solved candidate."""
    verdict = (RIGHT if right else frozenset()) if isinstance(right, bool) else right
    return Judged(id_, kind, size, (Candidate(Uet.from_text(tree), log_probability, outcome="solved", right=verdict),))


def store(
    results: Path,
    name: str,
    verdicts: Mapping[str, bool] | list[Judged],
    fold: int = 0,
    seed: int = 0,
    corpus: str = "hmwp",
    fingerprint: str = FINGERPRINT,
    config: Mapping[str, Any] | None = None,
    device: str = "cpu",
    figures: Sequence[Epoch | AttentionMap] = (),
) -> Path:
    """Store one run, and return the result file."""
    problems = verdicts if isinstance(verdicts, list) else [judged(id_, right) for id_, right in verdicts.items()]
    fields = {"corpus": corpus, "model": "sau", "text": "raw", "division": corpus, "beam": 5, "sau": {"hidden": 8}}
    result = RunResult(
        model="sau",
        corpus=corpus,
        fold=fold,
        seed=seed,
        epochs=3,
        epoch_choice="last",
        problems=len(problems),
        unusable={"train": 0, "test": 0},
        **scores(problems),
        expressible=shares_of_expressible(problems),
        seconds=90.0,
        seconds_by_stage={"fit": 50.0, "predict": 10.0, "judge": 30.0},
        device=device,
        versions={},
        fingerprint=fingerprint,
        config=fields | dict(config or {}),
    )
    files = ResultStore(results, name)
    files.add(result, problems, figures)
    return files.path
