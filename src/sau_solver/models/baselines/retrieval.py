"""Retrieval-Jaccard, the paper's first baseline: copy the tree of the most similar training problem.

A text becomes a TF-IDF vector over its words, numbers as one word; the nearest training problems under weighted Jaccard
similarity lend their trees, whose slots are filled by position: the first number of theirs is the first of ours.
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
from sau_solver.models.baselines.jaccard import JaccardIndex, Weights
from sau_solver.models.options import LearnerOptions
from sau_solver.text.numbers import MappedText

Match = Literal["nearest", "fitting"]
Frequency = Literal["count", "logarithm", "presence"]
Rarity = Literal["plain", "smooth"]
Norm = Literal["none", "sum", "euclidean"]

_UNIT = 1 << 24  # a weight of 1.0 as an integer


@dataclass(frozen=True, slots=True)
class RetrievalOptions(LearnerOptions):
    """How texts are weighed and compared.

    match      `fitting` passes over trees that need more numbers than the text has, `nearest` takes them all the same
    frequency  of a word in its text: how often, 1 + log of how often, or whether at all
    rarity     of a word among the training texts: plain log(N/n), smooth log((1+N)/(1+n)) + 1
    norm       what each text's vector is divided by: nothing, its sum, its Euclidean length
    bigrams    whether pairs of neighbouring words count as words too
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
        """The baseline without training problems."""
        return RetrievalJaccard(self)


_DEFAULT = RetrievalOptions()


class RetrievalJaccard:
    """The baseline; it has nothing to train but the index."""

    name = RetrievalOptions.model

    def __init__(self, options: RetrievalOptions = _DEFAULT) -> None:
        self.options = options
        self._rarity: dict[str, float] = {}
        self._trees: list[Uet] = []
        self._index: JaccardIndex | None = None

    def fit(self, examples: Sequence[Example]) -> None:
        """Weigh the words of the training texts and index them."""
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
        """The `beam` nearest different trees; their similarities, scaled to sum to 1, serve as probabilities."""
        if self._index is None:
            raise InputError("Retrieval-Jaccard has no training problems yet; call fit first.")
        return [self._candidates(self._index, text, beam) for text in texts]

    def similarity(self, text: MappedText) -> float:
        """How similar the nearest training problem is, between 0 and 1."""
        if self._index is None:
            raise InputError("Retrieval-Jaccard has no training problems yet; call fit first.")
        supply = len(text.numbers) if self.options.match == "fitting" else None
        found = self._index.nearest(self.weights(text), 1, supply)
        return found[0].similarity if found else 0.0

    def weights(self, text: MappedText) -> Weights:
        """The TF-IDF vector of a text in units of 1/2^24; words that no training text has are left out."""
        return self._weights(self._words(text))

    def _candidates(self, index: JaccardIndex, text: MappedText, beam: int) -> list[Candidate]:
        supply = len(text.numbers) if self.options.match == "fitting" else None
        found = index.nearest(self.weights(text), beam, supply)
        total = math.fsum(neighbour.similarity for neighbour in found)
        return [Candidate(self._trees[one.document], math.log(one.similarity / total)) for one in found]

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
