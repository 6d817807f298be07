"""Features of validation problems, and which answers were right -> the weights of a model's confidence.

This is logistic regression by Newton's method with a ridge. A feature whose weight has the wrong sign, so that better
evidence would lower the confidence, is left out (`CONFIDENCE_FEATURES`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sau_solver.answering.confidence import Calibration
from sau_solver.answering.features import CONFIDENCE_FEATURES
from sau_solver.errors import InputError

RIDGE = 1.0  # on weights of features of unit deviation
NEWTON_STEPS = 50
FEWEST = 50  # problems for a fit

Floats = NDArray[np.float64]


def fit(
    features: Sequence[Mapping[str, float]],
    right: Sequence[bool],
    threshold: float = 0.5,
    notes: Mapping[str, Any] | None = None,
    weights: Sequence[float] | None = None,
) -> Calibration:
    """Fit the confidence on problems that the model did not learn from. `weights` says how much each problem counts.

    An answer of confidence c is right with probability c. With a threshold of 0.5 the solver abstains if its answer is
    more likely wrong than right.
    """
    if len(right) < FEWEST or all(right) or not any(right):
        raise InputError(
            f"Calibration needs at least {FEWEST} problems, some right and some wrong, got {sum(right)} right of "
            f"{len(right)}. Use more validation problems."
        )
    table = np.array([[one.get(name, 0.0) for name in CONFIDENCE_FEATURES] for one in features])  # (problems, features)
    outcome = np.array(right, dtype=np.float64)
    counts = np.ones(len(right)) if weights is None else np.array(weights, dtype=np.float64)
    found, bias = _logistic(table, outcome, counts)
    named = {name: float(weight) for name, weight in zip(CONFIDENCE_FEATURES, found, strict=True) if weight}
    return Calibration(named, bias, threshold, dict(notes or {}))


def _logistic(table: Floats, outcome: Floats, counts: Floats) -> tuple[Floats, float]:
    """Return the weights of unscaled features and the bias; drop features of the wrong sign one by one, worst first."""
    signs = np.array(list(CONFIDENCE_FEATURES.values()))
    kept = [column for column in range(table.shape[1]) if table[:, column].std() > 0]
    while True:
        mean, deviation = table[:, kept].mean(axis=0), table[:, kept].std(axis=0)
        scaled = np.column_stack([(table[:, kept] - mean) / deviation, np.ones(len(table))])
        found = _newton(scaled, outcome, counts)
        against = found[:-1] * signs[kept]
        if not kept or against.min() >= 0:
            break
        del kept[int(against.argmin())]
    weights = np.zeros(table.shape[1])
    weights[kept] = found[:-1] / deviation
    return weights, float(found[-1] - weights[kept] @ mean)


def _newton(scaled: Floats, outcome: Floats, counts: Floats) -> Floats:
    ridge = RIDGE * np.eye(scaled.shape[1])
    ridge[-1, -1] = 1e-6  # the bias is hardly regularized
    weights = np.zeros(scaled.shape[1])
    for _ in range(NEWTON_STEPS):
        expected = np.asarray(1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30))))
        slope = scaled.T @ (counts * (expected - outcome)) + ridge @ weights
        curvature = (scaled * (counts * expected * (1 - expected))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights
