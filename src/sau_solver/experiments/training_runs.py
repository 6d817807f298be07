"""Train the network of one run to the end: on all folds but one, on a whole corpus, or on a mixture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sau_solver.curriculum.additions import additions
from sau_solver.data.prepared.examples import examples_of
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.mixtures import gather_mixture
from sau_solver.errors import InputError, RowError
from sau_solver.experiments.answer_rounds import labels_of_rounds
from sau_solver.experiments.material import describe_data, gather, gather_all
from sau_solver.experiments.runs import Run
from sau_solver.models.base import Example
from sau_solver.models.loading import require_torch
from sau_solver.models.options import NetworkOptions
from sau_solver.training.processes import ALONE, Processes

if TYPE_CHECKING:
    from sau_solver.training.learning import TrainingTask
    from sau_solver.training.trainer import Report

State = Literal["new", "interrupted", "finished"]
OnRejected = Callable[[str, Sequence[RowError]], None]  # the name of a corpus, and its rows that cannot be read


def training_state(run: Run) -> State:
    """Tell whether a training is finished, or can be resumed."""
    if run.model.is_dir():
        return "finished"
    return "interrupted" if _newest_checkpoint(run) else "new"


def check_training(run: Run, resume: bool) -> None:
    """Raise InputError if the run has no network, or if an interrupted training would be overwritten."""
    if run.config.training is None:
        raise InputError(
            f"{run.config.name}: {run.config.model} is not a network. Use sau crossval or sau evaluate with this file."
        )
    if run.config.mixture and run.fold is not None:
        raise InputError(
            f"{run.config.name} is a mixture with held-out parts of its own "
            f"({', '.join(run.config.mixture.test)}). Leave --fold out."
        )
    require_torch()
    if not resume and training_state(run) == "interrupted":
        raise InputError(
            f"{run.folder} holds an interrupted training ({_newest_checkpoint(run)}). "
            "Add --resume to continue it, or delete the folder to start again."
        )


def _newest_checkpoint(run: Run) -> str | None:
    from sau_solver.models.checkpoint import Checkpoints  # imports torch

    rounds = run.config.mixture.rounds if run.config.mixture else 0
    for folder in (run.folder, *(run.round_folder(number) for number in range(rounds - 1, 0, -1))):
        if newest := Checkpoints(folder / "checkpoints").latest():
            return newest.name
    return None


def train(
    run: Run,
    resume: bool = False,
    report: Report | None = None,
    processes: Processes = ALONE,
    on_rejected: OnRejected = lambda _corpus, _rows: None,
) -> int:
    """Train a network to `run.model` unless that is finished; return the number of problems that it learned from.

    If there are several processes, only the first one reads the corpora and uses the folder of the run. `on_rejected`
    gets the rows that cannot be read, by corpus, again in every round.
    """
    processes.from_first(lambda: check_training(run, resume))
    from sau_solver.models.checkpoint import read_checkpoint
    from sau_solver.training import learning  # imports torch

    training = run.config.training
    assert training is not None
    learning.device_name(training)  # fail on a missing device before the corpus is read
    if run.config.mixture:
        task = _mixture_task(run, resume, report, processes, on_rejected)
    else:
        task = _task(run, run.name, run.folder, *processes.from_first(lambda: _of_corpus(run, on_rejected)))
    if processes.from_first(lambda: training_state(run)) == "finished":
        processes.from_first(lambda: learning.check_settings(read_checkpoint(run.model), task, training))
    else:
        learning.learn([task], training, report, resume, processes=processes)
    return len(task.examples)


def _mixture_task(
    run: Run, resume: bool, report: Report | None, processes: Processes, on_rejected: OnRejected
) -> TrainingTask:
    """Return the training on a mixture; earlier rounds that learn from answers alone are done here."""

    def task(labels: Labels, number: int) -> TrainingTask:
        name, folder = (f"{run.name} round {number}", run.round_folder(number)) if number else (run.name, run.folder)
        return _task(run, name, folder, *processes.from_first(lambda: _mixed(run, labels, on_rejected)))

    return task(labels_of_rounds(run, task, resume, report, processes), 0)


def _task(run: Run, name: str, folder: Path, examples: Sequence[Example], data: dict[str, Any]) -> TrainingTask:
    from sau_solver.training.learning import TrainingTask

    assert isinstance(run.config.options, NetworkOptions)
    return TrainingTask(name, examples, run.config.options, run.seed, folder, data)


def _mixed(run: Run, labels: Labels, on_rejected: OnRejected) -> tuple[Sequence[Example], dict[str, Any]]:
    config = run.config
    mixed = gather_mixture(config.one_mixture(), config.text, config.equations, make=additions, labels=labels)
    for name, rows in mixed.rejected.items():
        on_rejected(name, rows)
    return mixed.train, mixed.data


def _of_corpus(run: Run, on_rejected: OnRejected) -> tuple[Sequence[Example], dict[str, Any]]:
    config = run.config
    if run.fold is None:
        corpus, learned = gather_all(config)
    else:
        material = gather(config)
        corpus, learned = material.corpus, material.divide(run.fold, config.test).train
    on_rejected(corpus.name, corpus.rejected)
    return list(examples_of(learned)), describe_data(config, run.fold, corpus.fingerprint)
