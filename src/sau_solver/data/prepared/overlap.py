"""Held-out texts and a training text -> whether that text would teach what is tested.

Corpora copy from each other: ALG514 lies partly in DRAW-1K, Dolphin-L in Dolphin1878, CM17K shares with HMWP, Ape210K
with Math23K. Texts are compared as words with every number masked; punctuation does not count.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.models.baselines.jaccard import Weights, similarity
from sau_solver.text.numbers import MappedText

# equal: the words of a held-out problem, whatever its numbers; near: almost those of another corpus's held-out problem;
# own: almost those of a held-out problem of the same corpus. The public splits have such pairs, and published figures
# with them, so that `own` stays in training and is counted.
Overlap = Literal["equal", "near", "own"]
# What makes a training problem equal to a held-out one of its own corpus: words alone, or words and numbers, which
# leaves in training what differs in numbers only, as the public splits do. From other corpora words alone decide.
Within = Literal["words", "text"]

REWORDED = 0.5  # the similarity from which texts with the same numbers count as near
_EVERYWHERE = frozenset(map(Fraction, range(3)))  # numbers that tell nothing: 一种, one of the two
_UNIT = 1 << 16  # a weight of 1.0 as an integer


def masked(text: MappedText) -> tuple[str, ...]:
    """The words of a text, lower case, numbers as one word, marks left out."""
    return tuple(word.lower() for word in text.words if any(map(str.isalnum, word)))


def values(text: MappedText) -> tuple[Fraction, ...]:
    """What the mask hides."""
    return tuple(number.value for number in text.numbers)


@dataclass(frozen=True, slots=True)
class Document:
    """A text's words by weight, the sum of these, and the numbers that tell it from others."""

    corpus: str
    weights: Weights
    mass: int
    numbers: frozenset[Fraction]


class HeldOutTexts:
    """An index of what is tested or validated on.

    Two texts are near where their words, weighed by how rare they are among held-out texts, have a Jaccard similarity
    (sum of minima over sum of maxima) of at least `least`; of REWORDED where both have the same numbers, two or more.
    """

    def __init__(self, texts: Iterable[tuple[str, MappedText]], least: float = 0.8, within: Within = "words") -> None:
        self.least = least
        self.within = within
        self._floor = min(least, REWORDED)
        named = list(texts)
        self._texts = len(named)
        self._occurrences = Counter(word for _, text in named for word in set(masked(text)))
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
        """How a training text of a corpus overlaps with what is held out; the worst, where in several ways."""
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
        """A text as it is compared."""
        counted = Counter(masked(text))
        weights = {word: round(count * self._rarity(word) * _UNIT) for word, count in counted.items()}
        return Document(corpus, weights, sum(weights.values()), frozenset(values(text)) - _EVERYWHERE)

    def _is_near(self, one: Document, other: Document) -> bool:
        highest = min(one.mass, other.mass) / max(one.mass, other.mass)  # no similarity is above this
        if highest < self._floor:
            return False
        reworded = len(one.numbers) > 1 and one.numbers == other.numbers
        least = self._floor if reworded else self.least
        return highest >= least and similarity(one.weights, other.weights) >= least

    def _rarity(self, word: str) -> float:
        return math.log((1 + self._texts) / (1 + self._occurrences[word])) + 1

    def _telling(self, document: Document) -> list[str]:
        """The rarest words of a text that near texts cannot all lack.

        Near texts share at least `_floor` of the mass of each. Take words in one order for all texts, the rarest first,
        until the rest weighs less than that: the first word that two near texts share is among these for both.
        """
        telling = []
        rest = document.mass
        for word in sorted(document.weights, key=lambda word: (self._occurrences[word], word)):
            if rest < self._floor * document.mass:
                break
            telling.append(word)
            rest -= document.weights[word]
        return telling
