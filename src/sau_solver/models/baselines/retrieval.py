"""Retrieval-Jaccard, the paper's first baseline: copy the tree of the most similar training problem.

Texts become TF-IDF vectors over their words, in which all numbers are one word. The candidates are the trees of the
nearest training problems under weighted Jaccard similarity. Slots are filled by position: slot 0 takes the first number
of the text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.models.base import BEAM, Example
from sau_solver.models.baselines.jaccard import JaccardIndex, Neighbor, Weights
from sau_solver.models.options import LearnerOptions
from sau_solver.text.numbers import MappedText

Match = Literal["nearest", "fitting"]
Frequency = Literal["count", "logarithm", "presence"]
Rarity = Literal["plain", "smooth"]
Norm = Literal["none", "sum", "euclidean"]

_UNIT = 1 << 24  # a weight of 1.0 as an integer


@dataclass(frozen=True, slots=True)
class RetrievalOptions(LearnerOptions):
    """Options of the retrieval baseline.

    match        `fitting` skips trees that need more numbers than the text has, `nearest` keeps them
    frequency    term frequency: the count, 1 + log(count), or 1 for every word that is present
    rarity       inverse document frequency: plain log(N/n), smooth log((1+N)/(1+n)) + 1
    norm         what each vector is divided by: 1, its sum, its Euclidean length
    bigrams      whether pairs of adjacent words also count as words
    punctuation  whether words without a letter or digit count
    """

    model: ClassVar[str] = "retrieval"

    match: Match = "fitting"
    frequency: Frequency = "count"
    rarity: Rarity = "smooth"
    norm: Norm = "none"
    bigrams: bool = False
    punctuation: bool = True

    def build(self) -> RetrievalJaccard:
        """Return the baseline without training problems."""
        return RetrievalJaccard(self)


_DEFAULT = RetrievalOptions()


class RetrievalJaccard:
    """The retrieval baseline; fitting it builds the index of the training problems."""

    name = RetrievalOptions.model

    def __init__(self, options: RetrievalOptions = _DEFAULT) -> None:
        self.options = options
        self._rarity: dict[str, float] = {}
        self._trees: list[Uet] = []
        self._index: JaccardIndex | None = None

    def fit(self, examples: Sequence[Example]) -> None:
        """Compute the weights of the training texts' words and index the texts."""
        texts = [self._words(example.text) for example in examples]
        occurrences: Counter[str] = Counter()
        for words in texts:
            occurrences.update(words.keys())
        self._rarity = {word: self._rarity_of(count, len(texts)) for word, count in occurrences.items()}
        self._trees = [example.tree for example in examples]
        groups: dict[Uet, int] = {}
        self._index = JaccardIndex(
            [self._weights(words) for words in texts],
            [groups.setdefault(tree, len(groups)) for tree in self._trees],
            [max(tree.slots(), default=-1) + 1 for tree in self._trees],
        )

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return the `beam` nearest different trees; their similarities, scaled to sum to 1, serve as probabilities."""
        predictions = []
        for text in texts:
            found = self._nearest(text, beam)
            total = math.fsum(neighbor.similarity for neighbor in found)
            predictions.append(
                [Candidate(self._trees[one.document], math.log(one.similarity / total)) for one in found]
            )
        return predictions

    def similarity(self, text: MappedText) -> float:
        """Return the similarity of the nearest training problem, between 0 and 1."""
        found = self._nearest(text, 1)
        return found[0].similarity if found else 0.0

    def weights(self, text: MappedText) -> Weights:
        """Return the TF-IDF vector of a text in units of 1/2^24, without words that occur in no training text."""
        return self._weights(self._words(text))

    def _nearest(self, text: MappedText, count: int) -> list[Neighbor]:
        if self._index is None:
            raise InputError("Retrieval-Jaccard has no training problems. Call fit first.")
        supply = len(text.numbers) if self.options.match == "fitting" else None
        return self._index.nearest(self.weights(text), count, supply)

    def _words(self, text: MappedText) -> Counter[str]:
        words: Iterable[str] = text.words
        if not self.options.punctuation:
            words = [word for word in words if any(character.isalnum() for character in word)]
        counted = Counter(words)
        if self.options.bigrams:
            counted.update(f"{one} {other}" for one, other in pairwise(words))
        return counted

    def _frequency(self, count: int) -> float:
        if self.options.frequency == "presence":
            return 1.0
        return 1 + math.log(count) if self.options.frequency == "logarithm" else float(count)

    def _rarity_of(self, occurrences: int, texts: int) -> float:
        if self.options.rarity == "plain":
            return math.log(texts / occurrences)
        return math.log((1 + texts) / (1 + occurrences)) + 1

    def _weights(self, words: Counter[str]) -> Weights:
        weights = {
            word: self._frequency(count) * self._rarity[word] for word, count in words.items() if word in self._rarity
        }
        norm = 1.0
        if self.options.norm == "sum":
            norm = math.fsum(weights.values())
        elif self.options.norm == "euclidean":
            norm = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        whole = {word: round(weight / norm * _UNIT) for word, weight in weights.items()} if norm else {}
        return {word: weight for word, weight in whole.items() if weight}
