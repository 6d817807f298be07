"""Training of every network: batches against one problem at a time, in one run.

    SAU_DATA=... python benchmarks/baselines.py [--corpus math23k] [--batch 64] [--steps 4] [--threads 1] [--device cpu]

Networks have their papers' sizes, float32, dropout included. An epoch is what the trainer does: batches, forward,
backward and Adam; the second one is timed. Problems are spread over the corpus from short texts to long ones, fewer of
them where they are trained one at a time. On a CPU a batch is bound by its matrix products; on a GPU one problem is
bound by launches. The search is that of nearly untrained networks, which write long trees.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import torch

from sau_solver.data import load
from sau_solver.experiments.examples import examples_of, prepare_all
from sau_solver.models.base import Example
from sau_solver.models.network_solver import NetworkSolver
from sau_solver.models.options import NetworkOptions
from sau_solver.models.registry import NETWORKS
from sau_solver.models.targets import EncodedProblem, Targets
from sau_solver.training.devices import find_device
from sau_solver.training.learning import Task
from sau_solver.training.options import TrainingOptions
from sau_solver.training.trainer import EpochReport, Run, Trainer

ALONE = 24  # problems that are trained one at a time
SEARCHED = 64


def main() -> None:
    """Print problems a second of every network."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="math23k")
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--steps", type=int, default=4, help="batches of an epoch")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--device", choices=["cpu", "cuda", "auto"], default="auto")
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    device = find_device(given.device)
    read = list(examples_of(prepare_all(load(given.corpus).problems, given.corpus, "published")))
    print(f"{given.corpus}: {len(read):,} problems; torch {torch.__version__}, {device.type}, {given.threads} threads")
    print(f"{'network':<16}{'learned':>9}{'batched':>10}{'alone':>9}{'ratio':>7}{'beam 5':>9}   problems/s")
    for options in NETWORKS.values():
        measure(read, options(), given.batch, given.steps, device)


def measure(read: Sequence[Example], options: NetworkOptions, batch: int, steps: int, device: torch.device) -> None:
    """One line of the table."""
    learned = Task("", read, options, 0).learned()
    targets = Targets.build([example.tree for example in learned], options.minimum_constant_count)
    torch.manual_seed(0)
    solver = NETWORKS[options.model].solver().fresh(learned, targets, options)
    learned.sort(key=lambda example: len(example.text.words))
    problems = [solver.encode(example) for example in spread(learned, batch * steps)]
    together = speed(solver, problems, batch, device)
    alone = speed(solver, spread(problems, ALONE), 1, device)
    texts = [example.text for example in spread(learned, SEARCHED)]
    start = time.perf_counter()
    solver.predict(texts)
    searched = len(texts) / (time.perf_counter() - start)
    print(
        f"{options.model:<16}{len(learned):>9,}{together:>10.1f}{alone:>9.2f}{together / alone:>7.1f}{searched:>9.1f}"
    )


def spread(things: Sequence[Any], count: int) -> list[Any]:
    """So many of a sequence, at equal distances."""
    count = min(count, len(things))
    return [things[(2 * place + 1) * len(things) // (2 * count)] for place in range(count)]


def speed(solver: NetworkSolver[Any], problems: Sequence[EncodedProblem], batch: int, device: torch.device) -> float:
    """Problems a second in the second epoch of a training."""
    ended: list[float] = []

    def report(told: EpochReport) -> None:
        if not told.part:
            ended.append(time.perf_counter())

    run = Run("", solver.network, problems, 0)
    Trainer([run], TrainingOptions(epochs=2, batch=batch), device).train(report)
    return len(problems) / (ended[1] - ended[0])


if __name__ == "__main__":
    main()
