"""Two systems' verdicts on the same problems -> could they differ as they do by chance?

McNemar: of the problems that exactly one system has right, each system has half under chance: a binomial distribution,
summed exactly. The mid-p value counts what was observed by half, since the exact test is too careful.

Sign flips: each pair of runs, one of either system, could as well have come out the other way round under chance; all
2^n ways are counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sau_solver.errors import InputError


@dataclass(frozen=True, slots=True)
class McNemar:
    """How two systems differ on `problems` problems; both p values are two-sided."""

    problems: int
    only_first: int  # problems that the first system alone has right
    only_second: int
    exact: float
    mid: float


def mcnemar(first: Mapping[str, bool], second: Mapping[str, bool]) -> McNemar:
    """Compare verdicts by problem; InputError where the problems are not the same."""
    if first.keys() != second.keys():
        shared = len(first.keys() & second.keys())
        raise InputError(
            f"Verdicts on the same problems were expected; {len(first):,} and {len(second):,} came, "
            f"{shared:,} of them shared. Run both systems on the same folds."
        )
    only_first = sum(first[problem] and not second[problem] for problem in first)
    only_second = sum(second[problem] and not first[problem] for problem in first)
    return McNemar(len(first), only_first, only_second, *p_values(only_first, only_second))


def p_values(only_first: int, only_second: int) -> tuple[float, float]:
    """The exact and the mid-p value of so many discordant problems on each side."""
    if only_first == only_second == 0:
        return 1.0, 1.0
    discordant, fewer = only_first + only_second, min(only_first, only_second)
    chances = 2**discordant
    tail, observed = _tail(discordant, fewer), math.comb(discordant, fewer)
    if only_first == only_second:  # nothing is less extreme
        return 1.0, (2 * chances - observed) / (2 * chances)
    return 2 * tail / chances, (2 * tail - observed) / chances


def sign_flips(differences: Sequence[int]) -> float:
    """The share of all ways to flip signs whose sum is as far from 0 as the differences', or farther."""
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
    """How many of 2^trials outcomes have at most `most` successes."""
    term, total = 1, 1
    for k in range(1, most + 1):
        term = term * (trials - k + 1) // k
        total += term
    return total


def holm(values: Sequence[float]) -> list[float]:
    """P values of several tests, corrected by Holm's method for being several, in the order they came."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
