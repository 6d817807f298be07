"""Learn from answers alone in rounds: train, let the network choose equations that give the answers, train again.

The first network learns from the problems with equations or labels, and from those whose simplest tree is the only one
(`answer_labels`). Each further one starts anew and learns from the equations that the network before it finds likely.
Every round but the last keeps its network and its labels in a folder of its own, from which a training resumes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sau_solver.data.prepared.answer_labels import likely_labels, unambiguous_labels
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.mixtures import answered_only
from sau_solver.experiments.runs import Run

if TYPE_CHECKING:
    from sau_solver.training.learning import Solver, TrainingTask
    from sau_solver.training.trainer import Report

LABELS = "labels.jsonl"


def labels_of_rounds(
    run: Run, task: Callable[[Labels, int], TrainingTask], resume: bool = False, report: Report | None = None
) -> Labels:
    """Do all rounds but the last and return the labels for it; `task` returns the training of a round."""
    mixture, view = run.config.one_mixture(), run.config.text
    given = Labels.read(mixture.labels)
    if not mixture.rounds:
        return given
    problems = {
        name: [one for one in own if (name, one.id) not in given] for name, own in answered_only(mixture).items()
    }
    labels = given.joined(Labels.of({name: unambiguous_labels(own, view) for name, own in problems.items()}))
    for number in range(1, mixture.rounds):
        file = run.round_folder(number) / LABELS
        if not file.is_file():
            solver = _trained(run, task(labels, number), resume, report)
            found = {
                name: [label for label in likely_labels(own, solver, view) if label] for name, own in problems.items()
            }
            Labels.of(found).write(file)
        labels = given.joined(Labels.read([file]))
    return labels


def _trained(run: Run, task: TrainingTask, resume: bool, report: Report | None) -> Solver:
    from sau_solver.models.checkpoint import load_predictor, read_checkpoint  # imports torch
    from sau_solver.training.learning import check_settings, learn

    training = run.config.training
    assert training is not None
    if task.model_folder and task.model_folder.is_dir():
        check_settings(read_checkpoint(task.model_folder), task, training)
        return load_predictor(task.model_folder, training.device)
    return learn([task], training, report, resume)[0]
