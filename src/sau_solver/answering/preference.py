"""Features of an answer -> a score that decides between the answers of one problem.

The network's probability is only one feature: it does not show that the equations leave a number of the text unused,
undo their own operations, or end in 44/3 questions. The weights of a shipped model are fitted on validation problems
(`shipping.fit_preference`) and stored in its checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sau_solver.answering.features import PREFERENCE_FEATURES
from sau_solver.answering.plausibility import DOUBTS
from sau_solver.errors import CheckpointError


@dataclass(frozen=True, slots=True)
class Preference:
    """The weight of each feature."""

    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """Return the score of an answer; the difference of two scores is the logarithm of their odds."""
        return sum(weight * features[name] for name, weight in self.weights.items())

    def as_json(self) -> dict[str, float]:
        """Return what a checkpoint stores under `preference`."""
        return dict(self.weights)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Preference:
        """Read what `as_json` returned; raise CheckpointError if it is not valid."""
        try:
            made = cls({str(name): float(weight) for name, weight in fields.items()})
        except (TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(
                f"The preference in the checkpoint must map feature names to numbers ({error!r}). Ship the model again."
            ) from None
        if unknown := sorted(set(made.weights) - set(PREFERENCE_FEATURES)):
            raise CheckpointError(
                f"The preference in the checkpoint uses unknown features: {', '.join(unknown)}. "
                "Use the version of sau-solver that wrote it, or ship the model again."
            )
        return made


# For models without a fitted preference: by probability, implausible answers last.
PLAUSIBLE_FIRST = Preference({"log_probability": 1.0, **dict.fromkeys(DOUBTS, -1e6)})
