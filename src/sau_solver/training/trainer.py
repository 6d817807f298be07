"""Train networks on encoded problems: epochs, learning rate, snapshots to resume from, progress reports.

On a GPU the networks given to one `Trainer` train as one stacked network; on the CPU each needs its own trainer. The
trained weights depend on the options, the seeds, the data and the networks that train together. An interrupted training
that resumes from a snapshot ends with the same weights.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.devices import memory_limit
from sau_solver.models.layers.stacked import Embedding, Linear, Rounding
from sau_solver.models.network import Network, stack, unstacked
from sau_solver.models.quantized import ROUNDED
from sau_solver.models.targets import EncodedProblem
from sau_solver.training.buckets import Buckets
from sau_solver.training.processes import ALONE, Processes
from sau_solver.training.shared_steps import SharedCpuSteps, SharedCudaSteps
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import CpuSteps, CudaSteps


@dataclass(frozen=True, slots=True)
class EpochReport:
    """Progress after an epoch; loss and accuracy are means over training symbols, with dropout."""

    run: str
    epoch: int  # number of finished epochs
    epochs: int
    steps: int  # since the start of training
    loss: float
    accuracy: float
    alignment: float
    rate: float
    problems_per_second: float  # of all networks that train together
    seconds_left: float
    part: float = 0.0  # finished share of the current epoch; 0 in the report at the end of an epoch


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a training after an epoch, from which it can resume."""

    epoch: int
    steps: int
    weights: dict[str, Tensor]
    state: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Trainee:
    """A network to train on encoded problems; `save` receives snapshots, the last one at the end of training.

    `weights` says how often an epoch has each problem, by default once.
    """

    name: str
    network: Network[Any]
    problems: Sequence[EncodedProblem]
    seed: int
    save: Callable[[Snapshot], None] | None = None
    weights: Sequence[float] = ()

    @property
    def all_weights(self) -> Sequence[float]:
        """The weight of every problem."""
        return self.weights or [1.0] * len(self.problems)


Report = Callable[[EpochReport], None]
_REPORT_EVERY = 1.0  # seconds between reports within an epoch


class Trainer:
    """Trains one network, or on a GPU several as one. Several processes can train one network together."""

    def __init__(
        self,
        trainees: Sequence[Trainee],
        options: TrainingOptions,
        device: torch.device,
        teachers: Sequence[Network[Any]] = (),
        processes: Processes = ALONE,
    ) -> None:
        self.trainees, self.options, self._processes = trainees, options, processes
        if processes.size > 1:
            _check_sharing(trainees, options, processes.size)
        self.epoch = self.steps = 0
        sizes = trainees[0].network.options
        advice = f"Lower [training] batch (now {options.batch}), [{sizes.model}] hidden (now {sizes.hidden}) or --jobs."
        self._memory = ("the networks and a batch", advice)
        problems = [trainee.problems for trainee in trainees]
        weights = [trainee.all_weights for trainee in trainees]
        self._buckets = Buckets.build(problems, options.batch, device.type == "cuda", weights)
        self._stacked = device.type == "cuda"
        with memory_limit(*self._memory):
            if device.type == "cuda":
                network = stack([trainee.network for trainee in trainees]).to(device).train()
                _round_encoder(network, options)
                if teachers:
                    each = [stack([teacher] * len(trainees)).to(device) for teacher in teachers]
                    network.learn_from(each, options.teacher_share)
                with matmul_precision("high"):  # the recorded steps keep it
                    self._engine: CpuSteps | CudaSteps = self._gpu_steps(network, problems)
            else:
                (trainee,) = trainees
                if teachers:
                    trainee.network.learn_from(teachers, options.teacher_share)
                network = trainee.network.train()
                _round_encoder(network, options)
                self._engine = (
                    CpuSteps(network, options, trainee.problems)
                    if processes.size == 1
                    else SharedCpuSteps(network, options, trainee.problems, processes)
                )

    def _gpu_steps(self, network: Network[Any], problems: Sequence[Sequence[EncodedProblem]]) -> CudaSteps:
        if self._processes.size > 1:
            return SharedCudaSteps(network, self.options, problems[0], self._buckets, self._processes)
        seeds = [trainee.seed for trainee in self.trainees]
        return CudaSteps(network, self.options, problems, self._buckets, seeds)

    def resume(self, snapshots: Sequence[Snapshot]) -> None:
        """Continue from snapshots of an earlier training, one per network and all of the same epoch."""
        self.epoch, self.steps = snapshots[0].epoch, snapshots[0].steps
        assert all(snapshot.epoch == self.epoch for snapshot in snapshots)
        kinds: dict[str, dict[str, Tensor]] = {"": dict(self._engine.network.named_parameters())}
        kinds |= {f"{kind}.": kept for kind, kept in self._engine.moments().items()}
        with torch.no_grad():
            for index, snapshot in enumerate(snapshots):
                known = snapshot.weights | snapshot.state
                for kind, kept in kinds.items():
                    for name, value in kept.items():
                        if (source := known.get(kind + name)) is not None:
                            own = value[index] if self._stacked else value
                            own[tuple(slice(0, size) for size in source.shape)] = source.to(value.device)
        self._engine.count_from(self.steps)

    def train(self, report: Report | None = None) -> None:
        """Train to the end; then the networks hold the trained weights, or their average if the options ask for it."""
        self._start_together()
        saved = started = time.perf_counter()
        first = self.epoch
        with memory_limit(*self._memory):
            while self.epoch < self.options.epochs:
                steps = self._buckets.epoch([trainee.seed for trainee in self.trainees], self.epoch)
                seeds = (self.trainees[0].seed << 40 | step for step in itertools.count(self.steps))
                told = time.perf_counter()
                rate = self._rate(0)
                self._engine.set_rate(rate)
                for done, _ in enumerate(self._engine.epoch(steps, seeds), 1):
                    self.steps += 1
                    if self._changes_within_epochs:
                        rate = self._rate(done / len(steps))
                        self._engine.set_rate(rate)
                    now = time.perf_counter()
                    if report and isinstance(self._engine, CpuSteps) and now - told >= _REPORT_EVERY:
                        part = done / len(steps)
                        speed = (self.epoch + part - first) / (now - started)
                        self._report(report, self._engine.totals.T.tolist(), rate, speed, part)
                        told = now
                self.epoch += 1
                totals = self._engine.read_totals()
                now = time.perf_counter()
                if report:
                    self._report(report, totals, rate, (self.epoch - first) / (now - started))
                if self.epoch == self.options.epochs or now - saved >= self.options.checkpoint_seconds:
                    self._save()
                    saved = time.perf_counter()
        self._finish()

    def _start_together(self) -> None:
        """Give every process the state of the first one, which may have resumed from a snapshot."""
        processes, engine = self._processes, self._engine
        if processes.size > 1:
            self.epoch, self.steps = processes.from_first(lambda: (self.epoch, self.steps))
            state = [tensor for kept in engine.moments().values() for tensor in kept.values()]
            processes.copy_from_first([*engine.parameters, *state])
            engine.count_from(self.steps)

    def _report(self, report: Report, totals: list[list[float]], rate: float, speed: float, part: float = 0.0) -> None:
        """Report the progress of every network; `speed` is in epochs per second."""
        problems = sum(sum(trainee.all_weights) for trainee in self.trainees)
        left = (self.options.epochs - self.epoch - part) / speed
        for trainee, (symbols, right, counted, alignment) in zip(self.trainees, totals, strict=True):
            shares = (symbols / counted, right / counted, alignment / counted)
            at = (trainee.name, self.epoch, self.options.epochs, self.steps)
            report(EpochReport(*at, *shares, rate, speed * problems, left, part))

    def _save(self) -> None:
        for index, trainee in enumerate(self.trainees):
            if trainee.save:
                trainee.save(self._snapshot(index))

    def _snapshot(self, index: int) -> Snapshot:
        engine = self._engine
        weights = self._own(dict(engine.network.named_parameters()), index)
        state = {
            f"{kind}.{name}": value
            for kind, kept in engine.moments().items()
            for name, value in self._own(kept, index).items()
        }
        return Snapshot(self.epoch, self.steps, weights, state)

    def _own(self, tensors: dict[str, Tensor], index: int) -> dict[str, Tensor]:
        own = dict(self.trainees[index].network.named_parameters())
        found = unstacked(tensors, index, own) if self._stacked else tensors
        return {name: value.detach() for name, value in found.items()}

    def _finish(self) -> None:
        learned = dict(self._engine.network.named_parameters())
        if self._engine.average:
            learned = dict(zip(learned, map(torch.nn.Parameter, self._engine.average), strict=True))
        for index, trainee in enumerate(self.trainees):
            trainee.network.to(self._engine.device)
            trainee.network.load_state_dict(self._own(dict(learned), index))
            trainee.network.eval()

    @property
    def _changes_within_epochs(self) -> bool:
        return self.options.schedule == "cosine" or self.options.warmup > 0

    def _rate(self, part: float) -> float:
        """Return the learning rate after a part of the current epoch."""
        options = self.options
        done = (self.epoch + part) / options.epochs
        full = options.learning_rate * (min(1.0, done / options.warmup) if options.warmup else 1.0)
        if options.schedule == "cosine":
            return full * (1 + math.cos(math.pi * done)) / 2
        return full * 0.5 ** (self.epoch // options.halve_every)


def _check_sharing(trainees: Sequence[Trainee], options: TrainingOptions, processes: int) -> None:
    if len(trainees) > 1:
        raise InputError(f"Several processes train one network, got {len(trainees)}. Train one after the other.")
    if options.batch < processes:
        raise InputError(
            f"[training] batch must be at least the number of processes, {processes}, got {options.batch}. "
            "Raise it, or start fewer processes."
        )


def _round_encoder(network: Network[Any], options: TrainingOptions) -> None:
    """Train the layers of a pretrained encoder with rounded weights if the options ask for it."""
    rounding = Rounding(options.rounding, options.rounding_step) if options.rounding else None
    for name, layer in network.named_modules():
        if name.startswith(ROUNDED) and isinstance(layer, (Linear, Embedding)):
            layer.rounding = rounding


@contextmanager
def matmul_precision(precision: str) -> Iterator[None]:
    """Set the precision of float32 matrix products inside the block and restore the previous one afterwards."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
