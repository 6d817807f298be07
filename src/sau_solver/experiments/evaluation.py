"""A model and any corpus or file -> accuracy under every protocol, for trying a model outside its recorded folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sau_solver.data import Corpus
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.examples import examples_of, prepare_all
from sau_solver.experiments.judging import judge_problem, shares, shares_by
from sau_solver.experiments.runs import build, gather
from sau_solver.experiments.types import PROBLEM_TYPES, SIZES


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Shares of the problems tested, between 0 and 1."""

    model: str
    data: str
    fingerprint: str
    fold: int | None
    problems: int
    metrics: Mapping[str, float]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]


def evaluate(config: ExperimentConfig, corpus: Corpus, fold: int | None = None) -> Evaluation:
    """Learn on the configuration's corpus, test on another, or on one fold of the same after learning on the rest."""
    material = gather(config)
    if corpus.fingerprint == material.corpus.fingerprint:
        if fold is None:
            raise InputError(
                f"{corpus.name} is what {config.name} learns from; name the fold to hold out (--fold 0), or other data."
            )
        division = material.divide(fold)
        train, test = division.train, division.test
    else:
        if fold is not None:
            raise InputError(
                f"--fold divides {config.corpus}, the corpus of {config.name}; leave it out for other data."
            )
        train, test = material.prepared, tuple(prepare_all(corpus, corpus.name, config.text))
    model = build(config)
    model.fit(list(examples_of(train)))
    candidates = model.predict([one.text for one in test], config.beam)
    judged = [judge_problem(one, found) for one, found in zip(test, candidates, strict=True)]
    return Evaluation(
        model=config.name,
        data=corpus.name,
        fingerprint=corpus.fingerprint,
        fold=fold,
        problems=len(judged),
        metrics=shares(judged),
        by_type=shares_by(judged, "type", PROBLEM_TYPES),
        by_size=shares_by(judged, "size", SIZES),
    )
