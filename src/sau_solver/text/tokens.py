"""Turn words into ids with a vocabulary built from training texts. Rare words and words with digits share one id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sau_solver.errors import InputError
from sau_solver.text.numbers import form_of

PADDING, UNKNOWN_WORD, NUMBER = 0, 1, 2  # reserved ids of every vocabulary
_FIRST = 3
MINIMUM_WORD_COUNT = 5  # as in the paper


class Tokens(Protocol):
    """A tokenizer: turns the words of a text into the ids that an encoder reads."""

    def read(self, words: Sequence[str]) -> tuple[list[int], Sequence[int]]:
        """Return the ids of a text, at least one, and the position at which each word begins."""
        ...

    def __len__(self) -> int: ...


def share_unknown(tokens: Tokens, words: Sequence[str]) -> float:
    """Return the share of a text's tokens that are not in the vocabulary."""
    ids, _ = tokens.read(words)
    return sum(index == UNKNOWN_WORD for index in ids) / len(ids)


def word_spans(tokens: Tokens, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the tokens of each word begin and end."""
    ids, begins = tokens.read(words)
    last = len(ids) - 1 if begins and begins[0] else len(ids)  # with a start token there is an end token, too
    return list(zip(begins, [*begins[1:], last], strict=True)) if begins else []


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that a model knows, the most frequent first. Their ids follow the three reserved ids."""

    words: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids = {word: index for index, word in enumerate(self.words, _FIRST)}
        if len(ids) != len(self.words):
            raise InputError("The words of a vocabulary must be unique, got a repeated word. Build it again.")
        object.__setattr__(self, "_ids", ids)

    @classmethod
    def build(cls, texts: Iterable[Sequence[str]], minimum_count: int = MINIMUM_WORD_COUNT) -> Vocabulary:
        """Build a vocabulary of the words that occur at least `minimum_count` times in training texts."""
        counts: Counter[str] = Counter()
        for words in texts:
            counts.update(words)
        known = [
            word
            for word, count in counts.items()
            if count >= minimum_count and (form_of(word) or not any(map(str.isdigit, word))) and form_of(word) != ""
        ]
        return cls(tuple(sorted(known, key=lambda word: (-counts[word], word))))

    def ids(self, words: Sequence[str]) -> list[int]:
        """Return one id for each word. A number whose form is not in the vocabulary gets the id NUMBER."""
        found = [self._ids.get(word) for word in words]
        return [
            index if index is not None else UNKNOWN_WORD if form_of(word) is None else NUMBER
            for word, index in zip(words, found, strict=True)
        ]

    def read(self, words: Sequence[str]) -> tuple[list[int], Sequence[int]]:
        """Return the ids of a text and the position of each word. A text without words is one unknown word."""
        return self.ids(words) or [UNKNOWN_WORD], range(len(words))

    def __len__(self) -> int:
        return len(self.words) + _FIRST
