"""Exact nearest neighbours under weighted Jaccard similarity: sum of minima over sum of maxima.

Weights are integers, so that sums do not depend on their order and the index agrees with a plain double loop to the
last bit. The index reads a query's words from the heaviest to the lightest and leaves the rest unread, most of all the
long lists of everyday words, as soon as no document that it has not met can still be among the nearest (as WAND and
MaxScore do).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

Weights = Mapping[str, int]

# Bounds are compared as floats: a bound within this share of the threshold counts as reaching it.
_MARGIN = 1 - 1e-9
# A list that holds more than one document in this many is worth a look at whether it must be read at all.
_LONG_LIST = 20
# Looking costs as much as reading: look again when the words left weigh this much less than at the last look,
_NEXT_LOOK = 0.7
# and measure this many documents for each one wanted.
_LOOKS_BEST = 20


def similarity(one: Weights, other: Weights) -> float:
    """Weighted Jaccard similarity, 0 where nothing is shared."""
    shared = sum(min(weight, other[word]) for word, weight in one.items() if word in other)
    return shared / (sum(one.values()) + sum(other.values()) - shared) if shared else 0.0


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A document by its place in the index, and how similar it is."""

    document: int
    similarity: float


@dataclass(slots=True)
class _Postings:
    """The documents that hold one word, and the word's weight in each."""

    documents: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)


class JaccardIndex:
    """Documents, each of one group and of one demand, by the words they hold."""

    def __init__(self, documents: Sequence[Weights], groups: Sequence[int], demands: Sequence[int]) -> None:
        self.documents = documents
        self.groups = groups
        self.demands = demands
        self.masses = [sum(weights.values()) for weights in documents]
        self._postings: dict[str, _Postings] = defaultdict(_Postings)
        for place, weights in enumerate(documents):
            for word, weight in weights.items():
                postings = self._postings[word]
                postings.documents.append(place)
                postings.weights.append(weight)
        self._heaviest = {word: max(postings.weights) for word, postings in self._postings.items()}

    def nearest(self, query: Weights, count: int, supply: int | None = None) -> list[Neighbour]:
        """The nearest document of each of the `count` nearest groups; earlier documents win ties.

        Documents that share nothing with the query do not count, nor do those that demand more than `supply`.
        """
        most = {word: min(weight, self._heaviest[word]) for word, weight in query.items() if word in self._heaviest}
        search = _Search(self, query, sorted(most, key=lambda word: (-most[word], word)), count, supply)
        rest = sum(most.values())  # the most that the words not yet read can add to what a document shares
        threshold, looked_at = 0.0, float("inf")
        for word in list(search.unread):
            postings = self._postings[word]
            if len(postings.documents) * _LONG_LIST > len(self.documents) and search.shared:
                if rest < looked_at * _NEXT_LOOK:
                    threshold, looked_at = search.threshold(), rest
                # A document not met shares at most `rest`, so that its similarity is at most rest / mass.
                if rest < threshold * search.mass * _MARGIN:
                    break
            search.read(word, postings)
            rest -= most[word]
        return search.nearest(threshold, rest)


class _Search:
    """One query on its way through the index: what each document met so far shares with it."""

    def __init__(self, index: JaccardIndex, query: Weights, words: list[str], count: int, supply: int | None) -> None:
        self.index = index
        self.query = query
        self.unread = words
        self.count = count
        self.supply = supply
        self.mass = sum(query.values())
        self.shared: dict[int, int] = {}

    def read(self, word: str, postings: _Postings) -> None:
        """Add a word's share to every document that holds it."""
        weight, shared = self.query[word], self.shared
        get = shared.get
        for document, other in zip(postings.documents, postings.weights, strict=True):
            shared[document] = get(document, 0) + (other if other < weight else weight)
        self.unread = self.unread[1:]

    def threshold(self) -> float:
        """The similarity of the last of the nearest groups among the documents that look best so far."""
        best = self.measured(nlargest(_LOOKS_BEST * self.count, self.shared, key=self.shared.__getitem__))
        return best[-1].similarity if len(best) == self.count else 0.0

    def nearest(self, threshold: float, rest: int) -> list[Neighbour]:
        """The nearest groups, given that only documents met reach the threshold; `rest` is the most still unread."""
        # shared / (mass + other - shared) >= threshold, solved for what is shared
        needed = threshold / (1 + threshold) * _MARGIN
        mass, masses = self.mass, self.index.masses
        return self.measured(
            [place for place, shared in self.shared.items() if shared + rest >= needed * (mass + masses[place])]
        )

    def measured(self, places: list[int]) -> list[Neighbour]:
        """The nearest groups among these documents by their true similarities: read and unread words together."""
        found: list[tuple[float, int]] = []
        for place in places:
            if self.supply is not None and self.index.demands[place] > self.supply:
                continue
            weights = self.index.documents[place]
            shared = self.shared[place]
            for word in self.unread:
                if word in weights:
                    shared += min(self.query[word], weights[word])
            found.append((-shared / (self.mass + self.index.masses[place] - shared), place))
        found.sort()
        firsts: dict[int, Neighbour] = {}
        for negated, place in found:
            firsts.setdefault(self.index.groups[place], Neighbour(place, -negated))
            if len(firsts) == self.count:
                break
        return list(firsts.values())
