"""Several corpora -> what one network learns from, and held-out parts that none of it copies.

All trees have one form, so that a network need not guess whose annotation it reads (one_form.py). A training problem is
dropped where it has no tree, where its tree has not the annotated answers (agreement.py) or uses no number of the text,
where it is a copy of a held-out problem (overlap.py), or where an earlier source has it. What is held out stays as
published, all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from sau_solver.data import Corpus, load
from sau_solver.data.prepared.agreement import agrees
from sau_solver.data.prepared.examples import Prepared, prepare
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.data.prepared.one_form import one_form
from sau_solver.data.prepared.overlap import HeldOutTexts, masked, values
from sau_solver.data.prepared.parts import held_out_of
from sau_solver.equations.expressions import Number
from sau_solver.equations.symbols import MINIMUM_CONSTANT_COUNT, TargetVocabulary
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.models.base import Example
from sau_solver.models.options import SauOptions
from sau_solver.problem import Problem

LONGEST_TREE = SauOptions().longest_tree

# What becomes of a problem that is not held out. own: learned, though nearly a held-out problem of its own corpus.
Fate = Literal["unusable", "disagreeing", "unfounded", "equal", "near", "repeated", "own", "learned"]


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """How many problems of a source are what; those up to `learned` add up to `problems`."""

    problems: int
    held_out: int
    unusable: int  # equations that are none, cannot be read or are no tree
    disagreeing: int  # gold equations that have not the annotated answers
    unfounded: int  # trees without any of the text's numbers: an answer, or steps that were left out
    equal: int  # the words of a held-out problem
    near: int  # almost the words of another corpus's held-out problem
    repeated: int  # in an earlier source as well
    learned: int
    own: int  # of the learned: almost the words of a held-out problem of the same corpus
    covered: int  # of the learned: every constant is used often enough to be written
    long: int  # of the learned: the tree has more symbols than a search writes

    @property
    def duplicates(self) -> int:
        """Dropped as copies."""
        return self.equal + self.near + self.repeated


@dataclass(frozen=True, slots=True)
class MixtureMaterial:
    """What a network learns from, what is held out by part (`hmwp/fold0`), counts by source, a checkpoint's data."""

    train: tuple[Example, ...]
    validation: Mapping[str, tuple[Prepared, ...]]
    test: Mapping[str, tuple[Prepared, ...]]
    sources: Mapping[str, SourceCounts]
    data: dict[str, Any]


def gather_mixture(config: ExperimentConfig, folder: Path | None = None) -> MixtureMaterial:
    """Read the corpora of a mixture, hold its parts out and drop what may not be learned from."""
    mixture = mixture_of(config)
    corpora = {name: load(name, folder) for name in dict.fromkeys((*mixture.sources, *map(_corpus_of, mixture.parts)))}
    problems = _held_out_problems(mixture, corpora)
    parts = {part: tuple(_prepared(config, own)) for part, own in problems.items()}
    tested = HeldOutTexts(
        ((_corpus_of(part), one.text) for part, own in parts.items() for one in own), mixture.near, mixture.within
    )
    ids = {name: {p.id for part, own in problems.items() if _corpus_of(part) == name for p in own} for name in corpora}
    sorter = _Sorter(tested, mixture.checked)
    fates: dict[str, list[tuple[Fate, Example | None]]] = {}
    for name in mixture.sources:
        left = [problem for problem in corpora[name] if problem.id not in ids[name]]
        fates[name] = [(sorter.fate(name, one), one.example) for one in _prepared(config, left)]
    learned = {
        name: [example for fate, example in own if fate in ("own", "learned") and example]
        for name, own in fates.items()
    }
    known = {tree for tree, covered in _covered([e.tree for own in learned.values() for e in own]) if covered}
    sources = {
        name: _counts(len(corpora[name]), len(ids[name]), [fate for fate, _ in own], learned[name], known)
        for name, own in fates.items()
    }
    return MixtureMaterial(
        train=tuple(example for own in learned.values() for example in own),
        validation={part: parts[part] for part in mixture.validation},
        test={part: parts[part] for part in mixture.test},
        sources=sources,
        data=_described(config, corpora, sources, parts),
    )


def held_out(config: ExperimentConfig, part: str, folder: Path | None = None) -> list[Prepared]:
    """The problems of one held-out part, without reading all that is learned from."""
    mixture = mixture_of(config)
    if part not in mixture.parts:
        raise InputError(f"{config.name} holds out {', '.join(mixture.parts)}; {part!r} came.")
    corpora = {_corpus_of(part): load(_corpus_of(part), folder)}
    return list(_prepared(config, _held_out_problems(mixture, corpora)[part]))


def mixture_of(config: ExperimentConfig) -> MixtureOptions:
    """The table [mixture]; InputError where there is none."""
    if config.mixture is None:
        raise InputError(f"{config.name}: a table [mixture] was expected, the corpus {config.corpus} came.")
    return config.mixture


def _corpus_of(part: str) -> str:
    return part.partition("/")[0]


def _held_out_problems(mixture: MixtureOptions, corpora: Mapping[str, Corpus]) -> dict[str, tuple[Problem, ...]]:
    found: dict[str, tuple[Problem, ...]] = {}
    for name, corpus in corpora.items():
        own = [part.partition("/")[2] for part in mixture.parts if _corpus_of(part) == name]
        found |= {f"{name}/{part}": problems for part, problems in held_out_of(corpus, own).items()}
    return found


def _prepared(config: ExperimentConfig, problems: Sequence[Problem]) -> Iterator[Prepared]:
    return (prepare(problem, config.text, True, config.equations, one_form) for problem in problems)


class _Sorter:
    """Decides, source by source, what becomes of each problem."""

    def __init__(self, tested: HeldOutTexts, checked: bool) -> None:
        self.tested = tested
        self.checked = checked
        self.first: dict[object, str] = {}  # the source that had a text, or words and a tree, first

    def fate(self, source: str, one: Prepared) -> Fate:
        if one.learned is None:
            return "unusable"
        if self.checked and not agrees(one.problem, one.learned, one.numbers):
            return "disagreeing"
        if self.checked and one.numbers and not one.learned.slots():
            return "unfounded"
        overlap = self.tested.find(source, one.text)
        if overlap in ("equal", "near"):
            return overlap
        words = masked(one.text)
        firsts = {self.first.setdefault(key, source) for key in ((words, values(one.text)), (words, one.learned))}
        if firsts != {source}:
            return "repeated"
        return overlap or "learned"


def _covered(trees: Sequence[Uet]) -> Iterator[tuple[Uet, bool]]:
    """Whether every constant of a tree is one that training uses often enough to write it."""
    constants = frozenset(TargetVocabulary.build([tree.symbols for tree in trees], MINIMUM_CONSTANT_COUNT).constants)
    for tree in dict.fromkeys(trees):
        yield tree, all(symbol.value in constants for symbol in tree.symbols if isinstance(symbol, Number))


def _counts(
    problems: int, held: int, fates: Sequence[Fate], learned: Sequence[Example], known: set[Uet]
) -> SourceCounts:
    return SourceCounts(
        problems=problems,
        held_out=held,
        unusable=fates.count("unusable"),
        disagreeing=fates.count("disagreeing"),
        unfounded=fates.count("unfounded"),
        equal=fates.count("equal"),
        near=fates.count("near"),
        repeated=fates.count("repeated"),
        learned=len(learned),
        own=fates.count("own"),
        covered=sum(example.tree in known for example in learned),
        long=sum(len(example.tree) > LONGEST_TREE for example in learned),
    )


def _described(
    config: ExperimentConfig,
    corpora: Mapping[str, Corpus],
    sources: Mapping[str, SourceCounts],
    parts: Mapping[str, Sequence[Prepared]],
) -> dict[str, Any]:
    """What a checkpoint says of its data: what was learned from, what was held out, what was dropped."""
    mixture = mixture_of(config)
    return {
        "name": "mixture",
        "language": mixture.language,
        "text": config.text,
        "equations": config.equations,
        "sources": {
            name: {"fingerprint": corpora[name].fingerprint, "duplicates": counts.duplicates, **asdict(counts)}
            for name, counts in sources.items()
        },
        "test": {part: len(parts[part]) for part in mixture.test},
        "validation": {part: len(parts[part]) for part in mixture.validation},
        "checked": mixture.checked,
        "near": mixture.near,
        "within": mixture.within,
    }
