"""Find training texts that copy, or nearly copy, a held-out text.

Corpora overlap: parts of ALG514 are in DRAW-1K, Dolphin-L is in Dolphin1878, CM17K shares problems with HMWP, Ape210K
with Math23K. Texts are compared as words with masked numbers and without punctuation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from sau_solver.models.baselines.jaccard import Weights, similarity
from sau_solver.text.numbers import MappedText

# equal: the words of a held-out problem, with any numbers; near: nearly the words of a held-out problem of another
# corpus; own: nearly the words of a held-out problem of the same corpus. The public splits, and thus published results,
# contain such pairs, so `own` problems stay in training and are counted.
Overlap = Literal["equal", "near", "own"]
# When a training problem equals a held-out one of its own corpus: if the words are equal, or only if the numbers are
# equal too, which keeps problems that differ in their numbers, as public splits do. Between corpora, words decide.
Within = Literal["words", "text"]

REWORDED = 0.5  # the similarity from which texts with the same numbers are near
_EVERYWHERE = frozenset(map(Fraction, range(3)))  # numbers too common to identify a problem: 一种, one of the two
_UNIT = 1 << 16  # a weight of 1.0 as an integer


def masked(text: MappedText) -> tuple[str, ...]:
    """Return the words of a text in lower case, without punctuation, with one word for all numbers."""
    return tuple(filter(None, map(_compared, text.words)))


@lru_cache(maxsize=1 << 17)  # more than the words of a large mixture
def _compared(word: str) -> str:
    """Return a word as it is compared; nothing for punctuation."""
    return word.lower() if any(map(str.isalnum, word)) else ""


def values(text: MappedText) -> tuple[Fraction, ...]:
    """Return the numbers that `masked` hides."""
    return tuple(number.value for number in text.numbers)


@dataclass(frozen=True, slots=True)
class Document:
    """A text as it is compared: the weights of its words, their sum, and its uncommon numbers."""

    corpus: str
    weights: Weights
    mass: int
    numbers: frozenset[Fraction]


class HeldOutTexts:
    """An index of the held-out texts.

    Two texts are near if the weighted Jaccard similarity of their words (sum of minima over sum of maxima) is at least
    `least`, or at least REWORDED if both have the same two or more numbers. Words that are rare in held-out texts weigh
    more.
    """

    def __init__(self, texts: Iterable[tuple[str, MappedText]], least: float = 0.8, within: Within = "words") -> None:
        self.least = least
        self.within = within
        self._floor = min(least, REWORDED)
        named = list(texts)
        self._texts = len(named)
        self._occurrences = Counter(word for _, text in named for word in set(masked(text)))
        self._rarities = {word: self._rarity(count) for word, count in self._occurrences.items()}
        self._unknown = self._rarity(0)
        self._corpora: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._whole = set()
        self._holding: dict[str, list[Document]] = defaultdict(list)
        for corpus, text in named:
            self._corpora[masked(text)].add(corpus)
            self._whole.add((corpus, masked(text), values(text)))
            document = self.document(corpus, text)
            for word in self._telling(document):
                self._holding[word].append(document)

    def find(self, corpus: str, text: MappedText) -> Overlap | None:
        """Return how a training text overlaps with held-out texts; the worst kind if there are several."""
        words = masked(text)
        if corpora := self._corpora.get(words):
            strict = self.within == "words" or corpora != {corpus}
            if strict or (corpus, words, values(text)) in self._whole:
                return "equal"
        document = self.document(corpus, text)
        candidates = {id(one): one for word in self._telling(document) for one in self._holding.get(word, ())}
        near = {one.corpus == corpus for one in candidates.values() if self._is_near(document, one)}
        if False in near:
            return "near"
        return "own" if near else None

    def document(self, corpus: str, text: MappedText) -> Document:
        """Return a text as it is compared."""
        counted = Counter(masked(text))
        rarity, unknown = self._rarities.get, self._unknown
        weights = {word: round(count * rarity(word, unknown) * _UNIT) for word, count in counted.items()}
        return Document(corpus, weights, sum(weights.values()), frozenset(values(text)) - _EVERYWHERE)

    def _is_near(self, one: Document, other: Document) -> bool:
        highest = min(one.mass, other.mass) / max(one.mass, other.mass)  # an upper bound of the similarity
        if highest < self._floor:
            return False
        reworded = len(one.numbers) > 1 and one.numbers == other.numbers
        least = self._floor if reworded else self.least
        return highest >= least and similarity(one.weights, other.weights) >= least

    def _rarity(self, occurrences: int) -> float:
        return math.log((1 + self._texts) / (1 + occurrences)) + 1

    def _telling(self, document: Document) -> list[str]:
        """Return the rarest words of a text. Every near text shares at least one of them.

        Near texts share at least `_floor` of the mass of each. Words are taken in the same order for all texts, the
        rarest first, until the rest weighs less than that. The first word that two near texts share is then in the
        selections of both.
        """
        telling = []
        rest = document.mass
        for word in sorted(document.weights, key=lambda word: (self._occurrences[word], word)):
            if rest < self._floor * document.mass:
                break
            telling.append(word)
            rest -= document.weights[word]
        return telling
