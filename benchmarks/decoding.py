"""The level-wise decoder and the beam of tensors against a decoder that goes from node to node, in one run.

    SAU_DATA=... python benchmarks/decoding.py [--corpus hmwp] [--steps 60] [--threads N]

Both sides share one network of the paper's size, float32, batches of 32. A step is batch, forward, backward and Adam,
as the trainer does it: with dropout on our side, without it on the other, which favours the other. Untrained networks
write trees of unusual length, so the search comes after `--steps` steps of training, which are those that are timed.
Its problems are spread over the corpus, 64 at a time, sorted by length. The other side does two batches and ten
problems; its step is compared with ours on the same two batches. With a GPU, the same follows for it.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the oracle of the tests

from sau_solver.data import load
from sau_solver.data.prepared.examples import examples_of, prepare_all
from sau_solver.models.network import stack, unstacked
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.sau.tree_beam import Found, search
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.tokens import Vocabulary
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.steps import CpuSteps, CudaSteps
from sau_solver.training.training_options import TrainingOptions
from tests.models.oracle import oracle_losses, oracle_search

BATCH, BEAM, TOGETHER = 32, 5, 64
SEARCHED, SEARCHED_BY_NODE = 500, 10
T = TypeVar("T")


def main() -> None:
    """Print milliseconds a step, problems a second and their ratios, for the CPU and a GPU where there is one."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="hmwp")
    arguments.add_argument("--steps", type=int, default=60, help="of training, before the search")
    arguments.add_argument("--threads", type=int, default=None, help="of torch on the CPU")
    options = arguments.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    problems, targets, words = encoded(options.corpus)
    sizes = [len(one.tree.symbols) for one in problems if one.tree]
    print(f"{options.corpus}: {len(problems):,} problems, {statistics.mean(sizes):.1f} symbols a tree; ", end="")
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads; {megabytes():.0f} MB read")
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    for device in devices:
        torch.manual_seed(0)
        network = SauNetwork(words, targets, SauOptions()).to(device)
        print(f"\n{torch.cuda.get_device_name() if device == 'cuda' else 'CPU'}")
        training(network, problems, options.steps)
        searching(network, problems)


def encoded(corpus: str) -> tuple[list[EncodedProblem], Targets, int]:
    """A corpus in ids, as the paper's options read it; the size of the vocabulary."""
    options = SauOptions()
    examples = list(examples_of(prepare_all(load(corpus).problems, corpus, "published")))
    vocabulary = Vocabulary.build([example.text.words for example in examples], options.minimum_word_count)
    targets = Targets.build([example.tree for example in examples], options.minimum_constant_count)
    problems = [encode_text(one.text, vocabulary, encode_tree(one.tree, targets)) for one in examples]
    return problems, targets, len(vocabulary)


def training(network: SauNetwork, problems: Sequence[EncodedProblem], steps: int) -> None:
    """Train for some steps and time them, then two batches on both sides."""
    cuda = next(network.parameters()).is_cuda
    buckets = Buckets.build([problems], BATCH, recorded=cuda)
    options = TrainingOptions(batch=BATCH)
    start = time.perf_counter()
    engine = (
        CudaSteps(stack([network]).cuda(), options, [problems], buckets)
        if cuda
        else CpuSteps(network, options, problems)
    )
    wait(cuda)
    if cuda:
        print(f"  {len(buckets.members)} steps recorded in {time.perf_counter() - start:.1f} s")

    def run(steps: Sequence[Step]) -> float:
        start = time.perf_counter()
        for _ in engine.epoch(steps, itertools.count()):
            pass
        wait(cuda)
        return (time.perf_counter() - start) / len(steps)

    many = list(itertools.chain.from_iterable(buckets.epoch([0], epoch) for epoch in range(1 + steps // 100)))[:steps]
    run(many[:5])  # libraries set themselves up
    ours = run(many)
    rate = sum(len(step.problems[0]) for step in many) / len(many) / ours
    print(f"  level-wise     {1e3 * ours:8.1f} ms a step {rate:8.1f} problems/s {memory(cuda)}")

    two = [step for step in buckets.epoch([0], 1) if len(step.problems[0]) > BATCH // 2][:2]
    ours = min(run(two) for _ in range(5))
    if cuda:  # what was learned lies in the stacked network
        learned = unstacked(engine.network.state_dict(), 0, network.state_dict())
        network.load_state_dict(learned)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.0, fused=True)

    def step(numbers: Sequence[int]) -> None:
        optimizer.zero_grad()
        oracle_losses(network, [problems[number] for number in numbers]).total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    def run_by_node() -> None:
        for one in two:
            step(one.problems[0])

    step(two[0].problems[0][:2])
    theirs = timed(run_by_node, cuda) / 2
    rate = sum(len(one.problems[0]) for one in two) / 2 / theirs
    print(f"  node by node   {1e3 * theirs:8.1f} ms a step {rate:8.1f} problems/s {memory(cuda)}")
    print(f"  on the same two batches {1e3 * ours:.1f} ms against {1e3 * theirs:.1f} ms: {theirs / ours:.1f}x")
    network.eval()


def searching(network: SauNetwork, problems: Sequence[EncodedProblem]) -> None:
    """Beam 5: `search` on some hundred problems, the oracle on ten of them."""
    device = next(network.parameters()).device
    chosen = spread(problems, SEARCHED)
    chosen.sort(key=lambda problem: -len(problem.words))
    found: list[Found] = []

    def run() -> None:
        found.clear()
        for start in range(0, len(chosen), TOGETHER):
            found.extend(search(network, collate_texts(chosen[start : start + TOGETHER], device), BEAM))

    search(network, collate_texts(chosen[:4], device), BEAM)
    before = memory(device.type == "cuda")
    ours = timed(run, device.type == "cuda") / len(chosen)
    lengths = [len(one.symbols[0]) for one in found if one.symbols]
    print(
        f"  beam {BEAM}: {1 / ours:8.1f} problems/s, trees of {statistics.mean(lengths):.1f} symbols; "
        f"{memory(device.type == 'cuda')}, {before} before"
    )
    exact = [one.symbols[:1] for one in found]
    with torch.autocast(device.type, torch.bfloat16):
        half = timed(run, device.type == "cuda") / len(chosen)
    same = sum(one.symbols[:1] == best for one, best in zip(found, exact, strict=True))
    print(f"  products in bfloat16: {1 / half:8.1f} problems/s, {ours / half:.2f}x; ", end="")
    print(f"the same best tree for {same} of {len(found)}")
    few = spread(list(range(len(chosen))), SEARCHED_BY_NODE)
    expected: list[list[tuple[list[int], float]]] = []
    theirs = timed(
        lambda: expected.extend(oracle_search(network, chosen[number], BEAM) for number in few), device.type == "cuda"
    ) / len(few)
    agree = sum(exact[number] == [one[0] for one in mine[:1]] for number, mine in zip(few, expected, strict=True))
    print(f"  one hypothesis at a time {1 / theirs:8.2f} problems/s: {theirs / ours:.0f}x; ", end="")
    print(f"the same best tree for {agree} of {len(few)}")


def spread(items: Sequence[T], count: int) -> list[T]:
    """So many of them, evenly spread."""
    return [items[place * len(items) // count] for place in range(min(count, len(items)))]


def timed(work: Callable[[], object], cuda: bool) -> float:
    """Seconds."""
    wait(cuda)
    start = time.perf_counter()
    work()
    wait(cuda)
    return time.perf_counter() - start


def wait(cuda: bool) -> None:
    """Until the GPU has done what it was told."""
    if cuda:
        torch.cuda.synchronize()


def memory(cuda: bool) -> str:
    """Peaks so far."""
    host = f"peak {megabytes():.0f} MB"
    return f"{host}, GPU {torch.cuda.max_memory_allocated() / 2**20:.0f} MB" if cuda else host


def megabytes() -> float:
    """The most that this process has held in host memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
