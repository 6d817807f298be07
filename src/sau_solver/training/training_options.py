"""The [training] section of a configuration. This module does not import torch, so configurations load without it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from sau_solver.errors import InputError
from sau_solver.models.options import DeviceName

# halving: the paper's schedule, half the rate every `halve_every` epochs; cosine: down to 0 over all epochs.
Schedule = Literal["halving", "cosine"]
Precision = Literal["float32", "bfloat16"]

# Options that do not change the trained weights.
WITHOUT_EFFECT = frozenset({"device", "checkpoint_seconds"})


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How a network is trained; the defaults are the paper's settings."""

    epochs: int = 80
    batch: int = 32
    learning_rate: float = 1e-3
    encoder_rate: float = 0.0  # learning rate of a pretrained encoder; 0: the same as learning_rate
    weight_decay: float = 1e-5
    decay_alignment: bool = True  # False: the head of the alignment has no weight decay
    schedule: Schedule = "halving"
    halve_every: int = 20
    warmup: float = 0.0  # share of all steps during which the rate grows from 0
    averaging: float = 0.0  # decay of the moving average of the weights that the trained network uses; 0: no average
    label_smoothing: float = 0.0
    clip: float = 0.0  # largest norm of a network's gradient; 0: no limit. Large encoders need one
    masked_epochs: int = 0  # epochs in which a pretrained encoder first learns to guess masked words of the texts
    masked_rate: float = 3e-4
    rounding: int = 0  # train a pretrained encoder with weights rounded to integers up to this, as shipped ones are
    rounding_step: float = 0.0  # their scale in root mean squares of a row; 0: it follows from the largest weight
    start: str = ""  # model/ folder of a trained network whose weights the new one begins with; "": new weights
    teachers: tuple[str, ...] = ()  # model/ folders of trained networks to distill from; their data must be the same
    teacher_share: float = 0.5  # of the loss
    # Networks that train as one and have the same seed get the same dropout masks, so that objectives can be compared.
    shared_dropout: bool = False
    precision: Precision = "float32"
    device: DeviceName = "auto"
    checkpoint_seconds: float = 120.0  # minimum time between two checkpoints; 0: one after every epoch

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "halve_every"):
            if getattr(self, name) < 1:
                raise InputError(f"[training] {name} must be at least 1, got {getattr(self, name)}.")
        if not self.learning_rate > 0:
            raise InputError(f"[training] learning_rate must be greater than 0, got {self.learning_rate}.")
        for name in ("encoder_rate", "weight_decay", "clip", "checkpoint_seconds"):
            if getattr(self, name) < 0:
                raise InputError(f"[training] {name} must be at least 0, got {getattr(self, name)}.")
        if self.masked_epochs < 0 or not self.masked_rate > 0:
            raise InputError(
                "[training] masked_epochs must be at least 0 and masked_rate greater than 0, "
                f"got {self.masked_epochs} and {self.masked_rate}."
            )
        if not 0 <= self.rounding <= 127:
            raise InputError(f"[training] rounding must be from 0 to 127, got {self.rounding}.")
        if not 0 <= self.rounding_step < 100:
            raise InputError(f"[training] rounding_step must be at least 0 and below 100, got {self.rounding_step}.")
        if not 0 < self.teacher_share <= 1:
            raise InputError(f"[training] teacher_share must be above 0 and at most 1, got {self.teacher_share}.")
        for name in ("averaging", "label_smoothing", "warmup"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"[training] {name} must be at least 0 and less than 1, got {getattr(self, name)}.")

    def described(self) -> dict[str, Any]:
        """Return the options as JSON has them."""
        return asdict(self) | {"teachers": list(self.teachers)}
