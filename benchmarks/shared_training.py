"""Compare our training steps of two processes with PyTorch's DistributedDataParallel: losses and ms per step, on a CPU.

    python benchmarks/shared_training.py [--corpus school-en] [--hidden 64 384] [--batch 32] [--steps 20] [--rounds 5]

Every way of training does the same steps without dropout: one process with the whole batch, our steps, DDP as it is
(each process has the mean of its part, and gradients are averaged), and DDP with the counts of the whole batch, which
the processes exchange before the backward pass. The first table shows how far the losses of all steps and the weights
after the last one are from those of one process. For the second table the ways take turns, so that other work on the
machine slows all of them; "no exchange" computes the same gradients and updates without the other process.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
import torch.distributed
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from sau_solver.data import load
from sau_solver.data.prepared.examples import examples_of, prepare_all
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.tokens import Vocabulary
from sau_solver.training.buckets import Step
from sau_solver.training.processes import Processes
from sau_solver.training.shared_steps import SharedCpuSteps
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import CpuSteps

PROBLEMS = 320
RATE = 1e-3
TRAINING = TrainingOptions(device="cpu", averaging=0.0)
Begin = Callable[[SauNetwork], CpuSteps]


class Objective(nn.Module):
    """The loss of a part of a batch, as DistributedDataParallel needs it: gradients of all processes are averaged."""

    def __init__(self, network: SauNetwork, processes: Processes, whole: bool) -> None:
        super().__init__()
        self.network, self._processes, self._whole = network, processes, whole

    def forward(self, batch: Any) -> Tensor:
        """Return the mean over the part, or the part's share of the mean over the whole batch."""
        losses = self.network.losses(batch, keep_all)
        if not self._whole:
            return losses.total
        counts = torch.stack([mean.count.to(torch.float32) for mean in losses.means])
        self._processes.add_up(counts)
        parts = [mean.weight * mean.sum / own.clamp(min=1) for mean, own in zip(losses.means, counts, strict=True)]
        return torch.stack(parts).sum() * self._processes.size


class DdpSteps(CpuSteps):
    """Training steps that PyTorch's DistributedDataParallel shares."""

    def __init__(
        self, network: SauNetwork, problems: Sequence[EncodedProblem], processes: Processes, whole: bool
    ) -> None:
        super().__init__(network, TRAINING, problems)
        self._processes = processes
        self._objective = DistributedDataParallel(Objective(network, processes, whole))

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Do one update per batch, each when the caller asks for it."""
        for step in steps:
            (own,) = step.part(self._processes.rank, self._processes.size).problems
            self.optimizer.zero_grad(set_to_none=True)
            self._objective(self.network.collate([self.problems[number] for number in own])).backward()
            self.apply()
            yield


class AloneSteps(CpuSteps):
    """Training steps with one part of every batch, and no exchange."""

    def __init__(self, network: SauNetwork, problems: Sequence[EncodedProblem], processes: Processes) -> None:
        super().__init__(network, TRAINING, problems)
        self._processes = processes

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Do one update per batch, each when the caller asks for it."""
        return super().epoch([step.part(self._processes.rank, self._processes.size) for step in steps], seeds)


class Comparison:
    """One corpus for all ways of training."""

    def __init__(self, corpus: str, processes: Processes) -> None:
        chosen = load(corpus).problems[: 2 * PROBLEMS]  # some cannot be learned
        examples = list(examples_of(prepare_all(chosen, corpus, "published")))[:PROBLEMS]
        self._words = Vocabulary.build(example.text.words for example in examples)
        self._targets = Targets.build([example.tree for example in examples], 5)
        self.problems = [
            encode_text(one.text, self._words, encode_tree(one.tree, self._targets)) for one in examples
        ]  # fmt: skip
        self._processes = processes
        own, problems = processes, self.problems
        self.shared: dict[str, Begin] = {
            "our steps": lambda network: SharedCpuSteps(network, TRAINING, problems, own),
            "DDP": lambda network: DdpSteps(network, problems, own, whole=False),
            "DDP with counts": lambda network: DdpSteps(network, problems, own, whole=True),
        }
        self.unshared: dict[str, Begin] = {
            "no exchange": lambda network: AloneSteps(network, problems, own),
            "one process": lambda network: CpuSteps(network, TRAINING, problems),
        }

    def begun(self, begin: Begin, options: SauOptions) -> CpuSteps:
        """Return steps of a new network; all begin with the same weights."""
        torch.manual_seed(0)
        steps = begin(SauNetwork(len(self._words), self._targets, options))
        steps.set_rate(RATE)
        return steps

    def plan(self, batch: int, steps: int) -> list[Step]:
        """Return batches of different problems, the same in all processes."""
        chance = random.Random(0)
        return [Step(0, (tuple(chance.sample(range(len(self.problems)), batch)),)) for _ in range(steps)]

    def learned(self, begin: Begin, options: SauOptions, plan: Sequence[Step]) -> tuple[Tensor, Tensor]:
        """Train; return the loss of each whole batch before its step, and all weights at the end."""
        steps = self.begun(begin, options)
        losses, doing = [], steps.epoch(plan, range(len(plan)))
        for step in plan:
            with torch.no_grad():
                batch = steps.network.collate([self.problems[number] for number in step.problems[0]])
                losses.append(float(steps.network.losses(batch, keep_all).total))
            next(doing)
        return torch.tensor(losses), torch.cat([one.detach().flatten() for one in steps.parameters])

    def print_differences(self, options: SauOptions, batch: int, steps: int) -> None:
        """Print how far each shared way is from one process."""
        plan = self.plan(batch, steps)
        losses, weights = self.learned(self.unshared["one process"], options, plan)
        for name, begin in self.shared.items():
            own_losses, own_weights = self.learned(begin, options, plan)
            loss = float(((own_losses - losses).abs() / losses).max())
            weight = float((own_weights - weights).abs().max())
            self._say(f"{options.hidden:6}  {batch:5}  {options.loss_mean:8}  {name:15}  {loss:15.1e}  {weight:16.1e}")

    def print_times(self, options: SauOptions, batch: int, steps: int, rounds: int) -> None:
        """Print the median time of a step, and the CPU time of all processes for it."""
        plan, ways = self.plan(batch, steps), self.unshared | self.shared
        begun = {name: self.begun(begin, options) for name, begin in ways.items()}
        spent: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for _ in range(1 + rounds):  # the first one is a warm-up
            for name, own in begun.items():
                torch.distributed.barrier()
                began, used = time.perf_counter(), time.process_time()
                if self._processes.first or name != "one process":
                    for _ in own.epoch(plan, range(steps)):
                        pass
                seconds, cpu = time.perf_counter() - began, torch.tensor([time.process_time() - used])
                self._processes.add_up(cpu)
                spent[name].append((1000 * seconds / steps, 1000 * float(cpu) / steps))
        count = sum(one.numel() for one in begun["one process"].parameters)
        for name, each in spent.items():
            wall, cpu_ms = (statistics.median(own) for own in zip(*each[1:], strict=True))
            self._say(f"{options.hidden:6}  {count:10,}  {batch:5}  {name:15}  {wall:9.1f}  {cpu_ms:9.1f}")

    def _say(self, line: str) -> None:
        if self._processes.first:
            print(line, flush=True)


def compare(given: argparse.Namespace, processes: Processes) -> None:
    """Print both tables in the first process."""
    own = Comparison(given.corpus, processes)
    options = [SauOptions(hidden=hidden, dropout=0.0) for hidden in given.hidden]
    if processes.first:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, torch {torch.__version__}, {given.corpus}, gloo")
        print(f"\n{given.steps} steps, the largest differences from one process with the whole batch")
        print("hidden  batch  mean of   training         loss (relative)  weight (absolute)")
    smallest = options[0]
    own.print_differences(smallest, given.batch, given.steps)
    own.print_differences(smallest, given.batch + 1, given.steps)
    own.print_differences(replace(smallest, loss_mean="symbols"), given.batch, given.steps)
    if processes.first:
        print(f"\n{given.rounds} rounds of {given.steps} steps; two processes with one thread each; CPU time of both")
        print("hidden  parameters  batch  training         ms a step     CPU ms")
    for one in options:
        own.print_times(one, given.batch, given.steps, given.rounds)


def main() -> None:
    """Start two processes, or be one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="school-en")
    parser.add_argument("--hidden", type=int, nargs="+", default=[64, 384])
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    processes = Processes.launched()
    if processes.size == 1:
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        sys.exit(subprocess.run([*torchrun, __file__, *sys.argv[1:]], check=False, env=environment).returncode)
    with processes.connected():
        compare(given, processes)


if __name__ == "__main__":
    main()
