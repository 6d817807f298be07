"""Trainings whose result must not depend on the number of processes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import safetensors.torch
import torch

from sau_solver.errors import InputError
from sau_solver.models.base import Example
from sau_solver.models.options import NETWORKS, NetworkOptions
from sau_solver.training.learning import learn
from sau_solver.training.processes import ALONE, Processes
from sau_solver.training.trainer import EpochReport
from sau_solver.training.training_options import TrainingOptions
from tests.models.problems import examples
from tests.training.tasks import SHORT, TINY, task, weights

QUIET = replace(TINY, dropout=0.0)  # masks depend on the number of processes
ON_CPU = replace(SHORT, epochs=2, batch=5)
SIZES = {"embedding": 8, "hidden": 12, "dropout": 0.0, "minimum_word_count": 1, "minimum_constant_count": 1}


@dataclass(frozen=True)
class Case:
    """A network, how it is trained, and the weights of its problems."""

    options: NetworkOptions = QUIET
    training: TrainingOptions = ON_CPU
    weights: tuple[float, ...] = (1.0,)

    def learned(self) -> list[Example]:
        """Return the problems with their weights."""
        kinds = len(self.weights)
        return [replace(one, weight=self.weights[place % kinds]) for place, one in enumerate(examples())]


CASES = {
    "mean over subtrees": Case(),
    "mean over problems, clipped": Case(replace(QUIET, ssar=0.5, ssar_distance="norm"), replace(ON_CPU, clip=0.05)),
    "mean over symbols, weighed problems": Case(replace(QUIET, ssar=0.5, loss_mean="symbols"), weights=(0.5, 1.0, 2.5)),
    "numbers near, fewer problems than processes": Case(
        replace(QUIET, ssar=0.5, alignment="span"), replace(ON_CPU, batch=2)
    ),
    "no alignment, no average": Case(
        replace(QUIET, ssar=0.0), replace(ON_CPU, averaging=0.0, schedule="halving", label_smoothing=0.0)
    ),
    **{name: Case(NETWORKS[name](**SIZES)) for name in NETWORKS if name != "sau"},  # type: ignore[arg-type]
}
REFUSED = {
    "infonce": Case(replace(QUIET, alignment="infonce")),
    "vicreg": Case(replace(QUIET, alignment="vicreg")),
    "batch": Case(training=replace(ON_CPU, batch=1)),
}

Losses = list[tuple[float, float, float]]


def done(case: Case, processes: Processes = ALONE) -> tuple[Losses, dict[str, torch.Tensor]]:
    """Train; return loss, accuracy and alignment of every epoch, and the trained weights."""
    reports: list[EpochReport] = []
    (solver,) = learn(
        [task(options=case.options, learned=case.learned())], case.training, reports.append, processes=processes
    )
    return [(one.loss, one.accuracy, one.alignment) for one in reports if not one.part], weights(solver)


def taught(teacher: Path) -> Case:
    """Return a training that also learns from a teacher."""
    return Case(training=replace(ON_CPU, teachers=(str(teacher),)))


def on_gpu(case: Case) -> Case:
    """Return the same training on a GPU."""
    return replace(case, training=replace(case.training, device="cuda"))


def do_on_gpu(folder: Path) -> None:
    """Do all cases together with the other processes on one GPU; write losses and weights to the folder."""
    processes = Processes.launched()
    with processes.connected():
        do({name: on_gpu(case) for name, case in CASES.items()}, processes, folder)


def do(cases: Mapping[str, Case], processes: Processes, folder: Path) -> None:
    """Do cases together with the other processes."""
    for name, case in cases.items():
        losses, trained = done(case, processes)
        if processes.first:
            (folder / f"{name}.json").write_text(json.dumps(losses), encoding="utf-8")
        safetensors.torch.save_file(trained, folder / f"{name}.{processes.rank}.safetensors")


def do_all(folder: Path) -> None:
    """Do all cases together with the other processes; write losses, weights and errors to the folder."""
    processes = Processes.launched()
    refused = {}
    with processes.connected():
        do({**CASES, "teachers": taught(folder / "teacher" / "model")}, processes, folder)
        for name, case in REFUSED.items():
            try:
                done(case, processes)
            except InputError as error:
                refused[name] = str(error)
            except Exception as error:  # noqa: BLE001
                refused[name] = type(error).__name__
    (folder / f"refused.{processes.rank}.json").write_text(json.dumps(refused), encoding="utf-8")
