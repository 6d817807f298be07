"""Problem: one math word problem with its published labels, the same for all corpora."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.phrases import Language

__all__ = ["Language", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A math word problem as a corpus publishes it.

    `equations` keeps the published notation, one string per equation; `sau_solver.equations.parser` parses it.
    `answers` contains every annotated value in the published order. If a corpus accepts several answers ("3 or 5"),
    `alternatives` contains the others, each as complete as `answers`.
    """

    id: str
    text: str
    language: Language
    equations: tuple[str, ...] = ()
    answers: tuple[Fraction, ...] = ()
    alternatives: tuple[tuple[Fraction, ...], ...] = ()
    words: tuple[str, ...] | None = None  # the published segmentation
    unknowns: tuple[str, ...] = ()  # declared by the corpus
    fold: int | None = None  # the published fold, 0 to 4
    split: str | None = None  # the published split: train, valid, dev, test
    kind: str | None = None  # the published type or label
    asked: tuple[Fraction, ...] = ()  # what the question asks for, if the corpus annotates more (data/reader_labels)
