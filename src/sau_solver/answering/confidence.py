"""A ranked problem -> the probability that its answer is right.

What the beam and the solver say becomes a handful of features (`evidence`), and a logistic model weighs them. Its
weights are fitted on validation problems (`training.calibration`) and travel in the checkpoint as JSON.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sau_solver.answering.candidates import Ranked, log_sum
from sau_solver.errors import CheckpointError

# What each feature does to the confidence: 1 raises, -1 lowers, 0 either. Fitting keeps to it, so that better evidence
# never means less confidence.
SIGNS: Mapping[str, int] = {
    "log_odds": 1,  # of the group's probability, as the network gives it
    "share_log_odds": 1,  # of the group's share by the preference that ordered the groups
    "log_total": 1,  # of the probability of all candidates together
    "agreeing": 1,  # share of the candidates that give this answer
    "doubtful": -1,  # something speaks against the answer
    "several_roots": -1,  # more than one solution was kept
    "unused_numbers": -1,  # numbers of the text, at most 3, that the tree does not use
    "unknown_words": -1,  # share of words that the model has never seen, where it tells
    "log_size": 0,  # of the tree
    "log_words": 0,  # of the text
    "unknowns": 0,  # in the equations
    "not_whole": 0,  # the answer has a fraction
    "from_text": 0,  # the answer is a number of the text
}
MOST_UNUSED = 3
_FAR = 12.0  # logarithms past this say nothing more


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of a model's confidence. `threshold` is the confidence below which the solver abstains."""

    weights: Mapping[str, float]
    bias: float
    threshold: float = 0.5
    curve: tuple[tuple[float, float], ...] = ()  # knots of a rising line from that confidence to a better one
    notes: Mapping[str, Any] = field(default_factory=dict)  # what it was fitted on and how well it does

    def confidence(self, evidence: Mapping[str, float]) -> float:
        """The probability that the answer is right, strictly between 0 and 1."""
        log_odds = self.bias + sum(weight * evidence.get(name, 0.0) for name, weight in self.weights.items())
        return bent(sigmoid(log_odds), self.curve)

    def as_json(self) -> dict[str, Any]:
        """What a checkpoint holds under `calibration`."""
        return {
            "features": dict(self.weights),
            "bias": self.bias,
            "threshold": self.threshold,
            "curve": [list(knot) for knot in self.curve],
            "notes": dict(self.notes),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Calibration:
        """What `as_json` gave; CheckpointError where it is something else."""
        try:
            weights = {str(name): float(weight) for name, weight in fields["features"].items()}
            curve = tuple((float(x), float(y)) for x, y in fields.get("curve", ()))
            made = cls(weights, float(fields["bias"]), float(fields["threshold"]), curve, fields.get("notes", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(
                "A calibration with features, bias and threshold was expected, and this one cannot be read "
                f"({error!r}); calibrate the model again."
            ) from None
        if unknown := sorted(set(weights) - set(SIGNS)):
            raise CheckpointError(
                f"The calibration weighs {', '.join(unknown)}, which this version of sau-solver does not know; "
                "use the version that wrote it, or calibrate the model again."
            )
        return made


UNCALIBRATED = Calibration({"log_odds": 1.0}, 0.0)  # the network's own probability, where a model brings no calibration


def evidence(ranked: Ranked, unknown_words: float = 0.0) -> dict[str, float]:
    """The features of a problem that has an answer."""
    best = ranked.best
    if best is None or best.chosen is None:
        raise ValueError("evidence is of a problem with an answer; this one has none.")
    group, tree = ranked.groups[0], best.tree.tree
    every = log_sum([one.score for one in ranked.groups])
    values = {number.value for number in ranked.text.numbers}
    used = {ranked.text.numbers[index].value for index in tree.slots()}
    return {
        "log_odds": _log_odds(group.log_probability),
        "share_log_odds": _log_odds(group.score - every),
        "log_total": _near(log_sum([one.tree.log_probability for one in ranked.candidates])),
        "agreeing": len(group.members) / len(ranked.candidates),
        "doubtful": float(not group.plausible),
        "several_roots": float(len(best.chosen.kept) > 1),
        "unused_numbers": float(min(MOST_UNUSED, len(values - used))),
        "unknown_words": unknown_words,
        "log_size": math.log(len(tree)),
        "log_words": math.log(max(1, len(ranked.text.words))),
        "unknowns": float(max(map(len, best.chosen.kept), default=0)),
        "not_whole": float(not all(isinstance(v, Fraction) and v.denominator == 1 for v in group.answers)),
        "from_text": float(any(value in values for value in group.answers)),
    }


def sigmoid(log_odds: float) -> float:
    """1 / (1 + exp(-x)) without overflow, and never quite 0 or 1."""
    bounded = max(-30.0, min(30.0, log_odds))
    return 1.0 / (1.0 + math.exp(-bounded))


def bent(value: float, curve: tuple[tuple[float, float], ...]) -> float:
    """The value on the line through the knots, level beyond the first and the last; the value itself without knots."""
    if not curve:
        return value
    place = bisect_right(curve, (value, math.inf))
    if place in (0, len(curve)):
        return curve[min(place, len(curve) - 1)][1]
    (left, low), (right, high) = curve[place - 1], curve[place]
    return low + (high - low) * (value - left) / (right - left)


def _log_odds(log_probability: float) -> float:
    rest = -math.expm1(min(log_probability, -1e-12))
    return _near(log_probability - math.log(rest))


def _near(logarithm: float) -> float:
    return max(-_FAR, min(_FAR, logarithm))
