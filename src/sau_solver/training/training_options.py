"""How a network is trained, as configurations write it; no torch here, so that a configuration reads without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sau_solver.errors import InputError
from sau_solver.models.options import DeviceName

# halving: the paper's, half the rate every `halve_every` epochs; cosine: down to 0 over all epochs.
Schedule = Literal["halving", "cosine"]
Precision = Literal["float32", "bfloat16"]

# Options that do not change what is learned.
WITHOUT_EFFECT = frozenset({"device", "checkpoint_seconds"})


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """The paper's settings, and what this package adds to them."""

    epochs: int = 80
    batch: int = 32
    learning_rate: float = 1e-3
    encoder_rate: float = 0.0  # the learning rate of a pretrained encoder; 0: the same
    weight_decay: float = 1e-5
    schedule: Schedule = "halving"
    halve_every: int = 20
    warmup: float = 0.0  # the share of all steps in which the rate grows from 0
    averaging: float = 0.0  # decay of the moving average of weights that is used in the end; 0: no average
    label_smoothing: float = 0.0
    precision: Precision = "float32"
    device: DeviceName = "auto"
    checkpoint_seconds: float = 120.0  # at least so long between two checkpoints; 0: after every epoch

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "halve_every"):
            if getattr(self, name) < 1:
                raise InputError(f"[training] {name} must be at least 1; {getattr(self, name)} came.")
        if not self.learning_rate > 0:
            raise InputError(f"[training] learning_rate must be more than 0; {self.learning_rate} came.")
        for name in ("encoder_rate", "weight_decay", "checkpoint_seconds"):
            if getattr(self, name) < 0:
                raise InputError(f"[training] {name} must be 0 or more; {getattr(self, name)} came.")
        for name in ("averaging", "label_smoothing", "warmup"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"[training] {name} is 0 or more and less than 1; {getattr(self, name)} came.")
