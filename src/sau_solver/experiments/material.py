"""A configuration -> its corpus, prepared for the model and divided into training and test problems."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sau_solver.data import Corpus, data_folder, load
from sau_solver.data.prepared.examples import Prepared, TextView, prepare_all
from sau_solver.data.prepared.folds import Division, Manifest, divide, load_manifest
from sau_solver.equations.normal_form import Level
from sau_solver.experiments.config import ExperimentConfig, Tested
from sau_solver.experiments.own_models import code_of

VALIDATION_SHARE = 1 / 8  # of the training folds, for test = "validation"


@dataclass(frozen=True)
class Material:
    """A prepared corpus with its folds."""

    corpus: Corpus
    manifest: Manifest
    prepared: tuple[Prepared, ...]

    def divide(self, fold: int, tested: Tested = "fold") -> Division[Prepared]:
        """Return the problems to train on and to test; "validation" tests a slice of the other folds."""
        division = divide(self.manifest, fold, self.prepared, lambda one: one.problem.id)
        if tested == "fold":
            return division
        order = list(range(len(division.train)))
        random.Random(f"{self.manifest.name} {fold}").shuffle(order)  # noqa: S311
        held = frozenset(order[: round(VALIDATION_SHARE * len(order))])
        train = tuple(one for place, one in enumerate(division.train) if place not in held)
        return Division(train, (), tuple(one for place, one in enumerate(division.train) if place in held))


def gather(config: ExperimentConfig, folder: Path | None = None) -> Material:
    """Read and prepare the corpus of an experiment with its folds."""
    corpus, prepared = gather_all(config, folder)
    return Material(corpus, load_manifest(config.manifest, corpus), prepared)


def gather_all(config: ExperimentConfig, folder: Path | None = None) -> tuple[Corpus, tuple[Prepared, ...]]:
    """Read and prepare the corpus of an experiment without folds, which not every corpus has."""
    return _gather(config.one_corpus(), config.text, config.equations, folder or data_folder())


@lru_cache(maxsize=4)  # every fold needs the same material
def _gather(name: str, text: TextView, equations: Level, folder: Path) -> tuple[Corpus, tuple[Prepared, ...]]:
    corpus = load(name, folder)
    return corpus, tuple(prepare_all(corpus, name, text, equations))


def describe_data(config: ExperimentConfig, fold: int | None, fingerprint: str) -> dict[str, Any]:
    """Return what a checkpoint records about its data: what the network was trained on and what was held out."""
    described = {
        "corpus": config.corpus,
        "fold": fold,
        "fingerprint": fingerprint,
        "text": config.text,
        "equations": config.equations,
    }
    if code := code_of(config.options):
        described["code"] = code
    return described if fold is None else described | {"division": config.manifest, "test": config.test}
