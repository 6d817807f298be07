"""The problems that a benchmark tests: for every corpus on this machine, the part that is published for tests.

That is the split `test`, or fold 0 if there is no such split but a manifest of folds, or everything. School also has
the part `transfer`. A model is never tested on problems that it may have learned from; see `Learned.refusal`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sau_solver.data import Corpus, available, corpora, find_corpus, load
from sau_solver.data.prepared.folds import RULES, load_manifest
from sau_solver.data.prepared.held_out_parts import held_out_of
from sau_solver.errors import InputError
from sau_solver.problem import Language, Problem

ALL = "all"  # the part of a corpus that is only for tests, or that no system learned from

# Corpora that are not tested unless they are asked for, and why.
LEFT_OUT: Mapping[str, str] = {
    "hmwp-all": "contains hmwp",
    "dolphin18k": "contains dolphin18k-manual; the other labels were found automatically",
    "dolphin18k-reconstructed": "its texts are approximate",
    "dolphin_l": "nearly all of it is in dolphin1878",
    "mawps-single": "nearly all of it is in mawps",
    "gsm8k-zh": "has only the training problems of gsm8k, translated",
    "mathqa-train": "is a training part with many wrong labels",
    "workbook-en": "is for training",
    "workbook-zh": "is for training",
    "stories-en": "is for training",
    "stories-zh": "is for training",
}
_PARTS: Mapping[str, tuple[str, ...]] = {"school-en": ("test", "transfer"), "school-zh": ("test", "transfer")}


@dataclass(frozen=True, slots=True)
class TestPart:
    """The tested problems of one corpus; `available` says how many there are before --limit."""

    __test__ = False  # not a test class for pytest

    corpus: str
    part: str
    title: str
    language: Language
    fingerprint: str  # of the whole corpus
    problems: tuple[Problem, ...]
    available: int

    @property
    def name(self) -> str:
        """Return the name as --data accepts it: gsm8k/test, families-en."""
        return self.corpus if self.part == ALL else f"{self.corpus}/{self.part}"


def standard_parts(corpus: Corpus) -> tuple[str, ...]:
    """Return the parts of a corpus that are for tests."""
    if corpus.name in _PARTS:
        return _PARTS[corpus.name]
    if any(problem.split == "test" for problem in corpus):
        return ("test",)
    own = corpus.info is not None and corpus.info.folds is not None
    return ("fold0",) if corpus.name in RULES or own else (ALL,)


def chosen_corpora(names: Sequence[str], languages: Sequence[Language]) -> tuple[list[str], dict[str, str]]:
    """Return the corpora, or parts, to test, and why others are left out; no names means all on this machine."""
    if names:
        for name in names:
            find_corpus(name.partition("/")[0])
        return list(dict.fromkeys(names)), {}
    here = available()
    wanted = [name for name, info in corpora().items() if info.language in languages]
    missing = {name: "is not on this machine" for name in wanted if name not in here and name not in LEFT_OUT}
    known = {name: LEFT_OUT[name] for name in wanted if name in LEFT_OUT}
    return [name for name in wanted if name in here and name not in LEFT_OUT], missing | known


def parts_of(name: str, limit: int | None = None) -> Iterator[TestPart]:
    """Yield the tested parts of a corpus, or the one that is named (gsm8k/test), with at most `limit` problems each."""
    corpus_name, _, part = name.partition("/")
    corpus = load(corpus_name)
    for one in (part,) if part else standard_parts(corpus):
        problems = corpus.problems if one == ALL else part_of(corpus, one)
        drawn = _drawn(problems, limit, f"{corpus_name}/{one}")
        title = find_corpus(corpus_name).title
        language = corpora()[corpus_name].language
        yield TestPart(corpus_name, one, title, language, corpus.fingerprint, drawn, len(problems))


def part_of(corpus: Corpus, part: str) -> tuple[Problem, ...]:
    """Return the problems of a split, a fold or a slice; folds of your own corpora are computed."""
    own = corpus.info is not None and corpus.info.folds is not None
    if own and part.startswith("fold") and part[4:].isdigit():
        folds = load_manifest(corpus.name, corpus).folds
        if int(part[4:]) >= len(folds):
            raise InputError(f"{corpus.name} has the folds 0 to {len(folds) - 1}, got {part}.")
        tested = frozenset(folds[int(part[4:])].test)
        return tuple(problem for problem in corpus if problem.id in tested)
    return held_out_of(corpus, [part])[part]


def only_answered(part: TestPart) -> TestPart:
    """Return a part without the problems that have neither equations nor answers, which nothing can judge."""
    return replace(part, problems=tuple(one for one in part.problems if one.equations or one.answers))


def _drawn(problems: Sequence[Problem], limit: int | None, seed: str) -> tuple[Problem, ...]:
    """Return a random choice in the order of the corpus, the same in every run."""
    if limit is None or len(problems) <= limit:
        return tuple(problems)
    generator = random.Random(seed)  # noqa: S311  # not for cryptography
    keys = [generator.random() for _ in problems]
    kept = frozenset(sorted(range(len(problems)), key=lambda place: (keys[place], problems[place].id))[:limit])
    return tuple(problem for place, problem in enumerate(problems) if place in kept)
