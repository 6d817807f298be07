"""Find the parts of a corpus by name: a published split (test), a fold (fold0), a seeded slice (slice20)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from sau_solver.data import Corpus
from sau_solver.data.prepared.folds import RULES, load_manifest
from sau_solver.errors import InputError, did_you_mean
from sau_solver.problem import Problem

_FOLD = re.compile(r"fold(\d{1,3})")
_SLICE = re.compile(r"slice([1-9]\d{0,4})")


def held_out_of(corpus: Corpus, names: Sequence[str]) -> dict[str, tuple[Problem, ...]]:
    """Return the problems of the named parts, each in the order of the corpus. Parts must not overlap.

    A `slice20` is one in twenty of the problems that are left by the other parts and by earlier slices. It does not
    depend on the order of the file.
    """
    parts: dict[str, frozenset[str]] = {}
    taken: dict[str, str] = {}
    for name in sorted(names, key=lambda name: bool(_SLICE.fullmatch(name))):
        ids = _slice(corpus, name, taken) if _SLICE.fullmatch(name) else _published(corpus, name)
        if twice := next((id_ for id_ in ids if id_ in taken), None):
            raise InputError(
                f"Parts must not overlap, but {corpus.name}/{name} and {corpus.name}/{taken[twice]} both contain "
                f"problem {twice}. Choose other parts."
            )
        taken |= dict.fromkeys(ids, name)
        parts[name] = ids
    return {name: tuple(problem for problem in corpus if problem.id in parts[name]) for name in names}


def _published(corpus: Corpus, name: str) -> frozenset[str]:
    splits = list(dict.fromkeys(problem.split for problem in corpus if problem.split))
    if name in splits:
        return frozenset(problem.id for problem in corpus if problem.split == name)
    folds = load_manifest(corpus.name, corpus).folds if corpus.name in RULES else ()
    fold = _FOLD.fullmatch(name)
    if fold and int(fold[1]) < len(folds):
        return frozenset(folds[int(fold[1])].test)
    known = [*splits, *(f"fold{k}" for k in range(len(folds)))]
    hint = did_you_mean(name, known)
    raise InputError(f"{corpus.name} has no part {name!r}.{hint} Known: {', '.join([*known, 'sliceN for one in N'])}.")


def _slice(corpus: Corpus, name: str, taken: dict[str, str]) -> frozenset[str]:
    match = _SLICE.fullmatch(name)
    assert match is not None
    left = sorted(problem.id for problem in corpus if problem.id not in taken)
    # Random.random is the only method whose sequence Python guarantees.
    generator = random.Random(f"{corpus.name} {name}")  # noqa: S311  # not for cryptography
    drawn = sorted((generator.random(), id_) for id_ in left)
    return frozenset(id_ for _, id_ in drawn[: len(left) // int(match[1])])
