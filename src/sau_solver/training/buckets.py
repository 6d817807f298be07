"""Problems -> batches of similar shape: texts of about one length, trees of about one depth.

A GPU replays one recorded step for each bucket, padded to its largest problem; a CPU pads less. Networks that train as
one share the buckets, each with problems of its own. Which problems share a batch, and in which order batches come,
depends on the seeds, the epoch and which networks train together alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sau_solver.models.targets import EncodedProblem

# Shares of the problems, by depth and size of their trees and then by length of their texts. The last few per cent are
# much larger than the others and would pad them.
_TREE_CUTS = (0.25, 0.5, 0.75, 0.9, 0.97)
_LENGTH_CUTS = (0.2, 0.4, 0.6, 0.8, 0.93, 0.985)
_LEAST = 3  # batches that a bucket should have, to be worth a recording
# Where steps are not recorded, trees are not padded, and buckets cost nothing: many of them, by length alone.
_FINE_CUTS = tuple(place / 24 for place in range(1, 24))


@dataclass(frozen=True, slots=True)
class Step:
    """One batch: its bucket, and for each run the numbers of its problems."""

    bucket: int
    problems: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Buckets:
    """Numbers of problems, bucket by bucket and run by run."""

    members: tuple[tuple[tuple[int, ...], ...], ...]
    batch: int

    @classmethod
    def build(cls, problems: Sequence[Sequence[EncodedProblem]], batch: int, recorded: bool = True) -> Buckets:
        """Group the problems of each run, for steps that are recorded or not; none is left out."""
        listed = [(run, number) for run, own in enumerate(problems) for number in range(len(own))]
        least = (_LEAST if recorded else 1) * batch * len(problems)
        tree_cuts, length_cuts = (_TREE_CUTS, _LENGTH_CUTS) if recorded else ((), _FINE_CUTS)

        def shape(place: tuple[int, int]) -> tuple[int, int]:
            return problems[place[0]][place[1]].size

        def length(place: tuple[int, int]) -> int:
            return len(problems[place[0]][place[1]].words)

        members = []
        for alike in _cut(listed, list(map(shape, listed)), tree_cuts, least):
            for bucket in _cut(alike, list(map(length, alike)), length_cuts, least):
                members.append(
                    tuple(tuple(number for owner, number in bucket if owner == run) for run in range(len(problems)))
                )
        return cls(tuple(members), batch)

    def steps(self, bucket: int) -> int:
        """How many batches a bucket is divided into: as many as the run with most problems needs."""
        return math.ceil(max(map(len, self.members[bucket])) / self.batch)

    def size(self, bucket: int) -> int:
        """The size of the largest batch of a bucket."""
        return math.ceil(max(map(len, self.members[bucket])) / self.steps(bucket))

    def epoch(self, seeds: Sequence[int], epoch: int) -> list[Step]:
        """The batches of an epoch in order; a bucket is divided evenly, so that no batch is tiny."""
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
    places: Sequence[tuple[int, int]], sizes: Sequence[Any], shares: Sequence[float], least: int
) -> list[list[tuple[int, int]]]:
    """Sort by size and cut at shares, where sizes change; parts that are too small join the next larger ones."""
    order = sorted(range(len(places)), key=lambda place: sizes[place])
    parts: list[list[tuple[int, int]]] = []
    start = 0
    for share in (*shares, 1.0):
        end = round(share * len(order))
        while 0 < end < len(order) and sizes[order[end]] == sizes[order[end - 1]]:
            end += 1
        if end - start >= least or (share == 1.0 and end > start):
            parts.append([places[place] for place in order[start:end]])
            start = end
    return parts
