"""A model and any corpus or file -> accuracy under every protocol, for trying a model outside its recorded folds.

A model is a configuration of one that learns in one go, or the folder of a trained network. What it learned from is
never tested: problems of the same text are left out, and the corpora of a mixture refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from sau_solver.data import Corpus, find_corpus, load
from sau_solver.data.prepared.examples import Prepared, TextView, examples_of, prepare_all
from sau_solver.data.prepared.folds import divide, load_manifest
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.equations.normal_form import Level
from sau_solver.errors import CorpusError, InputError
from sau_solver.experiments.config import ExperimentConfig, Tested
from sau_solver.experiments.judging import Judged, judge_problem, shares, shares_by
from sau_solver.experiments.material import Material, gather
from sau_solver.experiments.runs import build
from sau_solver.models.base import BEAM, Predictor
from sau_solver.models.loading import require_torch
from sau_solver.models.options import DeviceName
from sau_solver.problem import Problem

_TOGETHER = 256  # problems that are predicted before they are judged and progress is shown

OnProgress = Callable[[int, int], None]  # problems that are done, of how many


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Shares of the problems tested, between 0 and 1."""

    model: str
    data: str
    fingerprint: str
    fold: int | None
    tested: Literal["all", Tested]  # all of the data, or the part of the model's own corpus that was held out
    problems: int
    learned: int  # problems that were left out, since the model learned from their texts
    metrics: Mapping[str, float]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]


def evaluate(
    config: ExperimentConfig, corpus: Corpus, fold: int | None = None, on_progress: OnProgress | None = None
) -> Evaluation:
    """Learn on the configuration's corpus, test on another, or on one fold of the same after learning on the rest."""
    name = config.one_corpus()
    model = build(config)
    material = gather(config)
    own = corpus.fingerprint == material.corpus.fingerprint
    learned = 0
    if own:
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
        if _shares_files(corpus, name):
            raise InputError(f"{corpus.name} has problems of {name}, which {config.name} learns from; give other data.")
        train = material.prepared
        test, learned = _unknown(corpus, (one.problem for one in train), config.text, config.equations)
    model.fit(list(examples_of(train)))
    judged = _judged(model, test, config.beam, on_progress)
    return _evaluation(config.name, corpus, fold, "fold" if own else "all", judged, learned)


def evaluate_trained(
    folder: Path,
    corpus: Corpus,
    beam: int = BEAM,
    device: DeviceName = "auto",
    on_progress: OnProgress | None = None,
) -> Evaluation:
    """Test a trained network: on the fold that its training held out where the data are its own corpus, else on all."""
    require_torch()
    from sau_solver.models.checkpoint import load_with_data
    from sau_solver.models.devices import memory_limit  # torch, only where a network is used

    solver, data = load_with_data(folder, device)
    _refuse_learned(folder, corpus, data)
    tested: Literal["all", Tested] = "all"
    fold: int | None = None
    learned = 0
    if corpus.fingerprint == data.get("fingerprint"):
        test = _held_out(folder, corpus, data)
        fold, tested = data["fold"], data["test"]
    elif corpus.name == data.get("corpus"):
        raise CorpusError(
            f"{folder} was trained on {corpus.name} with fingerprint {data['fingerprint'][:12]}; the data at hand are "
            f"{corpus.fingerprint[:12]}, and what was held out of them is not known. "
            f"Fetch the published files again (sau data fetch {corpus.name}), or train again."
        )
    else:
        text, level = data.get("text", "published"), data.get("equations", "published")
        test, learned = _unknown(corpus, _learned_from(data), text, level)
    with memory_limit("the network and the problems that it searches at a time", "Use a smaller --beam, or the CPU."):
        judged = _judged(solver, test, beam, on_progress)
    return _evaluation(str(folder), corpus, fold, tested, judged, learned)


def _refuse_learned(folder: Path, corpus: Corpus, data: Mapping[str, Any]) -> None:
    """InputError where a network learned from this corpus in part, or from a mixture that has it, or a copy."""
    single = data.get("corpus", "")
    if single and single != corpus.name and _shares_files(corpus, single):
        raise InputError(f"{corpus.name} has problems of {single}, which {folder} learned from; give other data.")
    for name, source in data.get("sources", {}).items():
        if _shares_files(corpus, name) or corpus.name == name or corpus.fingerprint == source["fingerprint"]:
            parts = ", ".join([*data["test"], *data["validation"]])
            raise InputError(
                f"{folder} was trained on a mixture with {name}, so that testing it on all of {corpus.name} would say "
                f"nothing; give other data. What was held out: {parts}."
            )


def _shares_files(corpus: Corpus, name: str) -> bool:
    """Whether a corpus is read from files that another one, too, is read from."""
    return corpus.info is not None and bool(set(corpus.info.files) & set(find_corpus(name).files))


def _learned_from(data: Mapping[str, Any]) -> Iterable[Problem]:
    """The problems that a network learned from; none where that is a mixture, or its corpus is not at hand."""
    try:
        own = load(data["corpus"]) if data.get("corpus") else None
    except CorpusError:
        own = None
    if own is None or own.fingerprint != data["fingerprint"]:
        return ()
    if data["fold"] is None:
        return own.problems
    return divide(load_manifest(data["division"], own), data["fold"], own.problems, lambda one: one.id).train


def _unknown(
    corpus: Corpus, learned: Iterable[Problem], text: TextView, level: Level
) -> tuple[tuple[Prepared, ...], int]:
    """The problems of a corpus whose texts were not learned from, white space aside, and how many were."""
    known = {"".join(one.text.split()) for one in learned}
    prepared = tuple(prepare_all(corpus, corpus.name, text, level))
    unknown = tuple(one for one in prepared if "".join(one.problem.text.split()) not in known)
    if prepared and not unknown:
        raise InputError(f"The model learned from every problem of {corpus.name}; give other data.")
    return unknown, len(prepared) - len(unknown)


def _held_out(folder: Path, corpus: Corpus, data: Mapping[str, Any]) -> tuple[Prepared, ...]:
    """What a network's training left out of its own corpus."""
    if data["fold"] is None:
        raise InputError(
            f"{folder} was trained on all problems of {data['corpus']}, so that testing it on them would say nothing; "
            "give other data, or train with a fold held out (sau train CONFIG.toml --fold 0)."
        )
    named = replace(corpus, name=data["corpus"])  # it may come from a file
    prepared = tuple(prepare_all(named, named.name, data["text"], data["equations"]))
    material = Material(named, load_manifest(data["division"], named), prepared)
    return material.divide(data["fold"], data["test"]).test


def _judged(model: Predictor, test: Sequence[Prepared], beam: int, on_progress: OnProgress | None) -> list[Judged]:
    judged: list[Judged] = []
    for start in range(0, len(test), _TOGETHER):
        part = test[start : start + _TOGETHER]
        for one, candidates in zip(part, model.predict([one.text for one in part], beam), strict=True):
            judged.append(judge_problem(one, candidates))
            if on_progress:
                on_progress(len(judged), len(test))
    return judged


def _evaluation(
    model: str,
    corpus: Corpus,
    fold: int | None,
    tested: Literal["all", Tested],
    judged: Sequence[Judged],
    learned: int,
) -> Evaluation:
    return Evaluation(
        model=model,
        data=corpus.name,
        fingerprint=corpus.fingerprint,
        fold=fold,
        tested=tested,
        problems=len(judged),
        learned=learned,
        metrics=shares(judged),
        by_type=shares_by(judged, "type", PROBLEM_TYPES),
        by_size=shares_by(judged, "size", SIZES),
    )
