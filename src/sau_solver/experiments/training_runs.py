"""One network trained on a fold's other folds, a whole corpus or a mixture, into a folder of its own that resumes.

runs/NAME/fold0-seed0/ (all-seed0/ without a fold) holds checkpoints/, logs/ for TensorBoard, and in the end model/.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sau_solver.data.prepared.examples import examples_of
from sau_solver.data.prepared.mixtures import gather_mixture
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.results import run_name
from sau_solver.experiments.runs import describe_data, gather, gather_all
from sau_solver.models.loading import require_torch
from sau_solver.models.options import NetworkOptions

if TYPE_CHECKING:
    from sau_solver.training.learning import TrainingTask
    from sau_solver.training.trainer import Report

RUNS = Path("runs")

State = Literal["new", "interrupted", "finished"]


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One network to be trained, and where; `fold` is held out, None trains on every problem, or on a mixture."""

    config: ExperimentConfig
    fold: int | None
    seed: int
    root: Path = RUNS

    @property
    def folder(self) -> Path:
        """What the training writes lies here."""
        own = f"all-seed{self.seed}" if self.fold is None else run_name(self.fold, self.seed)
        return self.root / self.config.name / own

    @property
    def name(self) -> str:
        """What progress displays call it."""
        return f"{self.config.name}/{self.folder.name}"

    @property
    def model(self) -> Path:
        """The trained network."""
        return self.folder / "model"

    def state(self) -> State:
        """Whether there is something to resume from, or nothing left to do."""
        if self.model.is_dir():
            return "finished"
        return "interrupted" if self._newest() else "new"

    def check(self, resume: bool) -> None:
        """InputError where the configuration names no network, or an interrupted training is in the way."""
        if self.config.training is None:
            raise InputError(
                f"{self.config.name}: {self.config.model} is no network and learns in one go; "
                "use sau crossval or sau evaluate with this file."
            )
        if self.config.mixture and self.fold is not None:
            raise InputError(
                f"{self.config.name} is a mixture, which says itself what is held out "
                f"({', '.join(self.config.mixture.test)}); leave --fold out."
            )
        require_torch()
        if self.state() == "interrupted" and not resume:
            raise InputError(
                f"{self.folder}: a new folder was expected, and an interrupted training is there ({self._newest()}); "
                "add --resume to go on from it, or remove the folder to start from the beginning."
            )

    def _newest(self) -> str | None:
        from sau_solver.models.checkpoint import Checkpoints  # torch, only where a network is trained

        newest = Checkpoints(self.folder / "checkpoints").latest()
        return newest.name if newest else None


def train(run: TrainingRun, resume: bool = False, report: Report | None = None) -> int:
    """Train a network to the end and write it to `run.model`; how many problems it learned from.

    A finished training is not repeated; one with other settings in the same folder is refused.
    """
    run.check(resume)
    from sau_solver.models.checkpoint import read_checkpoint
    from sau_solver.training import learning  # torch, only where a network is trained

    training = run.config.training
    assert training is not None
    learning.device_name(training)  # a device that is not there is better missed before the corpus is read
    task = _task(run)
    if run.state() == "finished":
        learning.check_settings(read_checkpoint(run.model), task, training)
    else:
        learning.learn([task], training, report, resume)
    return len(task.examples)


def _task(run: TrainingRun) -> TrainingTask:
    from sau_solver.training.learning import TrainingTask

    config = run.config
    assert isinstance(config.options, NetworkOptions)
    if config.mixture:
        mixed = gather_mixture(config.mixture, config.text, config.equations)
        return TrainingTask(run.name, mixed.train, config.options, run.seed, run.folder, mixed.data)
    if run.fold is None:
        corpus, learned = gather_all(config)
    else:
        material = gather(config)
        corpus, learned = material.corpus, material.divide(run.fold, config.test).train
    data = describe_data(config, run.fold, corpus.fingerprint)
    return TrainingTask(run.name, list(examples_of(learned)), config.options, run.seed, run.folder, data)
