"""Evidence of validation problems and which were right -> the weights of a model's confidence, kept in its checkpoint.

A logistic regression by Newton's method, with a ridge. A weight that would make better evidence lower the confidence
is left out (`confidence.SIGNS`). A rising curve on top (isotonic regression) is kept only where it does better on
problems that it was not fitted on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sau_solver.answering.confidence import SIGNS, Calibration, bent
from sau_solver.errors import InputError
from sau_solver.models.checkpoint import read_checkpoint, write_checkpoint

RIDGE = 1.0  # on weights of features of unit deviation
NEWTON_STEPS = 50
PARTS = 5  # for the choice of the curve
KNOTS = 20  # of the curve, at most
WORTHWHILE = 0.005  # the part of the Brier score that the curve must take away
FEWEST = 50  # problems, right and wrong ones among them, that can be fitted on

Floats = NDArray[np.float64]


def fit(
    evidence: Sequence[Mapping[str, float]],
    right: Sequence[bool],
    threshold: float = 0.5,
    notes: Mapping[str, Any] | None = None,
) -> Calibration:
    """The calibration of problems that the model did not learn from.

    An answer of confidence c is right with probability c, so that `threshold` is the share of right answers among those
    that are only just given: at 0.5 the solver abstains where its answer is more likely wrong than right.
    """
    if len(right) < FEWEST or all(right) or not any(right):
        raise InputError(
            f"At least {FEWEST} problems, some right and some wrong, were expected for calibration; "
            f"{sum(right)} right of {len(right)} came. Calibrate on more validation problems."
        )
    table = np.array([[one.get(name, 0.0) for name in SIGNS] for one in evidence])  # (problems, features)
    outcome = np.array(right, dtype=np.float64)
    weights, bias = _logistic(table, outcome)
    named = {name: float(weight) for name, weight in zip(SIGNS, weights, strict=True) if weight}
    return Calibration(named, bias, threshold, _curve(table, outcome), dict(notes or {}))


def add_calibration(calibration: Calibration, folder: Path) -> None:
    """Write a calibration into the checkpoint of a trained model."""
    checkpoint = read_checkpoint(folder, with_state=True)
    data = {**checkpoint.data, "calibration": calibration.as_json()}
    write_checkpoint(replace(checkpoint, data=data), folder)


def _logistic(table: Floats, outcome: Floats) -> tuple[Floats, float]:
    """Weights of the features as they are, and the bias; features of the wrong sign leave one by one, worst first."""
    signs = np.array(list(SIGNS.values()))
    kept = [column for column in range(table.shape[1]) if table[:, column].std() > 0]
    while True:
        mean, deviation = table[:, kept].mean(axis=0), table[:, kept].std(axis=0)
        scaled = np.column_stack([(table[:, kept] - mean) / deviation, np.ones(len(table))])
        found = _newton(scaled, outcome)
        against = found[:-1] * signs[kept]
        if not kept or against.min() >= 0:
            break
        del kept[int(against.argmin())]
    weights = np.zeros(table.shape[1])
    weights[kept] = found[:-1] / deviation
    return weights, float(found[-1] - weights[kept] @ mean)


def _newton(scaled: Floats, outcome: Floats) -> Floats:
    ridge = RIDGE * np.eye(scaled.shape[1])
    ridge[-1, -1] = 1e-6  # the bias is free
    weights = np.zeros(scaled.shape[1])
    for _ in range(NEWTON_STEPS):
        expected = _sigmoid(scaled @ weights)
        slope = scaled.T @ (expected - outcome) + ridge @ weights
        curvature = (scaled * (expected * (1 - expected))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _curve(table: Floats, outcome: Floats) -> tuple[tuple[float, float], ...]:
    """The isotonic curve, where it lowers the Brier score on parts that neither it nor the weights were fitted on."""
    part = np.arange(len(outcome)) % PARTS
    straight = np.empty(len(outcome))
    for number in range(PARTS):
        weights, bias = _logistic(table[part != number], outcome[part != number])
        straight[part == number] = _sigmoid(table[part == number] @ weights + bias)
    curved = np.empty(len(outcome))
    for number in range(PARTS):
        knots = isotonic(straight[part != number], outcome[part != number])
        curved[part == number] = [bent(float(one), knots) for one in straight[part == number]]
    better = np.square(curved - outcome).mean() < (1 - WORTHWHILE) * np.square(straight - outcome).mean()
    return isotonic(straight, outcome) if better else ()


def isotonic(confidences: Floats, outcome: Floats) -> tuple[tuple[float, float], ...]:
    """Knots of a rising line from (0, 0) to (1, 1): means of neighbours, merged until the outcomes rise."""
    order = np.argsort(confidences, kind="stable")
    pools: list[tuple[float, float, int]] = []  # mean confidence, mean outcome, problems
    for members in np.array_split(order, min(KNOTS, len(order))):
        pools.append((float(confidences[members].mean()), float(outcome[members].mean()), len(members)))
        while len(pools) > 1 and (pools[-2][1] >= pools[-1][1] or pools[-2][0] >= pools[-1][0]):
            (x1, y1, n1), (x2, y2, n2) = pools.pop(-2), pools.pop()
            total = n1 + n2
            pools.append(((n1 * x1 + n2 * x2) / total, (n1 * y1 + n2 * y2) / total, total))
    inner = [(x, y) for x, y, _ in pools if 0 < x < 1]
    return ((0.0, 0.0), *inner, (1.0, 1.0))


def _sigmoid(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))
