"""Group problems into batches of similar shape: texts of similar length, trees of similar depth.

On a GPU each bucket has one recorded step, padded to the largest problem of the bucket; on a CPU similar lengths reduce
padding. Stacked networks share the buckets, and each has its own problems. The batches and their order depend only on
the seeds, the epoch and the networks that are stacked.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sau_solver.models.targets import EncodedProblem

# Quantiles at which the problems are cut, first by depth and size of their trees, then by length of their texts. The
# largest few percent have buckets of their own, because all others would be padded to their size.
_TREE_CUTS = (0.25, 0.5, 0.75, 0.9, 0.97)
_LENGTH_CUTS = (0.2, 0.4, 0.6, 0.8, 0.93, 0.985)
_LEAST = 3  # batches per bucket that make a recording worthwhile
# On a CPU trees are not padded and buckets are free, so there are many, by length only.
_FINE_CUTS = tuple(place / 24 for place in range(1, 24))


@dataclass(frozen=True, slots=True)
class Step:
    """A batch: its bucket, and for each network the indices of its problems."""

    bucket: int
    problems: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Buckets:
    """The indices of the problems by bucket and network, and the largest size of a batch."""

    members: tuple[tuple[tuple[int, ...], ...], ...]
    batch: int

    @classmethod
    def build(cls, problems: Sequence[Sequence[EncodedProblem]], batch: int, recorded: bool = True) -> Buckets:
        """Divide the problems of each network into buckets, for recorded or ordinary steps."""
        places = [(network, index) for network, own in enumerate(problems) for index in range(len(own))]
        least = (_LEAST if recorded else 1) * batch * len(problems)
        tree_cuts, length_cuts = (_TREE_CUTS, _LENGTH_CUTS) if recorded else ((), _FINE_CUTS)

        def shape(place: tuple[int, int]) -> tuple[int, int]:
            return problems[place[0]][place[1]].size

        def length(place: tuple[int, int]) -> int:
            return len(problems[place[0]][place[1]].words)

        members = []
        for similar in _cut(places, list(map(shape, places)), tree_cuts, least):
            for bucket in _cut(similar, list(map(length, similar)), length_cuts, least):
                members.append(
                    tuple(
                        tuple(index for owner, index in bucket if owner == network) for network in range(len(problems))
                    )
                )
        return cls(tuple(members), batch)

    def steps(self, bucket: int) -> int:
        """Return the number of batches of a bucket: as many as the network with the most problems needs."""
        return math.ceil(max(map(len, self.members[bucket])) / self.batch)

    def size(self, bucket: int) -> int:
        """Return the size of the largest batch of a bucket."""
        return math.ceil(max(map(len, self.members[bucket])) / self.steps(bucket))

    def epoch(self, seeds: Sequence[int], epoch: int) -> list[Step]:
        """Return the batches of an epoch in order; buckets are divided evenly, so that no batch is tiny."""
        steps = []
        for bucket, members in enumerate(self.members):
            orders = []
            for seed, own in zip(seeds, members, strict=True):
                order = list(own)
                random.Random(f"{seed} {epoch} {bucket}").shuffle(order)  # noqa: S311
                orders.append(order)
            count = self.steps(bucket)
            steps += [Step(bucket, tuple(tuple(order[part::count]) for order in orders)) for part in range(count)]
        random.Random(f"{seeds} {epoch}").shuffle(steps)  # noqa: S311
        return steps


def _cut(
    places: Sequence[tuple[int, int]], sizes: Sequence[Any], quantiles: Sequence[float], least: int
) -> list[list[tuple[int, int]]]:
    """Sort by size and cut at quantiles, never between equal sizes; a part that is too small joins the next one."""
    order = sorted(range(len(places)), key=lambda place: sizes[place])
    parts: list[list[tuple[int, int]]] = []
    start = 0
    for quantile in (*quantiles, 1.0):
        end = round(quantile * len(order))
        while 0 < end < len(order) and sizes[order[end]] == sizes[order[end - 1]]:
            end += 1
        if end - start >= least or (quantile == 1.0 and end > start):
            parts.append([places[place] for place in order[start:end]])
            start = end
    return parts
