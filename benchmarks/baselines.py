"""Training of every network: batches against one problem at a time, in one run.

    SAU_DATA=... python benchmarks/baselines.py [--corpus math23k] [--batch 64] [--steps 4] [--threads 1]

Networks have their papers' sizes, float32, dropout included. A step is batch, forward, backward and Adam, as the
trainer does it. Batches are spread over the corpus from short texts to long ones; the problems that are trained one at
a time are taken from the same batches. The search is that of untrained networks: a bound, since they write long trees.
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
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.learning import Task
from sau_solver.training.options import TrainingOptions
from sau_solver.training.steps import CpuSteps

ALONE = 6  # problems of each batch that are trained one at a time
SEARCHED = 64


def main() -> None:
    """Print problems a second of every network."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="math23k")
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--steps", type=int, default=4)
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    read = list(examples_of(prepare_all(load(given.corpus).problems, given.corpus, "published")))
    print(f"{given.corpus}: {len(read):,} problems; torch {torch.__version__}, {given.threads} threads")
    print(f"{'network':<16}{'learned':>9}{'batched':>10}{'alone':>9}{'ratio':>7}{'beam 5':>9}   problems/s")
    for listed in NETWORKS.values():
        measure(read, listed.options(), given.batch, given.steps)


def measure(read: Sequence[Example], options: NetworkOptions, batch: int, steps: int) -> None:
    """One line of the table."""
    learned = Task("", read, options, 0).learned()
    targets = Targets.build([example.tree for example in learned], options.minimum_constant_count)
    torch.manual_seed(0)
    solver = NETWORKS[options.model].solver().fresh(learned, targets, options)
    problems = [solver.encode(example) for example in learned]
    everything = sorted(
        Buckets.build([problems], batch, recorded=False).epoch([0], 0),
        key=lambda step: max(len(problems[number].words) for number in step.problems[0]),
    )
    chosen = [everything[(2 * place + 1) * len(everything) // (2 * steps)] for place in range(steps)]
    alone = [Step(0, ((number,),)) for step in chosen for number in step.problems[0][:ALONE]]
    together, one_by_one = (speed(solver, problems, each) for each in (chosen, alone))
    texts = [learned[number].text for step in chosen for number in step.problems[0]]
    texts = texts[:: max(1, len(texts) // SEARCHED)][:SEARCHED]
    start = time.perf_counter()
    solver.predict(texts)
    searched = len(texts) / (time.perf_counter() - start)
    print(
        f"{options.model:<16}{len(learned):>9,}{together:>10.1f}{one_by_one:>9.2f}{together / one_by_one:>7.1f}"
        f"{searched:>9.1f}",
        flush=True,
    )


def speed(solver: NetworkSolver[Any], problems: Sequence[EncodedProblem], steps: Sequence[Step]) -> float:
    """Problems a second of some steps, after one that is not counted."""
    engine = CpuSteps(solver.network.train(), TrainingOptions(device="cpu"), problems)
    for _ in engine.epoch(steps[:1], [0]):
        pass
    start = time.perf_counter()
    for _ in engine.epoch(steps, range(len(steps))):
        pass
    return sum(len(step.problems[0]) for step in steps) / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
