"""The results of two systems on the same problems -> the probability of such a difference by chance.

McNemar's test: among the problems that exactly one system has right, each system has half by chance. The binomial
distribution is summed exactly. The mid-p value counts the observed outcome by half, because the exact test is
conservative.

Sign-flip test: by chance, the two runs of a pair could be exchanged. All 2^n ways to do so are counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sau_solver.errors import InputError


@dataclass(frozen=True, slots=True)
class McNemar:
    """The differences between two systems; both p values are two-sided."""

    problems: int
    only_first: int  # problems that only the first system has right
    only_second: int
    exact: float
    mid: float


def mcnemar(first: Mapping[str, bool], second: Mapping[str, bool]) -> McNemar:
    """Compare two systems problem by problem; raise InputError if the problems differ."""
    if first.keys() != second.keys():
        shared = len(first.keys() & second.keys())
        raise InputError(
            f"McNemar's test needs the same problems, got {len(first):,} and {len(second):,} with {shared:,} in "
            "common. Run both systems on the same folds."
        )
    only_first = sum(first[problem] and not second[problem] for problem in first)
    only_second = sum(second[problem] and not first[problem] for problem in first)
    return McNemar(len(first), only_first, only_second, *p_values(only_first, only_second))


def p_values(only_first: int, only_second: int) -> tuple[float, float]:
    """Return the exact and the mid-p value, given the problems that only one of the systems has right."""
    if only_first == only_second == 0:
        return 1.0, 1.0
    discordant, fewer = only_first + only_second, min(only_first, only_second)
    chances = 2**discordant
    tail, observed = _tail(discordant, fewer), math.comb(discordant, fewer)
    if only_first == only_second:  # nothing is less extreme
        return 1.0, (2 * chances - observed) / (2 * chances)
    return 2 * tail / chances, (2 * tail - observed) / chances


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


def _tail(trials: int, most: int) -> int:
    """Return how many of 2^trials outcomes have at most `most` successes."""
    term, total = 1, 1
    for k in range(1, most + 1):
        term = term * (trials - k + 1) // k
        total += term
    return total


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple tests by Holm's method, in the given order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
