"""Fold manifests: which problems are tested in which fold, recorded with the fingerprint of the data.

`manifests/NAME.json` is a recorded manifest. `make_manifest` computes it from a corpus, and a test compares the two.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Generic, TypeVar

from sau_solver.data import Corpus, find_corpus
from sau_solver.errors import CorpusError, InputError, UnknownCorpusError, did_you_mean
from sau_solver.problem import Problem

FOLDS = 5
SHUFFLE_SEED = 20_201_116  # the first day of EMNLP 2020

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Fold:
    """The ids of the test problems, and of the validation problems if the published split has any."""

    test: tuple[str, ...]
    validation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Groups of ids that share one text but are in different folds or parts, so that test texts are also trained on."""

    same_equations: tuple[tuple[str, ...], ...]
    other_equations: tuple[tuple[str, ...], ...]

    @property
    def problems(self) -> int:
        """The number of problems with a duplicate in another part."""
        return sum(map(len, self.same_equations + self.other_equations))


@dataclass(frozen=True, slots=True)
class Manifest:
    """The folds of one corpus. A fold trains on all problems that it neither tests nor validates on."""

    name: str
    corpus: str
    fingerprint: str
    problems: int
    rule: str
    seed: int | None
    folds: tuple[Fold, ...]
    duplicates: Duplicates

    def check(self, corpus: Corpus) -> None:
        """Raise CorpusError if a corpus is not the one from which the manifest was made."""
        if corpus.fingerprint != self.fingerprint:
            raise CorpusError(
                f"The folds {self.name} are recorded for {self.problems:,} problems of {self.corpus} with fingerprint "
                f"{self.fingerprint[:12]}, got {len(corpus):,} problems with fingerprint {corpus.fingerprint[:12]}. "
                "Results would not be comparable. Fetch the published files again "
                f"(sau data fetch {self.corpus}), or register the data as a corpus of your own."
            )


@dataclass(frozen=True, slots=True)
class Division(Generic[_T]):
    """The three parts of one fold, each in the order of the corpus."""

    train: tuple[_T, ...]
    validation: tuple[_T, ...]
    test: tuple[_T, ...]


def divide(manifest: Manifest, fold: int, problems: Sequence[_T], identify: Callable[[_T], str]) -> Division[_T]:
    """Split problems, or any objects with a problem's id, into the parts of a fold. The order is kept."""
    if not 0 <= fold < len(manifest.folds):
        raise InputError(f"fold must be between 0 and {len(manifest.folds) - 1} for {manifest.name}, got {fold}.")
    test, validation = frozenset(manifest.folds[fold].test), frozenset(manifest.folds[fold].validation)
    held_out = test | validation
    return Division(
        tuple(one for one in problems if identify(one) not in held_out),
        tuple(one for one in problems if identify(one) in validation),
        tuple(one for one in problems if identify(one) in test),
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    corpus: str
    words: str
    split: Callable[[Sequence[Problem]], tuple[Fold, ...]]
    contiguous: bool = False
    seed: int | None = None


def _contiguous(problems: Sequence[Problem]) -> tuple[Fold, ...]:
    size = len(problems) // FOLDS
    ends = [*(size * k for k in range(1, FOLDS)), len(problems)]
    return tuple(
        Fold(tuple(problem.id for problem in problems[start:end])) for start, end in zip([0, *ends], ends, strict=False)
    )


def _public_folds(problems: Sequence[Problem]) -> tuple[Fold, ...]:
    return tuple(Fold(tuple(p.id for p in problems if p.fold == fold)) for fold in range(FOLDS))


def _public_split(problems: Sequence[Problem]) -> tuple[Fold, ...]:
    test = tuple(p.id for p in problems if p.split == "test")
    return (Fold(test, tuple(p.id for p in problems if p.split in ("dev", "valid"))),)


def _shuffled(problems: Sequence[Problem]) -> tuple[Fold, ...]:
    """Split by a seeded shuffle of the sorted ids, so that the order of the file does not matter."""
    ordered = sorted(problems, key=lambda problem: problem.id)
    # Random.random is the only method whose sequence Python guarantees.
    generator = random.Random(SHUFFLE_SEED)  # noqa: S311  # not for cryptography
    keys = [generator.random() for _ in ordered]
    return _contiguous([problem for _, problem in sorted(zip(keys, ordered, strict=True), key=lambda pair: pair[0])])


_CONTIGUOUS = "contiguous fifths in file order, the remainder in the last"
_SHUFFLED = "fifths of a seeded shuffle of the ids, the remainder in the last"
RULES: Mapping[str, _Rule] = {
    "hmwp": _Rule("hmwp", _CONTIGUOUS, _contiguous, contiguous=True),
    "math23k": _Rule("math23k", _CONTIGUOUS, _contiguous, contiguous=True),
    "math23k-public": _Rule("math23k", "the public split: 1,000 for testing, 1,000 for validation", _public_split),
    "alg514": _Rule("alg514", "the public five folds", _public_folds),
    "mawps": _Rule("mawps", "the public five folds", _public_folds),
    "draw1k": _Rule("draw1k", "the public split: test, and dev for validation", _public_split),
    "dolphin18k-manual": _Rule("dolphin18k-manual", _SHUFFLED, _shuffled, seed=SHUFFLE_SEED),
}


def _own_rule(name: str) -> _Rule | None:
    """Return the fold rule of a corpus that a user registered. Its folds are computed, not recorded."""
    try:
        rule = find_corpus(name).folds
    except UnknownCorpusError:
        return None
    match rule:
        case "contiguous":
            return _Rule(name, _CONTIGUOUS, _contiguous, contiguous=True)
        case "published-folds":
            return _Rule(name, "the published folds", _public_folds)
        case "published-split":
            return _Rule(name, "the published split", _public_split)
        case "shuffled":
            return _Rule(name, _SHUFFLED, _shuffled, seed=SHUFFLE_SEED)
        case None:
            return None


def make_manifest(corpus: Corpus, name: str | None = None) -> Manifest:
    """Compute a manifest from a corpus. Give `name` if the corpus has more than one manifest."""
    name = name or corpus.name
    rule = _rule(name, corpus)
    folds = rule.split(corpus.problems)
    if not all(fold.test for fold in folds):
        raise CorpusError(
            f"{corpus.name} must have problems in all published folds, but its files lack some. "
            "Fetch them again, or choose other folds in corpora.toml."
        )
    return Manifest(
        name=name,
        corpus=corpus.name,
        fingerprint=corpus.fingerprint,
        problems=len(corpus),
        rule=rule.words,
        seed=rule.seed,
        folds=folds,
        duplicates=find_duplicates(corpus.problems, folds),
    )


def find_duplicates(problems: Sequence[Problem], folds: Sequence[Fold]) -> Duplicates:
    """Find texts, ignoring white space, that are in more than one part."""
    part = {id_: (k, "test") for k, fold in enumerate(folds) for id_ in fold.test}
    part |= {id_: (k, "validation") for k, fold in enumerate(folds) for id_ in fold.validation}
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        text = "".join(problem.text.split()) if problem.language == "zh" else " ".join(problem.text.split())
        groups.setdefault(text, []).append(problem)
    same: list[tuple[str, ...]] = []
    other: list[tuple[str, ...]] = []
    for members in groups.values():
        if len({part.get(problem.id) for problem in members}) > 1:
            equations = {tuple("".join(one.split()) for one in problem.equations) for problem in members}
            (same if len(equations) == 1 else other).append(tuple(problem.id for problem in members))
    return Duplicates(tuple(same), tuple(other))


def _rule(name: str, corpus: Corpus | None = None) -> _Rule:
    rule = RULES.get(name) or _own_rule(name)
    if rule is None:
        raise InputError(f"There are no folds {name!r}.{did_you_mean(name, RULES)} Known: {', '.join(RULES)}.")
    if corpus is not None and rule.corpus != corpus.name:
        raise InputError(f"The folds {name} need the corpus {rule.corpus}, got {corpus.name}. Load that corpus.")
    return rule


def load_manifest(name: str, corpus: Corpus) -> Manifest:
    """Return the recorded manifest, or compute that of a user's own corpus; raise CorpusError if the data differ."""
    _rule(name, corpus)
    if name not in RULES:
        return make_manifest(corpus, name)
    fields = json.loads(recorded(name))
    manifest = from_fields(fields, corpus.problems)
    manifest.check(corpus)
    return manifest


def recorded(name: str) -> str:
    """Return the content of a manifest file of this package."""
    _rule(name)
    return files("sau_solver.data.prepared").joinpath("manifests", f"{name}.json").read_text(encoding="utf-8")


def to_text(manifest: Manifest) -> str:
    """Return the content of a manifest file: first and last id of contiguous folds, every id of others."""
    contiguous = _rule(manifest.name).contiguous
    folds: list[Any] = [
        {"problems": len(fold.test), "first": fold.test[0], "last": fold.test[-1]}
        if contiguous
        else {"problems": len(fold.test), "test": fold.test}
        | ({"validation": fold.validation} if fold.validation else {})
        for fold in manifest.folds
    ]
    fields: dict[str, Any] = {
        key: getattr(manifest, key) for key in ("name", "corpus", "fingerprint", "problems", "rule", "seed")
    }
    duplicates = {
        "problems": manifest.duplicates.problems,
        "same_equations": manifest.duplicates.same_equations,
        "other_equations": manifest.duplicates.other_equations,
    }
    lines = [f" {json.dumps(key)}: {_compact(value)}" for key, value in fields.items()]
    lines.append(' "folds": [\n' + ",\n".join(f"  {_compact(fold)}" for fold in folds) + "\n ]")
    lines.append(f' "duplicates": {_compact(duplicates)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_fields(fields: Mapping[str, Any], problems: Sequence[Problem]) -> Manifest:
    """Build a manifest from the fields of its file, with the ids of the corpus for contiguous folds."""
    places = {problem.id: place for place, problem in enumerate(problems)}
    folds = []
    for fold in fields["folds"]:
        if "first" in fold:
            # An unknown id gives an empty fold; `Manifest.check` then reports the reason.
            start, end = places.get(fold["first"], 0), places.get(fold["last"], -1)
            folds.append(Fold(tuple(problem.id for problem in problems[start : end + 1])))
        else:
            folds.append(Fold(tuple(fold["test"]), tuple(fold.get("validation", ()))))
    duplicates = fields["duplicates"]
    return Manifest(
        **{key: fields[key] for key in ("name", "corpus", "fingerprint", "problems", "rule", "seed")},
        folds=tuple(folds),
        duplicates=Duplicates(
            tuple(map(tuple, duplicates["same_equations"])), tuple(map(tuple, duplicates["other_equations"]))
        ),
    )


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
