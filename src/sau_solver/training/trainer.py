"""Networks and their problems -> trained networks: epochs, learning rate, snapshots to resume from, reports.

On a GPU the runs given to one `Trainer` train as one stacked network; on the CPU each has a trainer of its own. What
they end with depends on the options, the seeds, the data and which runs train together, and not on interruptions.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from sau_solver.models.devices import memory_limit
from sau_solver.models.network import Network, stack, unstacked
from sau_solver.models.targets import EncodedProblem
from sau_solver.training.buckets import Buckets
from sau_solver.training.steps import CpuSteps, CudaSteps
from sau_solver.training.training_options import TrainingOptions


@dataclass(frozen=True, slots=True)
class EpochReport:
    """How an epoch went; loss and accuracy are those of single symbols in training, with dropout."""

    run: str
    epoch: int  # epochs that are done
    epochs: int
    steps: int  # since the beginning of training
    loss: float
    accuracy: float
    alignment: float
    rate: float
    problems_per_second: float  # of all runs that train together
    seconds_left: float
    part: float = 0.0  # of the next epoch, where that is under way: on the CPU, where an epoch may take minutes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a run stands; enough to go on from there."""

    epoch: int
    steps: int
    weights: dict[str, Tensor]
    state: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Run:
    """One network to be trained; `save` is called with snapshots, the last of which is that of the end."""

    name: str
    network: Network[Any]
    problems: Sequence[EncodedProblem]
    seed: int
    save: Callable[[Snapshot], None] | None = None


Report = Callable[[EpochReport], None]
_TOLD_EVERY = 1.0  # seconds


class Trainer:
    """Trains one run, or on a GPU several as one."""

    def __init__(self, runs: Sequence[Run], options: TrainingOptions, device: torch.device) -> None:
        self.runs, self.options = runs, options
        self.epoch = self.steps = 0
        sizes = runs[0].network.options
        advice = f"Lower [training] batch (now {options.batch}), [{sizes.model}] hidden (now {sizes.hidden}) or --jobs."
        self._memory = ("the networks and a batch", advice)
        problems = [run.problems for run in runs]
        self._buckets = Buckets.build(problems, options.batch, recorded=device.type == "cuda")
        self._stacked = device.type == "cuda"
        with memory_limit(*self._memory):
            if device.type == "cuda":
                torch.set_float32_matmul_precision("high")
                network = stack([run.network for run in runs]).to(device).train()
                self._engine: CpuSteps | CudaSteps = CudaSteps(network, options, problems, self._buckets)
            else:
                (run,) = runs
                self._engine = CpuSteps(run.network.train(), options, run.problems)

    def resume(self, snapshots: Sequence[Snapshot]) -> None:
        """Go on from where an earlier training stood; one snapshot a run, all of one epoch."""
        self.epoch, self.steps = snapshots[0].epoch, snapshots[0].steps
        assert all(snapshot.epoch == self.epoch for snapshot in snapshots)
        kinds: dict[str, dict[str, Tensor]] = {"": dict(self._engine.network.named_parameters())}
        kinds |= {f"{kind}.": kept for kind, kept in self._engine.moments().items()}
        with torch.no_grad():
            for run, snapshot in enumerate(snapshots):
                known = snapshot.weights | snapshot.state
                for kind, kept in kinds.items():
                    for name, value in kept.items():
                        if (source := known.get(kind + name)) is not None:
                            place = value[run] if self._stacked else value
                            place[tuple(slice(0, size) for size in source.shape)] = source.to(value.device)
        self._engine.count_from(self.steps)

    def train(self, report: Report | None = None) -> None:
        """Train to the end; the runs' networks then hold what was learned, averaged where that is asked for."""
        saved = started = time.perf_counter()
        first = self.epoch
        with memory_limit(*self._memory):
            while self.epoch < self.options.epochs:
                steps = self._buckets.epoch([run.seed for run in self.runs], self.epoch)
                seeds = (self.runs[0].seed << 40 | step for step in itertools.count(self.steps))
                told = time.perf_counter()
                rate = self._rate(0)
                self._engine.set_rate(rate)
                for done, _ in enumerate(self._engine.epoch(steps, seeds), 1):
                    self.steps += 1
                    if self._changes_within_epochs:
                        rate = self._rate(done / len(steps))
                        self._engine.set_rate(rate)
                    now = time.perf_counter()
                    if report and isinstance(self._engine, CpuSteps) and now - told >= _TOLD_EVERY:
                        part = done / len(steps)
                        speed = (self.epoch + part - first) / (now - started)
                        self._tell(report, self._engine.totals.T.tolist(), rate, speed, part)
                        told = now
                self.epoch += 1
                totals = self._engine.read_totals()
                now = time.perf_counter()
                if report:
                    self._tell(report, totals, rate, (self.epoch - first) / (now - started))
                if self.epoch == self.options.epochs or now - saved >= self.options.checkpoint_seconds:
                    self._save()
                    saved = time.perf_counter()
        self._finish()

    def _tell(self, report: Report, totals: list[list[float]], rate: float, speed: float, part: float = 0.0) -> None:
        """Report where every run stands; `speed` in epochs a second."""
        problems = sum(len(run.problems) for run in self.runs)
        left = (self.options.epochs - self.epoch - part) / speed
        for run, (symbols, right, counted, alignment) in zip(self.runs, totals, strict=True):
            shares = (symbols / counted, right / counted, alignment / counted)
            at = (run.name, self.epoch, self.options.epochs, self.steps)
            report(EpochReport(*at, *shares, rate, speed * problems, left, part))

    def _save(self) -> None:
        for place, run in enumerate(self.runs):
            if run.save:
                run.save(self._snapshot(place))

    def _snapshot(self, place: int) -> Snapshot:
        engine = self._engine
        weights = self._own(dict(engine.network.named_parameters()), place)
        state = {
            f"{kind}.{name}": value
            for kind, kept in engine.moments().items()
            for name, value in self._own(kept, place).items()
        }
        return Snapshot(self.epoch, self.steps, weights, state)

    def _own(self, tensors: dict[str, Tensor], place: int) -> dict[str, Tensor]:
        own = dict(self.runs[place].network.named_parameters())
        found = unstacked(tensors, place, own) if self._stacked else tensors
        return {name: value.detach() for name, value in found.items()}

    def _finish(self) -> None:
        """Bring what was learned to the runs' own networks."""
        learned = dict(self._engine.network.named_parameters())
        if self._engine.average:
            learned = dict(zip(learned, map(torch.nn.Parameter, self._engine.average), strict=True))
        for place, run in enumerate(self.runs):
            run.network.to(self._engine.device)
            run.network.load_state_dict(self._own(dict(learned), place))
            run.network.eval()

    @property
    def _changes_within_epochs(self) -> bool:
        return self.options.schedule == "cosine" or self.options.warmup > 0

    def _rate(self, part: float) -> float:
        """The learning rate when a part of the present epoch is done."""
        options = self.options
        done = (self.epoch + part) / options.epochs
        full = options.learning_rate * (min(1.0, done / options.warmup) if options.warmup else 1.0)
        if options.schedule == "cosine":
            return full * (1 + math.cos(math.pi * done)) / 2
        return full * 0.5 ** (self.epoch // options.halve_every)
