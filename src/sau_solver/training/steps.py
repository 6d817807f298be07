"""One training step: choose problems, forward, backward, Adam, moving average; on the CPU, or as recorded CUDA graphs.

On a GPU the problems lie there from the start, padded bucket by bucket. The step of each bucket is recorded once as a
CUDA graph and replayed: thousands of small kernels cost one launch. Several runs train as one stacked network.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Noise
from sau_solver.models.network import Network
from sau_solver.models.targets import EncodedProblem
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.training_options import TrainingOptions

_PRETRAINED = "encoder.pretrained."  # begins the names of a pretrained encoder's parameters
_TOTALS = 4  # loss of symbols, right, counted, alignment


class Steps:
    """The weights of a network, or of a stacked one, on their way; `update` is one step."""

    def __init__(self, network: Network[Any], options: TrainingOptions, runs: int) -> None:
        self.network, self.options, self.runs = network, options, runs
        self.parameters: list[Tensor] = list(network.parameters())
        self.device = self.parameters[0].device
        self.noise = Noise(network.options.dropout, torch.Generator(self.device))
        cuda = self.device.type == "cuda"
        groups: dict[float, list[Tensor]] = {}  # by how many times the learning rate they take
        for name, weights in network.named_parameters():
            own = options.encoder_rate if name.startswith(_PRETRAINED) else 0
            groups.setdefault(own / options.learning_rate or 1.0, []).append(weights)
        self._shares = list(groups)
        self.optimizer = torch.optim.Adam(
            [
                # A tensor on the GPU, so that a recorded step reads what it is when it is replayed.
                {"params": members, "lr": torch.tensor(0.0, device=self.device) if cuda else 0.0}
                for members in groups.values()
            ],
            weight_decay=options.weight_decay,
            fused=True,
            capturable=cuda,
        )
        for parameter in self.parameters:  # there from the start, so that a recorded step finds it
            self.optimizer.state[parameter] = {
                "step": torch.zeros((), device=self.device),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
        self.average = [parameter.detach().clone() for parameter in self.parameters] if options.averaging else []
        self.totals = torch.zeros(_TOTALS, runs, device=self.device)

    def set_rate(self, rate: float) -> None:
        """The learning rate from here on; a pretrained encoder's keeps its ratio to the others'."""
        for share, group in zip(self._shares, self.optimizer.param_groups, strict=True):
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate * share)
            else:
                group["lr"] = rate * share

    def read_totals(self) -> list[list[float]]:
        """The totals since the last reading, for each of the runs; waits for the steps that are queued."""
        totals: list[list[float]] = self.totals.T.tolist()
        self.totals.zero_()
        return totals

    def moments(self) -> dict[str, dict[str, Tensor]]:
        """Adam's moments and the average, by kind and name of parameter."""
        kinds: dict[str, dict[str, Tensor]] = {"exp_avg": {}, "exp_avg_sq": {}}
        for name, parameter in self.network.named_parameters():
            for kind, kept in kinds.items():
                kept[name] = self.optimizer.state[parameter][kind]
        if self.average:
            names = (name for name, _ in self.network.named_parameters())
            kinds["average"] = dict(zip(names, self.average, strict=True))
        return kinds

    def count_from(self, steps: int) -> None:
        """Tell Adam how many steps were done before."""
        for parameter in self.parameters:
            self.optimizer.state[parameter]["step"].fill_(steps)

    def update(self, batch: Any) -> None:
        """Forward, backward, Adam, average."""
        self.backward(batch)
        self.optimizer.step()
        if self.average:
            with torch.no_grad():
                torch._foreach_lerp_(self.average, self.parameters, 1 - self.options.averaging)

    def backward(self, batch: Any) -> None:
        """Gradients of a batch."""
        self.optimizer.zero_grad(set_to_none=True)
        half = self.options.precision == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half, cache_enabled=False):
            losses = self.network.losses(batch, self.noise, self.options.label_smoothing)
        losses.total.backward()  # type: ignore[no-untyped-call]
        shown = torch.stack([losses.symbols, losses.right, losses.counted, losses.alignment * losses.counted])
        self.totals += shown.detach()


class CpuSteps(Steps):
    """Batches of one run are put together step by step."""

    def __init__(self, network: Network[Any], options: TrainingOptions, problems: Sequence[EncodedProblem]) -> None:
        if options.precision != "float32":
            raise InputError('[training] precision = "bfloat16" is for GPUs; use "float32" on the CPU.')
        super().__init__(network, options, 1)
        self._problems = problems

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """One update for each batch, as the caller asks for the next."""
        for step, seed in zip(steps, seeds, strict=False):
            self.noise.seed(seed)
            self.update(self.network.collate([self._problems[number] for number in step.problems[0]]))
            yield


class CudaSteps(Steps):
    """Batches of all runs are picked on the GPU, and steps replayed."""

    def __init__(
        self,
        network: Network[Any],
        options: TrainingOptions,
        problems: Sequence[Sequence[EncodedProblem]],
        buckets: Buckets,
    ) -> None:
        super().__init__(network, options, len(problems))
        self._buckets = buckets
        self._places: list[dict[tuple[int, int], int]] = []  # bucket by bucket: where a run's problem lies
        self._shelves = []
        for members in buckets.members:
            # Runs that learn from the same problems share them.
            different = {id(problems[run][n]): problems[run][n] for run, own in enumerate(members) for n in own}
            index = {key: place for place, key in enumerate(different)}
            self._places.append({(run, n): index[id(problems[run][n])] for run, own in enumerate(members) for n in own})
            self._shelves.append(network.padded(list(different.values()), self.device))
        self._chosen = [
            torch.zeros(len(problems) * buckets.size(bucket), dtype=torch.int64, device=self.device)
            for bucket in range(len(buckets.members))
        ]
        # All recordings share their memory: they run one after the other, and nothing of one is read by another.
        self._pool = torch.cuda.graph_pool_handle()
        self._graphs = [self._record(bucket) for bucket in range(len(buckets.members))]
        self.totals.zero_()

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """One update for each batch, queued as the caller asks for the next."""
        plan = torch.tensor([place for step in steps for place in self._row(step)])
        plan = plan.pin_memory().to(self.device, non_blocking=True)  # one transfer for the epoch
        start = 0
        for step, seed in zip(steps, seeds, strict=False):
            chosen = self._chosen[step.bucket]
            chosen.copy_(plan[start : start + len(chosen)])
            start += len(chosen)
            self.noise.seed(seed)
            self._graphs[step.bucket].replay()
            yield

    def _row(self, step: Step) -> list[int]:
        """The places of a batch on its shelf, filled up with blank problems."""
        places, blank = self._places[step.bucket], self._shelves[step.bucket].blank
        size = self._buckets.size(step.bucket)
        row: list[int] = []
        for run, numbers in enumerate(step.problems):
            row += [*(places[run, number] for number in numbers), *[blank] * (size - len(numbers))]
        return row

    def _record(self, bucket: int) -> torch.cuda.CUDAGraph:
        shelf, chosen = self._shelves[bucket], self._chosen[bucket]
        chosen.copy_(torch.arange(len(chosen), device=self.device) % shelf.blank)
        side = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(side):  # once without recording: libraries set themselves up
            self.noise.seed(0)
            self.backward(shelf.pick(chosen, self.runs))
        torch.cuda.current_stream(self.device).wait_stream(side)
        self.optimizer.zero_grad(set_to_none=True)
        self.noise.reset()
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.noise.generator)
        with torch.cuda.graph(graph, pool=self._pool):
            self.update(shelf.pick(chosen, self.runs))
        return graph
