"""Problems that a network did not learn from -> its own candidates, right and wrong -> its verifier.

The problems are the parts `verification` of the mixture, and generated ones. Each candidate is solved and compared with
the annotated answers, so corpora without equations can be used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from sau_solver.answering.candidates import Candidate, evaluate_candidates
from sau_solver.answering.protocols import is_accepted
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.data.prepared.examples import mapped
from sau_solver.data.prepared.mixtures import held_out
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.models.checkpoint import load_predictor, read_checkpoint, write_checkpoint
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.sau.verifier import VerifierShape
from sau_solver.models.targets import encode_text, encode_tree
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText
from sau_solver.training.verifying import Choices, VerifierReport, VerifierTraining, train_verifier

BEAM = 20
GENERATED_SEED = 11  # not the seed of any training
_WEIGHTS = "verifier."  # prefix of the verifier's weights
_TOGETHER = 50  # problems that a process judges at a time


def fit_verifier(
    config: ExperimentConfig,
    folder: Path,
    options: VerifierTraining,
    generated: int,
    jobs: int = 1,
    report: Callable[[VerifierReport], None] | None = None,
) -> int:
    """Train the verifier of the network in a folder and write the network with it; return the number of problems."""
    predictor = load_predictor(folder, "auto")
    if not isinstance(predictor, SauPredictor):
        raise InputError(f"{folder} must be a network of kind sau, got {predictor.name}. Only sau has a verifier.")
    problems = verification_problems(config, generated)
    choices = choices_of(predictor, problems, jobs)
    train_verifier(predictor.network, choices, VerifierShape(), options, report)
    checkpoint = read_checkpoint(folder)
    described, _ = predictor.describe()
    learned = {
        name: value.detach().cpu()
        for name, value in predictor.network.state_dict().items()
        if name.startswith(_WEIGHTS)
    }
    model = {**checkpoint.model, "verifier": described["verifier"]}
    write_checkpoint(replace(checkpoint, model=model, weights={**checkpoint.weights, **learned}), folder)
    return len(choices)


def verification_problems(config: ExperimentConfig, generated: int) -> list[Problem]:
    """Return the problems that only the verifier learns from."""
    mixture = config.one_mixture()
    found = [
        one.problem
        for part in mixture.verification
        for one in held_out(mixture, part, config.text, config.equations)
        if one.problem.answers
    ]
    return found + list(islice(generate(Choice(mixture.language, part="train"), GENERATED_SEED), generated))


def choices_of(predictor: SauPredictor, problems: Sequence[Problem], jobs: int = 1, beam: int = BEAM) -> list[Choices]:
    """Return the network's candidates for each problem, and which of them have the annotated answers."""
    texts = [mapped(problem, "raw") for problem in problems]
    predicted = predictor.predict(texts, beam)
    targets, tokens = predictor.network.targets, predictor.vocabulary
    return [
        Choices(
            encode_text(text, tokens, words=predictor.shown(text)),
            tuple(encode_tree(one.tree, targets) for one in candidates),
            right,
        )
        for text, candidates, right in zip(texts, predicted, _judged(problems, texts, predicted, jobs), strict=True)
        if candidates
    ]


_Work = tuple[Problem, MappedText, list[Candidate]]


def _judged(
    problems: Sequence[Problem], texts: Sequence[MappedText], candidates: Sequence[list[Candidate]], jobs: int
) -> list[tuple[bool, ...]]:
    work: list[_Work] = list(zip(problems, texts, candidates, strict=True))
    if jobs == 1:
        return list(map(_right, work))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(_right, work, chunksize=_TOGETHER))


def _right(work: _Work) -> tuple[bool, ...]:
    problem, text, candidates = work
    return tuple(
        bool(one.answers) and is_accepted(problem, one.answers) for one in evaluate_candidates(text, candidates)
    )
