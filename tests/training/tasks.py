"""Small training tasks with the word problems written for the tests."""

from __future__ import annotations

from pathlib import Path

import torch

from sau_solver.models.base import Example
from sau_solver.models.options import NetworkOptions, SauOptions
from sau_solver.training.learning import Solver, TrainingTask
from sau_solver.training.trainer import EpochReport, Report
from sau_solver.training.training_options import TrainingOptions
from tests.models.problems import examples

TINY = SauOptions(embedding=8, hidden=12, dropout=0.3, minimum_word_count=1, minimum_constant_count=1)
# Uses everything whose state must survive an interruption: dropout, the moving average, a changing learning rate.
SHORT = TrainingOptions(
    epochs=5, batch=4, schedule="cosine", averaging=0.9, label_smoothing=0.1, device="cpu", checkpoint_seconds=0
)


def task(
    folder: Path | None = None, seed: int = 0, options: NetworkOptions = TINY, learned: list[Example] | None = None
) -> TrainingTask:
    return TrainingTask(f"seed{seed}", learned or examples(), options, seed, folder, {"corpus": "made up", "fold": 0})


def weights(solver: Solver) -> dict[str, torch.Tensor]:
    return {name: value.cpu().clone() for name, value in solver.network.state_dict().items()}


def same(one: Solver, other: Solver) -> bool:
    """Return whether all weights are equal to the last bit."""
    first, second = weights(one), weights(other)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


class StoppedError(Exception):
    """Raised by a report to interrupt a training."""


def stop_after(epoch: int) -> Report:
    """Return a report that interrupts training after an epoch, before that epoch is saved."""

    def report(told: EpochReport) -> None:
        if told.epoch == epoch:
            raise StoppedError

    return report
