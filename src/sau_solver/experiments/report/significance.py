"""The results of two systems on the same folds -> the probability of such a difference by chance.

Corrected test of repeated cross-validation (Nadeau and Bengio 2003, Bouckaert and Frank 2004): a t test of the
differences between runs on the same fold. The runs differ in their seeds and training problems, so that the test covers
both. Training folds overlap, so the variance of the mean is taken as (1/n + tested/trained) instead of 1/n times the
variance of the n differences.

Sign-flip test: by chance, the two runs of a pair could be exchanged. All 2^n ways to do so are counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from sau_solver.errors import InputError


@dataclass(frozen=True, slots=True)
class CorrectedTest:
    """The mean difference of paired runs, its corrected standard error, and the two-sided p value."""

    pairs: int
    difference: float
    error: float
    p: float


def corrected_test(differences: Sequence[float], share: float) -> CorrectedTest:
    """Test paired differences; `share` is the number of tested problems of a run divided by that of trained ones."""
    if len(differences) < 2:
        raise InputError(f"The test needs at least two pairs of runs, got {len(differences)}. Run more folds.")
    if share <= 0:
        raise InputError(f"The share of tested problems must be above 0, got {share}.")
    count, mean, spread = len(differences), fmean(differences), variance(differences)
    error = math.sqrt((1 / count + share) * spread)
    if error == 0:
        return CorrectedTest(count, mean, 0.0, 0.0 if mean else 1.0)
    return CorrectedTest(count, mean, error, student_p(mean / error, count - 1))


def student_p(t: float, freedom: int) -> float:
    """Return the two-sided p value of Student's t, by the finite sums for whole degrees of freedom."""
    if freedom < 1:
        raise InputError(f"The degrees of freedom must be at least 1, got {freedom}.")
    angle = math.atan2(abs(t), math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    term, total = (cosine if freedom % 2 else 1.0), 0.0
    for k in range(3 if freedom % 2 else 2, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (k - 1) / k
    inside = 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total
    return max(0.0, 1.0 - inside)


def sign_flips(differences: Sequence[int]) -> float:
    """Return the share of all sign flips whose sum is at least as far from 0 as that of the differences."""
    ways = {0: 1}
    for each in differences:
        further: dict[int, int] = {}
        for total, count in ways.items():
            for flipped in (total + each, total - each):
                further[flipped] = further.get(flipped, 0) + count
        ways = further
    seen = abs(sum(differences))
    extreme = sum(count for total, count in ways.items() if abs(total) >= seen)
    return extreme / (1 << len(differences))


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple tests by Holm's method, in the given order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
