"""Exact nearest neighbors under weighted Jaccard similarity: the sum of minima divided by the sum of maxima.

Weights are integers, so sums do not depend on their order and the index agrees with a plain double loop to the last
bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

Weights = Mapping[str, int]

_LONG = 0.05  # a list is long if it has more than this share of the documents
_PROBE_AGAIN = 0.7  # probe again when the unread words weigh less than this share of what they did
_PROBES = 20  # documents to measure per neighbor in order to find a lower bound of the similarity
_MARGIN = 1 - 1e-9  # bounds are floats: a document this close to a bound is measured


def similarity(one: Weights, other: Weights) -> float:
    """Return the weighted Jaccard similarity, 0 if the two share no word."""
    shared = shared_weight(one, other)
    return shared / (sum(one.values()) + sum(other.values()) - shared) if shared else 0.0


def shared_weight(one: Weights, other: Weights) -> int:
    """Return the sum of the minima."""
    return sum([min(weight, other[word]) for word, weight in one.items() if word in other])


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A document, by its position in the index, and its similarity to the query."""

    document: int
    similarity: float


class JaccardIndex:
    """An inverted index of documents; each document belongs to a group and demands a number of slots."""

    def __init__(self, documents: Sequence[Weights], groups: Sequence[int], demands: Sequence[int]) -> None:
        self.documents, self.groups, self.demands = documents, groups, demands
        self.masses = [sum(weights.values()) for weights in documents]
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word -> (document, weight in it)
        for place, weights in enumerate(documents):
            for word, weight in weights.items():
                self._postings[word].append((place, weight))

    def nearest(self, query: Weights, count: int, supply: int | None = None) -> list[Neighbor]:
        """Return the nearest document of each of the `count` nearest groups, the nearest first.

        Earlier documents win ties. Documents that share no word with the query are left out, and so are documents that
        demand more than `supply`. The search reads the lists of the heaviest words first and stops as soon as documents
        that it has not met cannot be among the nearest.
        """
        words = sorted((word for word in query if word in self._postings), key=lambda word: (-query[word], word))
        mass, rest = sum(query.values()), sum(query[word] for word in words)  # rest: the weight of the unread words
        shared: dict[int, int] = {}  # document -> sum of the minima over the words read
        bound, next_probe = 0.0, float("inf")  # a lower bound of the similarity of the nearest documents
        for word in words:
            if rest < next_probe and len(self._postings[word]) > _LONG * len(self.documents):
                probes = self._ranked(query, nlargest(_PROBES * count, shared, key=shared.__getitem__), count, supply)
                bound = probes[-1].similarity * _MARGIN if len(probes) == count else 0.0
                next_probe = rest * _PROBE_AGAIN
            if rest < bound * mass:  # other documents have at most the similarity rest / mass
                break
            self._read(word, query[word], shared)
            rest -= query[word]
        # shared / (mass + other mass - shared) >= bound, solved for shared
        needed = bound / (1 + bound)
        near = [place for place, both in shared.items() if both + rest >= needed * (mass + self.masses[place])]
        return self._ranked(query, near, count, supply)

    def _read(self, word: str, weight: int, shared: dict[int, int]) -> None:
        """Add what the documents share with one word of the query."""
        get = shared.get
        for document, other in self._postings[word]:
            shared[document] = get(document, 0) + (other if other < weight else weight)

    def _ranked(self, query: Weights, places: Iterable[int], count: int, supply: int | None) -> list[Neighbor]:
        mass, found = sum(query.values()), []
        for place in places:
            if supply is None or self.demands[place] <= supply:
                both = shared_weight(query, self.documents[place])
                found.append((-both / (mass + self.masses[place] - both), place))
        found.sort()
        nearest: dict[int, Neighbor] = {}
        for negated, place in found:
            nearest.setdefault(self.groups[place], Neighbor(place, -negated))
            if len(nearest) == count:
                break
        return list(nearest.values())
