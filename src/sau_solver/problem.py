"""Problem: one math word problem with its published labels, whatever corpus it came from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.phrases import Language

__all__ = ["Language", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as a corpus states it.

    `equations` keeps the published notation, one string an equation; parsing them is the business of
    `sau_solver.equations.parser`. `answers` holds every annotated value in the published order. Where a corpus
    accepts several answers ("3 or 5"), `alternatives` holds the others, each as complete as `answers`.
    """

    id: str
    text: str
    language: Language
    equations: tuple[str, ...] = ()
    answers: tuple[Fraction, ...] = ()
    alternatives: tuple[tuple[Fraction, ...], ...] = ()
    words: tuple[str, ...] | None = None  # the published segmentation, where there is one
    unknowns: tuple[str, ...] = ()  # the unknowns that a corpus declares, where it does
    fold: int | None = None  # the published fold (0..4), where there is one
    split: str | None = None  # the published split: train, valid, dev, test
    kind: str | None = None  # the published type or label, where there is one
