"""The stored problems with near copies are those that a comparison of the folds finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.data import available, load
from sau_solver.data.prepared.folds import RULES, load_manifest
from sau_solver.experiments.report.far_problems import read_near_copies
from scripts.fold_copies import find_fold_copies

STORED = read_near_copies(Path(__file__).parents[3] / "results")


def test_every_manifest_is_stored() -> None:
    assert set(STORED) == set(RULES)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["alg514", "draw1k"])
def test_the_stored_copies_of_a_corpus_are_found_again(name: str) -> None:
    if name not in available():
        pytest.skip(f"{name} is not under SAU_DATA")
    corpus = load(name)
    assert find_fold_copies(load_manifest(name, corpus), corpus) == STORED[name]
