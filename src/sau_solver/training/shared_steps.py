"""Training steps that several processes do together: each has a part of every batch and a copy of the network.

A step exchanges two things. First the counts by which the means of the loss are divided, so that each process divides
its sums by the counts of the whole batch. Then the gradients, which are added up. So the loss and the gradients are
those of the whole batch, however many processes share it and however different their problems are. All processes then
do the same update, and their weights stay equal.

Only dropout depends on the number of processes: its masks depend on the seed, the step, and the number of the process.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import Losses, Network
from sau_solver.models.targets import EncodedProblem
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.processes import Processes
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import TOTALS, CpuSteps, CudaSteps, Steps

_MOST_MEANS = 4  # that the loss of a network may consist of
_SEED_BITS = 72  # of a step's seed; the number of the process comes before them


class SharedGradients:
    """What the processes exchange in a step: the counts of a batch, then one tensor with everything else.

    That tensor has all gradients, for each parameter whether it has a gradient, and the figures for progress reports.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        sizes = [*(one.numel() for one in steps.parameters), len(steps.parameters), TOTALS * steps.networks]
        like = steps.parameters[0]
        self.counts = torch.zeros(_MOST_MEANS, steps.networks, dtype=like.dtype, device=like.device)
        self.everything = torch.zeros(sum(sizes), dtype=like.dtype, device=like.device)
        *gradients, self._present, shown = torch.split(self.everything, sizes)
        self._gradients = [own.view(one.shape) for own, one in zip(gradients, steps.parameters, strict=True)]
        self._shown = shown.view(TOTALS, steps.networks)

    def clear(self) -> None:
        """Set all to 0: the share of a process that has no problem of a batch."""
        self.counts.zero_()
        self.everything.zero_()

    def check(self, losses: Losses) -> None:
        """Raise InputError if the loss of a batch is not a sum of means: processes cannot share it then."""
        if not losses.means:
            raise InputError(
                f"Several processes cannot share a batch of {self._steps.network.options.model} with these options. "
                'Its loss compares the problems of a batch with each other, as alignment = "infonce" and "vicreg" do, '
                "or does not say what it is a mean of (Losses.means). Train it with one process."
            )

    def count(self, losses: Losses) -> None:
        """Set the counts of this process."""
        for own, mean in zip(self.counts, losses.means, strict=False):
            own.copy_(mean.count)

    def compute(self, losses: Losses) -> tuple[bool, ...]:
        """Compute the share of this process from its losses and the counts of all; tell which gradients there are."""
        means = list(zip(losses.means, self.counts, strict=False))
        values = [mean.sum / count.clamp(min=1) for mean, count in means]
        total = torch.stack([(mean.weight * value).sum() for (mean, _), value in zip(means, values, strict=True)]).sum()
        total.backward()  # type: ignore[no-untyped-call]
        found = [one.grad for one in self._steps.parameters]
        with torch.no_grad():
            torch._foreach_zero_(self._gradients)
            there = [own for own, one in zip(self._gradients, found, strict=True) if one is not None]
            torch._foreach_copy_(there, [one for one in found if one is not None])
            alignment = values[1] if len(values) > 1 else torch.zeros_like(losses.counted)
            self._shown.copy_(torch.stack([losses.symbols, losses.right, losses.counted, alignment]))
        return tuple(gradient is not None for gradient in found)

    def mark(self, present: Sequence[bool]) -> None:
        """Tell the others for which parameters this process has a gradient."""
        self._present.copy_(torch.tensor(present))

    def present(self) -> tuple[bool, ...]:
        """Tell for each parameter whether a process has a gradient for it."""
        return tuple(share > 0 for share in self._present.tolist())

    def apply(self, present: Sequence[bool]) -> None:
        """Update the weights with the sums of all processes; Adam leaves parameters without a gradient as they are."""
        steps = self._steps
        for parameter, gradient, there in zip(steps.parameters, self._gradients, present, strict=True):
            parameter.grad = gradient if there else None
        if steps.options.clip:
            steps.clip()
        steps.apply()
        symbols, right, counted, alignment = self._shown
        steps.totals += torch.stack([symbols, right, counted, alignment * counted])


def own_seeds(seeds: Iterable[int], processes: Processes) -> Iterator[int]:
    """Yield for each step the seed of this process's dropout."""
    return (seed | processes.rank << _SEED_BITS for seed in seeds)


class SharedCpuSteps(CpuSteps):
    """Training steps on CPUs that processes share."""

    def __init__(
        self,
        network: Network[Any],
        options: TrainingOptions,
        problems: Sequence[EncodedProblem],
        processes: Processes,
    ) -> None:
        super().__init__(network, options, problems)
        self._processes, self._shared = processes, SharedGradients(self)
        with torch.no_grad():
            self._shared.check(network.losses(network.collate(problems[:1]), keep_all))

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Do one update per batch together with the other processes, each when the caller asks for it."""
        processes, shared = self._processes, self._shared
        for step, seed in zip(steps, own_seeds(seeds, processes), strict=False):
            self.noise.seed(seed)
            shared.clear()
            (own,) = step.part(processes.rank, processes.size).problems
            losses = self.losses(self.network.collate([self.problems[number] for number in own])) if own else None
            if losses:
                shared.count(losses)
            processes.add_up(shared.counts)
            if losses:
                shared.mark(shared.compute(losses))
            processes.add_up(shared.everything)
            shared.apply(shared.present())
            yield


class SharedCudaSteps(CudaSteps):
    """Training steps on GPUs that processes share, each with its own GPU.

    A step has three recordings, and the processes exchange tensors between them. An exchange is not recorded, so that
    the loss of a process is noticed.
    """

    def __init__(
        self,
        network: Network[Any],
        options: TrainingOptions,
        problems: Sequence[EncodedProblem],
        buckets: Buckets,
        processes: Processes,
    ) -> None:
        self._processes = processes
        super().__init__(network, options, [problems], buckets)

    def size(self, bucket: int) -> int:
        """Return the number of problems that each process has in a step of the bucket."""
        return math.ceil(super().size(bucket) / self._processes.size)

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Queue one update per batch, each when the caller asks for it."""
        processes = self._processes
        own = [step.part(processes.rank, processes.size) for step in steps]
        return super().epoch(own, own_seeds(seeds, processes))

    def replay(self, bucket: int) -> None:
        """Repeat the recorded step of a bucket with the chosen problems."""
        forward, backward, present = self._parts[bucket]
        forward.replay()
        self._processes.add_up(self._shared.counts)
        backward.replay()
        self._processes.add_up(self._shared.everything)
        self._updates[present].replay()

    def record_all(self) -> None:
        """Record forward and backward of every bucket, and the update for each set of parameters with gradients."""
        self._shared = SharedGradients(self)
        self._parts = [self._record_parts(bucket) for bucket in range(len(self._chosen))]
        self._updates = {}
        for present in {present for _, _, present in self._parts}:
            with self.recording() as update:
                self._shared.apply(present)
            self._updates[present] = update
        self.optimizer.zero_grad(set_to_none=True)

    def _record_parts(self, bucket: int) -> tuple[torch.cuda.CUDAGraph, torch.cuda.CUDAGraph, tuple[bool, ...]]:
        self.warm_up(bucket)
        with self.recording() as forward:
            losses = self.losses(self.picked(bucket))
            self._shared.check(losses)
            self._shared.count(losses)
        with self.recording() as backward:
            present = self._shared.compute(losses)
        return forward, backward, present
