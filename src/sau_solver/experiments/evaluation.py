"""A model and any corpus or file -> accuracy under every protocol.

The model is a configuration without a network, or the folder of a trained network. Problems that it learned from are
never tested: problems with the same text are left out, and the corpora of a mixture are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from sau_solver.answering.asked.final_unknown import AskedFirst, asked_first_of
from sau_solver.data import Corpus, corpora, load
from sau_solver.data.prepared.examples import Prepared, TextView, examples_of, prepare_all
from sau_solver.data.prepared.folds import divide, load_manifest
from sau_solver.equations.normal_form import Level
from sau_solver.errors import CorpusError, InputError
from sau_solver.experiments.config import ExperimentConfig, Tested
from sau_solver.experiments.judging import Judged, judge_problem, scores
from sau_solver.experiments.material import Material, gather
from sau_solver.experiments.runs import build
from sau_solver.experiments.user_evaluation import OnProgress, UserFigures, figures_for_users
from sau_solver.models.base import BEAM, Predictor
from sau_solver.models.loading import Model, model_of, require_torch
from sau_solver.models.options import DeviceName
from sau_solver.problem import Problem

_TOGETHER = 256  # problems per step of prediction and progress


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The accuracy of a model on test problems, as shares between 0 and 1."""

    model: str
    data: str
    fingerprint: str
    fold: int | None
    tested: Literal["all", Tested]  # all of the data, or the held-out part of the model's own corpus
    problems: int
    learned: int  # problems left out because the model learned from their texts
    metrics: Mapping[str, float]
    by_type: Mapping[str, Mapping[str, float]]
    by_size: Mapping[str, Mapping[str, float]]
    for_users: UserFigures | None = None  # of a calibrated model, or if the data have answers only


def evaluate(
    config: ExperimentConfig, corpus: Corpus, fold: int | None = None, on_progress: OnProgress | None = None
) -> Evaluation:
    """Fit a model on the corpus of its configuration and test it on other data, or on one held-out fold of its own."""
    name = config.one_corpus()
    model = build(config)
    material = gather(config)
    own = corpus.fingerprint == material.corpus.fingerprint
    learned = 0
    if own:
        if fold is None:
            raise InputError(
                f"{config.name} learns from {corpus.name}. Name the fold to hold out (--fold 0), or give other data."
            )
        division = material.divide(fold)
        train, test = division.train, division.test
    else:
        if fold is not None:
            raise InputError(
                f"--fold is only for {config.corpus}, the corpus of {config.name}. Leave it out for other data."
            )
        if _shares_files(corpus, name):
            raise InputError(f"{corpus.name} has problems of {name}, which {config.name} learns from. Give other data.")
        train = material.prepared
        test, learned = _unknown(corpus, (one.problem for one in train), config.text, config.equations)
    model.fit(list(examples_of(train)))
    tested: Literal["all", Tested] = "fold" if own else "all"
    found = _described(config.name, corpus, fold, tested) | {"problems": len(test), "learned": learned}
    if not _has_equations(test):
        return _by_answers(Model(model), test, found, config.beam, on_progress)
    return Evaluation(**found, **scores(_judged(model, test, config.beam, on_progress)))


def evaluate_trained(
    folder: Path,
    corpus: Corpus,
    beam: int = BEAM,
    device: DeviceName = "auto",
    on_progress: OnProgress | None = None,
    name: str = "",
) -> Evaluation:
    """Test a trained network on the fold that its training held out, if the data are its own corpus, or on all data.

    `name` is the model's name in the result, by default its folder.
    """
    with trial_of(folder, corpus, device, name) as trial:
        model, test, found = trial.model, trial.test, trial.described
        if not _has_equations(test):
            return _by_answers(model, test, found, beam, on_progress)
        measured = Evaluation(**found, **scores(_judged(model.predictor, test, beam, on_progress)))
        if not trial.calibrated:
            return measured
        for_users = figures_for_users(model, [one.problem for one in test], beam, on_progress)
        return replace(measured, for_users=for_users)


@dataclass(frozen=True, slots=True)
class Trial:
    """A trained model and the problems that it may be tested on."""

    model: Model
    test: tuple[Prepared, ...]
    described: Mapping[str, Any]  # the first fields of an Evaluation: model, data, fold and so on
    calibrated: bool


@contextmanager
def trial_of(folder: Path, corpus: Corpus, device: DeviceName = "auto", name: str = "") -> Iterator[Trial]:
    """Load a trained network and choose its test problems; explain a lack of memory inside the block."""
    require_torch()
    from sau_solver.models.checkpoint import load_with_data
    from sau_solver.models.devices import memory_limit  # imports torch

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
            f"{folder} was trained on {corpus.name} with fingerprint {data['fingerprint'][:12]}, but the files under "
            f"SAU_DATA have {corpus.fingerprint[:12]}. Fetch the published files again (sau data fetch {corpus.name}), "
            "or train again."
        )
    else:
        text, level = data.get("text", "published"), data.get("equations", "published")
        first = asked_first_of(data)
        test, learned = _unknown(corpus, _learned_from(data), text, level, first)
    title = name or str(folder)
    described = _described(title, corpus, fold, tested) | {"problems": len(test), "learned": learned}
    with memory_limit("the network and the problems that it searches at a time", "Use a smaller --beam, or the CPU."):
        yield Trial(model_of(solver, data, title), test, described, "calibration" in data)


def _described(model: str, corpus: Corpus, fold: int | None, tested: Literal["all", Tested]) -> dict[str, Any]:
    return {"model": model, "data": corpus.name, "fingerprint": corpus.fingerprint, "fold": fold, "tested": tested}


def _has_equations(test: Sequence[Prepared]) -> bool:
    return not test or any(one.problem.equations for one in test)


def _by_answers(
    model: Model, test: Sequence[Prepared], found: Mapping[str, Any], beam: int, on_progress: OnProgress | None
) -> Evaluation:
    """Test a model on data that have answers but no equations: only the answers of `sau solve` can be compared."""
    figures = figures_for_users(model, [one.problem for one in test], beam, on_progress)
    if figures is None:
        raise InputError(
            f"The problems of {found['data']} have neither equations nor answers, so nothing can be compared. "
            'Add "answers" to each problem, for example "answers": ["15"].'
        )
    metrics = {"answer": figures.answer, "annotated": figures.annotated}
    return Evaluation(**found, metrics=metrics, by_type={}, by_size={}, for_users=figures)


def _refuse_learned(folder: Path, corpus: Corpus, data: Mapping[str, Any]) -> None:
    """Raise InputError if a network learned from a part of this corpus, or from a mixture that contains it."""
    single = data.get("corpus", "")
    if single and single != corpus.name and _shares_files(corpus, single):
        raise InputError(f"{corpus.name} has problems of {single}, which {folder} learned from. Give other data.")
    for name, source in data.get("sources", {}).items():
        if _is_held_out(corpus, name, data):
            continue
        if _shares_files(corpus, name) or corpus.name == name or corpus.fingerprint == source["fingerprint"]:
            parts = ", ".join([*data["test"], *data["validation"]])
            raise InputError(
                f"{folder} was trained on a mixture with {name}, so it cannot be tested on {corpus.name}. "
                f"Give other data, or a held-out part: {parts}."
            )


def _is_held_out(corpus: Corpus, source: str, data: Mapping[str, Any]) -> bool:
    """Return whether the data are a published split of a source, such as gsm8k (test), that the mixture held out."""
    parts = {**data["test"], **data["validation"]}
    splits = {f"{source} ({part.partition('/')[2]})": part for part in parts if part.partition("/")[0] == source}
    return corpus.name in splits and parts[splits[corpus.name]] == len(corpus)


def _shares_files(corpus: Corpus, name: str) -> bool:
    other = corpora().get(name)  # None if the network learned from a corpus that is not registered here
    return corpus.info is not None and other is not None and bool(set(corpus.info.files) & set(other.files))


def _learned_from(data: Mapping[str, Any]) -> Iterable[Problem]:
    """Return the problems that a network learned from; empty for a mixture, or if its corpus is not available."""
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
    corpus: Corpus, learned: Iterable[Problem], text: TextView, level: Level, asked_first: AskedFirst = ""
) -> tuple[tuple[Prepared, ...], int]:
    """Return the problems of a corpus whose texts were not learned from, ignoring white space, and how many were."""
    known = {"".join(one.text.split()) for one in learned}
    prepared = tuple(prepare_all(corpus, corpus.name, text, level, asked_first))
    unknown = tuple(one for one in prepared if "".join(one.problem.text.split()) not in known)
    if prepared and not unknown:
        raise InputError(f"The model learned from every problem of {corpus.name}. Give other data.")
    return unknown, len(prepared) - len(unknown)


def _held_out(folder: Path, corpus: Corpus, data: Mapping[str, Any]) -> tuple[Prepared, ...]:
    """Return the problems that the training held out of its own corpus."""
    if data["fold"] is None:
        raise InputError(
            f"{folder} was trained on all problems of {data['corpus']}, so it cannot be tested on them. "
            "Give other data, or train with a held-out fold (sau train CONFIG.toml --fold 0)."
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
