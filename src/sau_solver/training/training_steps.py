"""Training steps: choose problems, forward, backward, Adam, moving average; on the CPU or as recorded CUDA graphs.

On a GPU all problems are in its memory from the start, padded per bucket. The step of each bucket is recorded once as a
CUDA graph and then replayed, so thousands of small kernels cost one launch. Several networks can train as one stacked
network; `networks` is their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.devices import has_bfloat16
from sau_solver.models.layers.dropout import Noise
from sau_solver.models.network import Losses, Network
from sau_solver.models.targets import EncodedProblem
from sau_solver.training.buckets import Buckets, Step
from sau_solver.training.training_options import TrainingOptions

_PRETRAINED = "encoder.pretrained."  # the prefix of a pretrained encoder's parameter names
_ALIGNMENT = "alignment."
_TINY = 1e-6  # keeps a quotient finite
TOTALS = 4  # loss of symbols, right symbols, counted symbols, loss of alignment


class Steps:
    """A network, its optimizer and its moving average; `update` does one training step."""

    def __init__(
        self, network: Network[Any], options: TrainingOptions, networks: int, seeds: Sequence[int] = ()
    ) -> None:
        """Prepare steps; `seeds` are those of the stacked networks, which may share dropout by them."""
        self.network, self.options, self.networks = network, options, networks
        self.parameters: list[Tensor] = list(network.parameters())
        self.device = self.parameters[0].device
        listed = list(dict.fromkeys(seeds))
        masks = [listed.index(seed) for seed in seeds] if options.shared_dropout else ()
        self.noise = Noise(network.options.dropout, torch.Generator(self.device), masks)
        cuda = self.device.type == "cuda"
        groups: dict[tuple[float, float], list[Tensor]] = {}  # multiple of the rate, weight decay -> parameters
        for name, weights in network.named_parameters():
            own = options.encoder_rate if name.startswith(_PRETRAINED) else 0
            exempt = name.startswith(_ALIGNMENT) and not options.decay_alignment
            key = (own / options.learning_rate or 1.0, 0.0 if exempt else options.weight_decay)
            groups.setdefault(key, []).append(weights)
        self._shares = [share for share, _ in groups]
        self.optimizer = torch.optim.Adam(
            [
                # On the GPU the rate is a tensor, so a replayed step reads its current value.
                {
                    "params": members,
                    "lr": torch.tensor(0.0, device=self.device) if cuda else 0.0,
                    "weight_decay": decay,
                }
                for (_, decay), members in groups.items()
            ],
            fused=True,
            capturable=cuda,
        )
        for parameter in self.parameters:  # created before a step is recorded
            self.optimizer.state[parameter] = {
                "step": torch.zeros((), device=self.device),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
        self.average = [parameter.detach().clone() for parameter in self.parameters] if options.averaging else []
        self.totals = torch.zeros(TOTALS, networks, device=self.device)

    def set_rate(self, rate: float) -> None:
        """Set the learning rate; the rate of a pretrained encoder keeps its ratio to it."""
        for share, group in zip(self._shares, self.optimizer.param_groups, strict=True):
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate * share)
            else:
                group["lr"] = rate * share

    def read_totals(self) -> list[list[float]]:
        """Return the totals of each network since the last call; wait for queued steps first."""
        totals: list[list[float]] = self.totals.T.tolist()
        self.totals.zero_()
        return totals

    def moments(self) -> dict[str, dict[str, Tensor]]:
        """Return Adam's moments and the moving average by kind and parameter name."""
        kinds: dict[str, dict[str, Tensor]] = {"exp_avg": {}, "exp_avg_sq": {}}
        for name, parameter in self.network.named_parameters():
            for kind, kept in kinds.items():
                kept[name] = self.optimizer.state[parameter][kind]
        if self.average:
            names = (name for name, _ in self.network.named_parameters())
            kinds["average"] = dict(zip(names, self.average, strict=True))
        return kinds

    def count_from(self, steps: int) -> None:
        """Set the number of steps that Adam has done."""
        for parameter in self.parameters:
            self.optimizer.state[parameter]["step"].fill_(steps)

    def update(self, batch: Any) -> None:
        """Do one step: forward, backward, Adam, moving average."""
        self.backward(batch)
        self.apply()

    def apply(self) -> None:
        """Change the weights by their gradients: Adam, moving average."""
        self.optimizer.step()
        if self.average:
            with torch.no_grad():
                torch._foreach_lerp_(self.average, self.parameters, 1 - self.options.averaging)

    def backward(self, batch: Any) -> None:
        """Compute the gradients of a batch and add its losses to the totals."""
        losses = self.losses(batch)
        losses.total.backward()  # type: ignore[no-untyped-call]
        if self.options.clip:
            self.clip()
        shown = torch.stack([losses.symbols, losses.right, losses.counted, losses.alignment * losses.counted])
        self.totals += shown.detach()

    def losses(self, batch: Any) -> Losses:
        """Forget the gradients of the last batch; return the losses of this one."""
        self.optimizer.zero_grad(set_to_none=True)
        low = self.options.precision == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=low, cache_enabled=False):
            return self.network.losses(batch, self.noise, self.options.label_smoothing)

    def clip(self) -> None:
        """Shorten the gradient of each network that is longer than the limit, without waiting for the device."""
        found = [own.grad for own in self.parameters if own.grad is not None]
        if self.networks == 1:
            norm = torch.stack(torch._foreach_norm(found)).norm()
            torch._foreach_mul_(found, (self.options.clip / (norm + _TINY)).clamp(max=1))
            return
        squares = torch.stack([each.reshape(self.networks, -1).square().sum(1) for each in found])
        shorter = (self.options.clip / (squares.sum(0).sqrt() + _TINY)).clamp(max=1)
        for each in found:
            each.mul_(shorter.view(-1, *[1] * (each.dim() - 1)))  # stacked networks have an axis in front


class CpuSteps(Steps):
    """Training steps of one network on the CPU; each batch is collated when it is needed."""

    def __init__(self, network: Network[Any], options: TrainingOptions, problems: Sequence[EncodedProblem]) -> None:
        if options.precision == "bfloat16" and not has_bfloat16(torch.device("cpu")):
            raise InputError(
                '[training] precision must be "float32" on this CPU, got "bfloat16". '
                'Use "float32", a GPU, or a CPU with AVX512-BF16.'
            )
        super().__init__(network, options, 1)
        self.problems = problems

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Do one update per batch, each when the caller asks for it."""
        for step, seed in zip(steps, seeds, strict=False):
            self.noise.seed(seed)
            self.update(self.network.collate([self.problems[number] for number in step.problems[0]]))
            yield


class CudaSteps(Steps):
    """Training steps of stacked networks on a GPU; batches are picked there and recorded steps are replayed."""

    def __init__(
        self,
        network: Network[Any],
        options: TrainingOptions,
        problems: Sequence[Sequence[EncodedProblem]],
        buckets: Buckets,
        seeds: Sequence[int] = (),
    ) -> None:
        super().__init__(network, options, len(problems), seeds)
        self._buckets = buckets
        self._places: list[dict[tuple[int, int], int]] = []  # per bucket: (network, problem) -> place on the shelf
        self._shelves = []
        for members in buckets.members:
            # Networks that learn from the same problems share them.
            listed = [(owner, number) for owner, own in enumerate(members) for number in own]
            different = {id(problems[owner][number]): problems[owner][number] for owner, number in listed}
            index = {key: place for place, key in enumerate(different)}
            self._places.append({(owner, number): index[id(problems[owner][number])] for owner, number in listed})
            self._shelves.append(network.padded(list(different.values()), self.device))
        self._chosen = [
            torch.zeros(len(problems) * self.size(bucket), dtype=torch.int64, device=self.device)
            for bucket in range(len(buckets.members))
        ]
        # All recordings share their memory, because they run one after the other and read nothing of each other.
        self._pool = torch.cuda.graph_pool_handle()
        self.record_all()
        self.totals.zero_()

    def size(self, bucket: int) -> int:
        """Return the number of problems that a step of the bucket has for each network."""
        return self._buckets.size(bucket)

    def epoch(self, steps: Sequence[Step], seeds: Iterable[int]) -> Iterator[None]:
        """Queue one update per batch, each when the caller asks for it."""
        plan = torch.tensor([place for step in steps for place in self._row(step)])
        plan = plan.pin_memory().to(self.device, non_blocking=True)  # one transfer for the epoch
        start = 0
        for step, seed in zip(steps, seeds, strict=False):
            chosen = self._chosen[step.bucket]
            chosen.copy_(plan[start : start + len(chosen)])
            start += len(chosen)
            self.noise.seed(seed)
            self.replay(step.bucket)
            yield

    def replay(self, bucket: int) -> None:
        """Repeat the recorded step of a bucket with the chosen problems."""
        self._graphs[bucket].replay()

    def _row(self, step: Step) -> list[int]:
        """Return the places of a batch on its shelf, filled up with blank problems."""
        places, blank = self._places[step.bucket], self._shelves[step.bucket].blank
        size = self.size(step.bucket)
        row: list[int] = []
        for owner, numbers in enumerate(step.problems):
            row += [*(places[owner, number] for number in numbers), *[blank] * (size - len(numbers))]
        return row

    def record_all(self) -> None:
        """Record the step of every bucket."""
        self._graphs = [self._record(bucket) for bucket in range(len(self._buckets.members))]

    def _record(self, bucket: int) -> torch.cuda.CUDAGraph:
        self.warm_up(bucket)
        with self.recording() as graph:
            self.update(self.picked(bucket))
        return graph

    def picked(self, bucket: int) -> Any:
        """Return the batch of the chosen problems of a bucket."""
        return self._shelves[bucket].pick(self._chosen[bucket], self.networks)

    def warm_up(self, bucket: int) -> None:
        """Do a step of a bucket without recording it and without changing a weight, so that libraries initialize."""
        shelf, chosen = self._shelves[bucket], self._chosen[bucket]
        chosen.copy_(torch.arange(len(chosen), device=self.device) % shelf.blank)
        side = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(side):
            self.noise.seed(0)
            self.backward(self.picked(bucket))
        torch.cuda.current_stream(self.device).wait_stream(side)
        self.optimizer.zero_grad(set_to_none=True)
        self.noise.reset()

    @contextmanager
    def recording(self) -> Iterator[torch.cuda.CUDAGraph]:
        """Record what is done in the block as a graph."""
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.noise.generator)
        with torch.cuda.graph(graph, pool=self._pool):
            yield graph
