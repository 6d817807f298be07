"""Group problems into batches of similar shape: texts of similar length, trees of similar depth.

On a GPU each bucket has one recorded step, padded to the largest problem of the bucket; on a CPU similar lengths reduce
padding. Stacked networks share the buckets, and each has its own problems. The batches and their order depend only on
the seeds, the epoch and the networks that are stacked. A problem with the weight 2.5 is in an epoch twice, and in half
of the epochs once more.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sau_solver.models.targets import EncodedProblem

# Quantiles at which the problems are cut, first by depth and size of their trees, then by length of their texts. The
# largest few percent have buckets of their own, because all others would be padded to their size.
_TREE_CUTS = (0.25, 0.5, 0.75, 0.9, 0.97, 0.997)
_LENGTH_CUTS = (0.2, 0.4, 0.6, 0.8, 0.93, 0.985)
_LEAST = 3  # batches per bucket that make a recording worthwhile
# On a CPU trees are not padded and buckets are free, so there are many, by length only.
_FINE_CUTS = tuple(place / 24 for place in range(1, 24))


@dataclass(frozen=True, slots=True)
class Step:
    """A batch: its bucket, and for each network the indices of its problems."""

    bucket: int
    problems: tuple[tuple[int, ...], ...]

    def part(self, number: int, parts: int) -> Step:
        """Return one of the parts into which processes divide the batch."""
        return Step(self.bucket, tuple(own[number::parts] for own in self.problems))


@dataclass(frozen=True, slots=True)
class Buckets:
    """The indices of the problems by bucket and network, their weights by network, and the largest size of a batch.

    `most` is the largest number of problems that an epoch takes from a bucket for one network.
    """

    members: tuple[tuple[tuple[int, ...], ...], ...]
    weights: tuple[tuple[float, ...], ...]
    most: tuple[int, ...]
    batch: int

    @classmethod
    def build(
        cls,
        problems: Sequence[Sequence[EncodedProblem]],
        batch: int,
        recorded: bool = True,
        weights: Sequence[Sequence[float]] | None = None,
    ) -> Buckets:
        """Divide the problems of each network into buckets, for recorded or ordinary steps; all weigh 1 by default."""
        weighed = tuple(map(tuple, weights or ([1.0] * len(own) for own in problems)))
        places = [(network, index) for network, own in enumerate(problems) for index in range(len(own))]
        least = (_LEAST if recorded else 1) * batch * len(problems)
        tree_cuts, length_cuts = (_TREE_CUTS, _LENGTH_CUTS) if recorded else ((), _FINE_CUTS)

        def shape(place: tuple[int, int]) -> tuple[int, int]:
            return problems[place[0]][place[1]].size

        def length(place: tuple[int, int]) -> int:
            return len(problems[place[0]][place[1]].words)

        def weight(place: tuple[int, int]) -> float:
            return weighed[place[0]][place[1]]

        members = []
        for similar in _cut(places, list(map(shape, places)), list(map(weight, places)), tree_cuts, least):
            for bucket in _cut(similar, list(map(length, similar)), list(map(weight, similar)), length_cuts, least):
                members.append(
                    tuple(
                        tuple(index for owner, index in bucket if owner == network) for network in range(len(problems))
                    )
                )
        most = tuple(
            max(_most(own, own_weights) for own, own_weights in zip(bucket, weighed, strict=True)) for bucket in members
        )
        return cls(tuple(members), weighed, most, batch)

    def steps(self, bucket: int) -> int:
        """Return the number of batches of a bucket: as many as the network with the most problems needs."""
        return math.ceil(self.most[bucket] / self.batch)

    def size(self, bucket: int) -> int:
        """Return the size of the largest batch of a bucket."""
        return math.ceil(self.most[bucket] / self.steps(bucket))

    def epoch(self, seeds: Sequence[int], epoch: int) -> list[Step]:
        """Return the batches of an epoch in order; buckets are divided evenly, so that no batch is tiny.

        A step is left out if no network has a problem for it, which happens where weights are small.
        """
        steps = []
        for bucket, members in enumerate(self.members):
            orders = []
            for seed, own, weights in zip(seeds, members, self.weights, strict=True):
                order = _drawn(own, weights, f"{seed} {epoch} {bucket}")
                random.Random(f"{seed} {epoch} {bucket}").shuffle(order)  # noqa: S311
                orders.append(order)
            count = self.steps(bucket)
            steps += [
                Step(bucket, tuple(tuple(order[part::count]) for order in orders))
                for part in range(count)
                if any(len(order) > part for order in orders)
            ]
        random.Random(f"{seeds} {epoch}").shuffle(steps)  # noqa: S311
        return steps


def _by_weight(problems: Sequence[int], weights: Sequence[float]) -> dict[float, list[int]]:
    found: dict[float, list[int]] = defaultdict(list)
    for problem in problems:
        found[weights[problem]].append(problem)
    return found


def _share(weight: float, problems: int) -> float:
    """Return how many of some problems an epoch has once more than the others; the mean over epochs."""
    return round(weight % 1 * problems, 6)  # without 0.1 * 30 = 3.0000000000000004


def _most(problems: Sequence[int], weights: Sequence[float]) -> int:
    """Return the largest number of problems in an epoch."""
    groups = _by_weight(problems, weights)
    return sum(int(weight) * len(own) + math.ceil(_share(weight, len(own))) for weight, own in groups.items())


def _drawn(problems: Sequence[int], weights: Sequence[float], seed: str) -> list[int]:
    """Return the problems of an epoch: each as often as its weight says, and a random part of each weight once more."""
    drawn: list[int] = []
    for weight, own in _by_weight(problems, weights).items():
        drawn += own * int(weight)
        if more := _share(weight, len(own)):
            rng = random.Random(f"{seed} {weight}")  # noqa: S311
            drawn += rng.sample(own, int(more + rng.random()))
    return drawn


def _cut(
    places: Sequence[tuple[int, int]],
    sizes: Sequence[Any],
    weights: Sequence[float],
    quantiles: Sequence[float],
    least: int,
) -> list[list[tuple[int, int]]]:
    """Sort by size and cut at quantiles, never between equal sizes.

    A part whose weights sum up to less than `least` joins the next one.
    """
    order = sorted(range(len(places)), key=lambda place: sizes[place])
    parts: list[list[tuple[int, int]]] = []
    start = 0
    for quantile in (*quantiles, 1.0):
        end = round(quantile * len(order))
        while 0 < end < len(order) and sizes[order[end]] == sizes[order[end - 1]]:
            end += 1
        enough = sum(weights[place] for place in order[start:end]) >= least
        if enough or (quantile == 1.0 and end > start):
            parts.append([places[place] for place in order[start:end]])
            start = end
    return parts
