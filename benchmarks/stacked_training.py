"""Measure a training step on a GPU, for one network and for several stacked networks, and the speed of beam search.

    SAU_DATA=... python benchmarks/stacked_training.py [--corpus hmwp] [--hidden 384] [--batch 32] [--networks 1 5 10]

Each line trains for two epochs after the steps are recorded. The search runs on the first fifth of the corpus. This
script needs a GPU; benchmarks/decoding.py measures the CPU.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import torch

from sau_solver.data import load
from sau_solver.data.prepared.examples import Prepared, examples_of, prepare_all
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.tokens import Vocabulary
from sau_solver.training.trainer import EpochReport, Trainee, Trainer
from sau_solver.training.training_options import TrainingOptions

EPOCHS = 2
GIB = 2**30


def main() -> None:
    """Print a line for each number of networks, then the search."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="hmwp")
    arguments.add_argument("--hidden", type=int, default=384)
    arguments.add_argument("--batch", type=int, default=32)
    arguments.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    arguments.add_argument("--networks", type=int, nargs="+", default=[1, 5, 10, 20])
    options = arguments.parse_args()
    if not torch.cuda.is_available():
        sys.exit("This benchmark needs a GPU, but torch finds none. benchmarks/decoding.py measures the CPU.")
    prepared = prepare_all(load(options.corpus), options.corpus, "published")
    tested = prepared[: len(prepared) // 5]
    examples = list(examples_of(prepared[len(prepared) // 5 :]))
    vocabulary = Vocabulary.build(example.text.words for example in examples)
    targets = Targets.build([example.tree for example in examples], 5)
    problems = [encode_text(one.text, vocabulary, encode_tree(one.tree, targets)) for one in examples]
    print(f"{options.corpus}, hidden {options.hidden}, batch {options.batch}, {torch.cuda.get_device_name()}")
    training = TrainingOptions(epochs=EPOCHS, batch=options.batch, precision=options.precision)
    for count in options.networks:
        network = measure(count, training, SauOptions(hidden=options.hidden), len(vocabulary), targets, problems)
    measure_search(SauPredictor(network, vocabulary), tested)
    host = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"host memory, peak: {host:,.0f} MB")


def measure(
    count: int,
    training: TrainingOptions,
    options: SauOptions,
    words: int,
    targets: Targets,
    problems: list[EncodedProblem],
) -> SauNetwork:
    """Train `count` stacked networks and print the time of a step."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    networks = [SauNetwork(words, targets, options) for _ in range(count)]
    trainees = [Trainee(str(place), network, problems, place) for place, network in enumerate(networks)]
    trainer = Trainer(trainees, training, torch.device("cuda"))
    torch.cuda.synchronize()
    recorded = time.perf_counter()
    reports: list[EpochReport] = []
    trainer.train(reports.append)
    torch.cuda.synchronize()
    step = 1000 * (time.perf_counter() - recorded) / trainer.steps
    memory, reserved = torch.cuda.max_memory_allocated() / GIB, torch.cuda.memory_reserved() / GIB
    print(
        f"{count:>3} networks: {step:6.2f} ms a step, {step / count:6.2f} for each; loss {reports[-1].loss:.3f}; ",
        end="",
    )
    print(f"recording {recorded - start:5.1f} s; {memory:.2f} GiB ({reserved:.2f} reserved)")
    return networks[0]


def measure_search(solver: SauPredictor, tested: list[Prepared]) -> None:
    """Print the problems per second of the second of two searches with a beam of 5."""
    texts = [one.text for one in tested]
    for _ in range(2):
        torch.cuda.reset_peak_memory_stats()
        start = time.perf_counter()
        solver.predict(texts)
        torch.cuda.synchronize()
        speed = len(texts) / (time.perf_counter() - start)
    print(f"beam 5: {speed:,.0f} problems/s, {torch.cuda.max_memory_allocated() / GIB:.2f} GiB")


if __name__ == "__main__":
    main()
