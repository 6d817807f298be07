"""Corpora that several tests read; each is loaded once per process."""

from __future__ import annotations

from functools import cache

from sau_solver.data import Corpus, load


@cache
def corpus_of(name: str) -> Corpus:
    """Return a corpus in SAU_DATA or of the package."""
    return load(name)
