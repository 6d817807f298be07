"""Learn from answers alone in rounds: train, let the network choose equations that give the answers, train again.

The first network learns from the problems with equations or labels, and from those whose simplest tree is the only one
(`answer_labels`). Each further network starts from new weights and learns from the equations that the previous network
finds likely. Every round but the last keeps its network and its labels in its own folder, from which a training
resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sau_solver.data.prepared.answer_labels import likely_labels, unambiguous_labels
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.mixtures import answered_only
from sau_solver.experiments.runs import Run
from sau_solver.problem import Problem
from sau_solver.training.processes import ALONE, Processes

if TYPE_CHECKING:
    from sau_solver.training.learning import TrainingTask
    from sau_solver.training.trainer import Report

LABELS = "labels.jsonl"


def labels_of_rounds(
    run: Run,
    task: Callable[[Labels, int], TrainingTask],
    resume: bool = False,
    report: Report | None = None,
    processes: Processes = ALONE,
) -> Labels:
    """Do all rounds but the last and return the labels for it; `task` returns the training of a round.

    If there are several processes, all of them train, and the first one finds the labels.
    """
    given = processes.from_first(lambda: Labels.read(run.config.one_mixture().labels))
    if not run.config.one_mixture().rounds:
        return given
    problems, labels = processes.from_first(lambda: _to_label(run, given))
    for number in range(1, run.config.one_mixture().rounds):
        file = run.round_folder(number) / LABELS
        if not processes.from_first(file.is_file):
            model = _train(run, task(labels, number), resume, report, processes)
            processes.from_first(partial(_write_likely, run, problems, model, file))
        labels = given.joined(processes.from_first(partial(Labels.read, [file])))
    return labels


def _to_label(run: Run, given: Labels) -> tuple[dict[str, list[Problem]], Labels]:
    """Return the problems with answers only, by corpus, and the labels for the first round."""
    problems = {
        name: [one for one in own if (name, one.id) not in given]
        for name, own in answered_only(run.config.one_mixture()).items()
    }
    sure = {name: unambiguous_labels(own, run.config.text) for name, own in problems.items()}
    return problems, given.joined(Labels.of(sure))


def _train(run: Run, task: TrainingTask, resume: bool, report: Report | None, processes: Processes) -> Path:
    """Train the network of a round unless that is finished; return its folder."""
    from sau_solver.models.checkpoint import read_checkpoint  # imports torch
    from sau_solver.training.learning import check_settings, learn

    training, folder = run.config.training, task.model_folder
    assert training is not None
    assert folder is not None
    if processes.from_first(folder.is_dir):
        processes.from_first(lambda: check_settings(read_checkpoint(folder), task, training))
    else:
        learn([task], training, report, resume, processes=processes)
    return folder


def _write_likely(run: Run, problems: Mapping[str, Sequence[Problem]], model: Path, file: Path) -> None:
    """Write the labels that a trained network finds likely."""
    from sau_solver.models.checkpoint import load_predictor  # imports torch

    assert run.config.training is not None
    solver = load_predictor(model, run.config.training.device)
    found = {name: likely_labels(own, solver, run.config.text) for name, own in problems.items()}
    Labels.of({name: [label for label in own if label] for name, own in found.items()}).write(file)
