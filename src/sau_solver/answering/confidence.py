"""Features of the best answer -> the probability that it is right.

A logistic model weighs the features. Its weights are fitted on validation problems (`shipping.fit_confidence`) and
stored in the checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sau_solver.answering.features import CONFIDENCE_FEATURES
from sau_solver.errors import CheckpointError


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of a model's confidence; below `threshold` the solver abstains."""

    weights: Mapping[str, float]
    bias: float
    threshold: float = 0.5
    notes: Mapping[str, Any] = field(default_factory=dict)  # what it was fitted on, and how well it fits

    def confidence(self, features: Mapping[str, float]) -> float:
        """Return the probability that the answer is right, strictly between 0 and 1."""
        return sigmoid(self.bias + sum(weight * features.get(name, 0.0) for name, weight in self.weights.items()))

    def as_json(self) -> dict[str, Any]:
        """Return what a checkpoint stores under `calibration`."""
        return {
            "features": dict(self.weights),
            "bias": self.bias,
            "threshold": self.threshold,
            "notes": dict(self.notes),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Calibration:
        """Read what `as_json` returned; raise CheckpointError if it is not valid."""
        try:
            weights = {str(name): float(weight) for name, weight in fields["features"].items()}
            made = cls(weights, float(fields["bias"]), float(fields["threshold"]), fields.get("notes", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(
                f"The calibration in the checkpoint must have features, bias and threshold ({error!r}). "
                "Calibrate the model again."
            ) from None
        if unknown := sorted(set(weights) - set(CONFIDENCE_FEATURES)):
            raise CheckpointError(
                f"The calibration in the checkpoint uses unknown features: {', '.join(unknown)}. "
                "Use the version of sau-solver that wrote it, or calibrate the model again."
            )
        return made


# The network's own probability, halved or less where it is not clear which unknown is asked for.
UNCALIBRATED = Calibration({"log_odds": 1.0, "unclear": -1.5}, 0.0)


def sigmoid(log_odds: float) -> float:
    """Return 1 / (1 + exp(-x)) without overflow, never exactly 0 or 1."""
    bounded = max(-30.0, min(30.0, log_odds))
    return 1.0 / (1.0 + math.exp(-bounded))
