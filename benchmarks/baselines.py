"""Measure the training speed of every model, in batches and one problem at a time, and the speed of beam search.

    SAU_DATA=... python benchmarks/baselines.py [--corpus math23k] [--batch 64] [--steps 4] [--threads 1] [--device cpu]

Networks have the sizes of their papers and train in float32 with dropout. The second of two epochs of the trainer is
timed. Its problems are spread evenly over the corpus, ordered by length; fewer are trained one at a time. On a GPU,
kernel launches limit the speed of single problems. On a CPU, matrix products limit the speed of batches:

- GFLOP: the matrix products of one problem, forward and backward.
- of peak: the speed of batched training, relative to the fastest product of large matrices on this machine.
- most: the ratio to single problems that training at peak speed would have; no batch can exceed it.

Beam search uses nearly untrained networks, which write long trees. Retrieval-Jaccard has no batches: it counts words on
the CPU, and its search compares unseen problems with all others.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from sau_solver.data import load
from sau_solver.data.prepared.examples import examples_of, prepare_all
from sau_solver.models.base import Example
from sau_solver.models.baselines.retrieval import RetrievalOptions
from sau_solver.models.devices import find_device
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.options import NETWORKS, NetworkOptions
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.targets import EncodedProblem, Targets
from sau_solver.training.learning import TrainingTask
from sau_solver.training.trainer import EpochReport, Trainee, Trainer
from sau_solver.training.training_options import TrainingOptions

ALONE = 24  # problems to train one at a time
SEARCHED = 64  # problems to search


def main() -> None:
    """Print the problems per second of every model."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="math23k")
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--steps", type=int, default=4, help="batches per epoch")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--device", choices=["cpu", "cuda", "auto"], default="auto")
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    device = find_device(given.device)
    read = list(examples_of(prepare_all(load(given.corpus).problems, given.corpus, "published")))
    print(f"{given.corpus}: {len(read):,} problems; torch {torch.__version__}, {device.type}, {given.threads} threads")
    fastest = peak(device)
    print(f"product of large matrices: {fastest / 1e9:,.0f} GFLOP/s")
    columns = ("network", "learned", "batched", "alone", "ratio", "GFLOP", "of peak", "most", "beam 5")
    print("{:<16}{:>9}{:>10}{:>9}{:>7}{:>7}{:>9}{:>7}{:>9}   problems/s".format(*columns))
    for options in NETWORKS.values():
        measure(read, options(), given.batch, given.steps, device, fastest)
    measure_retrieval(read)


def measure(
    read: Sequence[Example], options: NetworkOptions, batch: int, steps: int, device: torch.device, fastest: float
) -> None:
    """Measure one network and print its line."""
    learned = TrainingTask("", read, options, 0).learned()
    targets = Targets.build([example.tree for example in learned], options.minimum_constant_count)
    torch.manual_seed(0)
    solver = predictor_class(NETWORKS[options.model]).fresh(learned, targets, options)
    learned.sort(key=lambda example: len(example.text.words))
    problems = [solver.encode(example) for example in spread(learned, batch * steps)]
    work = operations(solver, spread(problems, batch))
    together = speed(solver, problems, batch, device)
    alone = speed(solver, spread(problems, ALONE), 1, device)
    texts = [example.text for example in spread(learned, SEARCHED)]
    start = time.perf_counter()
    solver.predict(texts)
    searched = len(texts) / (time.perf_counter() - start)
    print(
        f"{options.model:<16}{len(learned):>9,}{together:>10.1f}{alone:>9.2f}{together / alone:>7.1f}{work / 1e9:>7.2f}"
        f"{together * work / fastest:>9.0%}{fastest / work / alone:>7.1f}{searched:>9.1f}"
    )


def measure_retrieval(read: Sequence[Example]) -> None:
    """Measure Retrieval-Jaccard and print its line."""
    asked = spread(read, SEARCHED)
    unknown = {id(example) for example in asked}
    known = [example for example in read if id(example) not in unknown]
    model = RetrievalOptions().build()
    start = time.perf_counter()
    model.fit(known)
    learned = time.perf_counter()
    model.predict([example.text for example in asked])
    ended = time.perf_counter()
    speed_of_learning, speed_of_search = len(known) / (learned - start), len(asked) / (ended - learned)
    nothing = f"{'–':>9}{'–':>7}{'–':>7}{'–':>9}{'–':>7}"
    print(f"{'retrieval':<16}{len(known):>9,}{speed_of_learning:>10.1f}{nothing}{speed_of_search:>9.1f}")


def operations(solver: NetworkPredictor[Any], problems: Sequence[EncodedProblem]) -> float:
    """Return the floating-point operations per problem of the matrix products of a training step."""
    network = solver.network
    with FlopCounterMode(display=False) as counter:
        network.losses(network.collate(problems), keep_all).total.backward()
    network.zero_grad()
    return float(counter.get_total_flops()) / len(problems)


def peak(device: torch.device, size: int = 1536, times: int = 60) -> float:
    """Return the floating-point operations per second of the fastest of several products of large matrices."""
    one = torch.randn(size, size, device=device)
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        one @ one
        if device.type == "cuda":
            torch.cuda.synchronize()
        spent.append(time.perf_counter() - start)
    return 2 * size**3 / min(spent)


def spread(things: Sequence[Any], count: int) -> list[Any]:
    """Return `count` elements of a sequence at equal distances."""
    count = min(count, len(things))
    return [things[(2 * place + 1) * len(things) // (2 * count)] for place in range(count)]


def speed(solver: NetworkPredictor[Any], problems: Sequence[EncodedProblem], batch: int, device: torch.device) -> float:
    """Return the problems per second in the second epoch of a training."""
    ended: list[float] = []

    def report(told: EpochReport) -> None:
        if not told.part:
            ended.append(time.perf_counter())

    trainee = Trainee("", solver.network, problems, 0)
    Trainer([trainee], TrainingOptions(epochs=2, batch=batch), device).train(report)
    return len(problems) / (ended[1] - ended[0])


if __name__ == "__main__":
    main()
