"""Compare the level-wise tree decoder and the batched beam search with a decoder that handles one node at a time.

    SAU_DATA=... python benchmarks/decoding.py [--corpus hmwp] [--steps 60] [--threads N]

Both use one network of the paper's size in float32 with batches of 32. A step is collating, forward, backward and Adam,
as in the trainer; only our step has dropout, which favors the other one. Untrained networks write trees of unusual
length, so the search is measured after `--steps` training steps, which are timed too. It searches problems spread over
the corpus, 64 at a time, sorted by length. `node_by_node.py` does two batches and ten problems; the ratio of the steps
is that of the same two batches. With a GPU, all measurements are repeated there.
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

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes `benchmarks` importable

from benchmarks.node_by_node import oracle_losses, oracle_search
from sau_solver.data import load
from sau_solver.data.prepared.examples import examples_of, prepare_all
from sau_solver.models.network import Found, stack, unstacked
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.tokens import Vocabulary
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import CpuSteps, CudaSteps

BATCH, BEAM, TOGETHER = 32, 5, 64
SEARCHED, SEARCHED_BY_NODE = 500, 10
T = TypeVar("T")


def main() -> None:
    """Print milliseconds per step, problems per second and their ratios, for the CPU and, if there is one, the GPU."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="hmwp")
    arguments.add_argument("--steps", type=int, default=60, help="training steps before the search")
    arguments.add_argument("--threads", type=int, default=None, help="CPU threads of torch")
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
    """Encode a corpus with the paper's options; return the problems, the targets and the size of the vocabulary."""
    options = SauOptions()
    examples = list(examples_of(prepare_all(load(corpus).problems, corpus, "published")))
    vocabulary = Vocabulary.build([example.text.words for example in examples], options.minimum_word_count)
    targets = Targets.build([example.tree for example in examples], options.minimum_constant_count)
    problems = [encode_text(one.text, vocabulary, encode_tree(one.tree, targets)) for one in examples]
    return problems, targets, len(vocabulary)


def training(network: SauNetwork, problems: Sequence[EncodedProblem], steps: int) -> None:
    """Time some training steps, then two batches with both decoders."""
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
    run(many[:5])  # warm-up
    ours = run(many)
    rate = sum(len(step.problems[0]) for step in many) / len(many) / ours
    print(f"  level-wise     {1e3 * ours:8.1f} ms a step {rate:8.1f} problems/s {memory(cuda)}")

    two = [step for step in buckets.epoch([0], 1) if len(step.problems[0]) > BATCH // 2][:2]
    ours = min(run(two) for _ in range(5))
    if cuda:  # the stacked network has the trained weights
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
    """Time a beam of 5: `search` on 500 problems, and one hypothesis at a time on ten of them."""
    device = next(network.parameters()).device
    chosen = spread(problems, SEARCHED)
    chosen.sort(key=lambda problem: -len(problem.words))
    found: list[Found] = []

    def run() -> None:
        found.clear()
        for start in range(0, len(chosen), TOGETHER):
            found.extend(network.search(collate_texts(chosen[start : start + TOGETHER], device), BEAM))

    network.search(collate_texts(chosen[:4], device), BEAM)
    before = memory(device.type == "cuda")
    ours = timed(run, device.type == "cuda") / len(chosen)
    lengths = [len(one.symbols[0]) for one in found if one.symbols]
    print(
        f"  beam {BEAM}: {1 / ours:8.1f} problems/s, trees of {statistics.mean(lengths):.1f} symbols; "
        f"{memory(device.type == 'cuda')}, {before} before"
    )
    exact = [one.symbols[:1] for one in found]
    if device.type == "cuda":  # some CPUs crash in bfloat16
        with torch.autocast("cuda", torch.bfloat16):
            half = timed(run, True) / len(chosen)
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
    """Return `count` elements of a sequence at equal distances."""
    return [items[place * len(items) // count] for place in range(min(count, len(items)))]


def timed(work: Callable[[], object], cuda: bool) -> float:
    """Return the seconds that `work` takes."""
    wait(cuda)
    start = time.perf_counter()
    work()
    wait(cuda)
    return time.perf_counter() - start


def wait(cuda: bool) -> None:
    """Wait until the GPU is idle."""
    if cuda:
        torch.cuda.synchronize()


def memory(cuda: bool) -> str:
    """Return the peak memory so far, as text."""
    host = f"peak {megabytes():.0f} MB"
    return f"{host}, GPU {torch.cuda.max_memory_allocated() / 2**20:.0f} MB" if cuda else host


def megabytes() -> float:
    """Return the peak host memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
