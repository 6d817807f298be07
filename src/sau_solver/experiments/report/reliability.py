"""Confidences and which answers were right -> how reliable the confidences are.

Expected calibration error: problems are put into bins of similar confidence, and the distance between the mean
confidence and the share of right answers is averaged over all problems. Risk and coverage: the share of wrong answers
if only the most confident problems are answered.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MASS_BINS = 15  # of equally many problems
WIDTH_BINS = 10  # of equal width


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability of a set of confidences; shares are between 0 and 1."""

    problems: int
    accuracy: float
    error_by_mass: float  # expected calibration error over MASS_BINS bins of equally many problems
    error_by_width: float  # the same over WIDTH_BINS bins of equal width
    floor: float  # the mean `error_by_width` of perfectly calibrated confidences
    brier: float
    half: float  # accuracy on the most confident half


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve: if this share of the problems is answered, this share of the answers is wrong."""

    coverage: float
    risk: float
    confidence: float  # of the least confident answered problem


def reliability(confidences: Sequence[float], right: Sequence[bool]) -> Reliability:
    """Return all figures of a set of confidences."""
    return Reliability(
        problems=len(right),
        accuracy=_mean([float(one) for one in right]),
        error_by_mass=calibration_error_by_mass(confidences, right),
        error_by_width=calibration_error_by_width(confidences, right),
        floor=calibration_error_floor(confidences),
        brier=brier(confidences, right),
        half=accuracy_at(confidences, right, 0.5),
    )


def calibration_error_by_mass(confidences: Sequence[float], right: Sequence[bool], bins: int = MASS_BINS) -> float:
    """Return the expected calibration error over bins with equal numbers of problems, up to one."""
    pairs = sorted(zip(confidences, right, strict=True), key=lambda pair: pair[0])
    edges = [number * len(pairs) // bins for number in range(bins + 1)]
    return _error([pairs[start:end] for start, end in pairwise(edges)])


def calibration_error_by_width(confidences: Sequence[float], right: Sequence[bool], bins: int = WIDTH_BINS) -> float:
    """Return the expected calibration error over bins of equal width."""
    parts: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, one in zip(confidences, right, strict=True):
        parts[min(bins - 1, int(confidence * bins))].append((confidence, one))
    return _error(parts)


def calibration_error_floor(confidences: Sequence[float], draws: int = 20, seed: int = 0) -> float:
    """Return the mean error by width that remains if each problem is right with the probability of its confidence."""
    generator = random.Random(seed)  # noqa: S311  # a simulation
    drawn = [[generator.random() < confidence for confidence in confidences] for _ in range(draws)]
    return _mean([calibration_error_by_width(confidences, right) for right in drawn])


def brier(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean squared difference between confidence and outcome."""
    return _mean([(confidence - one) ** 2 for confidence, one in zip(confidences, right, strict=True)])


def risk_coverage(confidences: Sequence[float], right: Sequence[bool]) -> list[Point]:
    """Return the curve from the most confident problem to all; problems of equal confidence form one point."""
    pairs = sorted(zip(confidences, right, strict=True), key=lambda pair: -pair[0])
    points: list[Point] = []
    wrong = 0
    for done, (confidence, one) in enumerate(pairs, start=1):
        wrong += not one
        if done == len(pairs) or pairs[done][0] != confidence:
            points.append(Point(done / len(pairs), wrong / done, confidence))
    return points


def accuracy_at(confidences: Sequence[float], right: Sequence[bool], coverage: float) -> float:
    """Return the share of right answers at the smallest coverage that is at least the given one."""
    reached = (point for point in risk_coverage(confidences, right) if point.coverage >= coverage)
    point = next(reached, None)
    return 0.0 if point is None else 1.0 - point.risk


def _error(bins: Sequence[Sequence[tuple[float, bool]]]) -> float:
    total = sum(map(len, bins))
    gaps = (abs(sum(confidence - one for confidence, one in members)) for members in bins)
    return sum(gaps) / total if total else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
