"""Combine several corpora into one training set and hold out parts that no training problem copies.

All trees get a common form (`common_form`), so that a network does not have to guess which corpus it reads. A training
problem is dropped if it has no tree, if its tree does not give the annotated answers or uses no number of the text, if
it copies a held-out problem (`overlap`), or if an earlier source contains it. Held-out parts stay as published. A
mixture may have sources that are made for it, generated problems and changed copies; they pass the same checks.
Several processes prepare the problems of a large mixture; only what depends on earlier problems is decided in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.data import Corpus, load
from sau_solver.data.checking import tree_agrees
from sau_solver.data.prepared.answer_labels import is_learnable, reader_accepts
from sau_solver.data.prepared.common_form import common_form
from sau_solver.data.prepared.examples import Prepared, TextView, mapped, prepare
from sau_solver.data.prepared.held_out_parts import held_out_of
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.data.prepared.overlap import HeldOutTexts, masked, values
from sau_solver.data.prepared.parallel_map import ParallelMap, processes_for
from sau_solver.data.prepared.training_copies import LearnedText
from sau_solver.data.prepared.trusted_labels import is_trusted
from sau_solver.data.registry import noisy_corpora
from sau_solver.equations.expressions import Number
from sau_solver.equations.normal_form import Level
from sau_solver.equations.symbols import MINIMUM_CONSTANT_COUNT
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError, RowError
from sau_solver.models.base import Example
from sau_solver.models.options import SauOptions
from sau_solver.models.targets import frequent_constants
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText

LONGEST_TREE = SauOptions().longest_tree

# What happens to a problem that is not held out. own: learned, but nearly a copy of a held-out problem of its corpus.
Fate = Literal["unusable", "disagreeing", "unfounded", "equal", "near", "repeated", "own", "learned"]


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """How many problems of a source were used and dropped. `held_out` to `learned` add up to `problems`."""

    problems: int
    held_out: int
    unusable: int  # no equations, or equations that cannot be parsed or written as a tree
    disagreeing: int  # gold equations that do not give the annotated answers
    unfounded: int  # trees that use no number of the text, or that a noisy source does not explain (trusted_labels)
    equal: int  # the same words as a held-out problem
    near: int  # nearly the words of a held-out problem of another corpus
    repeated: int  # also in an earlier source
    learned: int
    own: int  # learned, with nearly the words of a held-out problem of the same corpus
    covered: int  # learned, with constants that are all frequent enough to be in the target vocabulary
    long: int  # learned, with a tree of more symbols than beam search generates

    @property
    def duplicates(self) -> int:
        """The number of problems dropped as copies."""
        return self.equal + self.near + self.repeated


@dataclass(frozen=True, slots=True)
class MixtureMaterial:
    """The training examples, the held-out parts by name (`hmwp/fold0`), counts by source, and data for a checkpoint."""

    train: tuple[Example, ...]
    validation: Mapping[str, tuple[Prepared, ...]]
    test: Mapping[str, tuple[Prepared, ...]]
    sources: Mapping[str, SourceCounts]
    data: dict[str, Any]
    rejected: Mapping[str, Sequence[RowError]] = field(default_factory=dict)  # rows that cannot be read, by corpus


# Makes the problems of the sources `mixture.made`, given the problems that are learned from the corpora.
Make = Callable[[MixtureOptions, Sequence[Problem], ParallelMap], Mapping[str, Sequence[Problem]]]


def gather_mixture(
    mixture: MixtureOptions,
    view: TextView,
    level: Level,
    folder: Path | None = None,
    make: Make | None = None,
    labels: Labels | None = None,
) -> MixtureMaterial:
    """Read the corpora of a mixture, hold out its parts and drop the training problems that must not be learned.

    `make` is `curriculum.additions.additions`; only a mixture with generated or augmented problems needs it. `labels`
    are equations for problems with answers only; by default those of the files that the mixture names. The number of
    processes changes nothing but the time.
    """
    labels = labels or Labels.read(mixture.labels)
    corpora = _corpora(mixture, folder)
    problems = _held_out_problems(mixture, corpora)
    read = sum(len(corpora[name]) for name in mixture.sources)
    with ParallelMap(processes_for(round((1 + mixture.augmented) * read) + mixture.generated)) as parallel:
        preparing = _Preparing(view, level, mixture.asked)
        prepared_parts = parallel.map(_prepared, preparing, [one for own in problems.values() for one in own])
        parts = {part: tuple(islice(prepared_parts, len(own))) for part, own in problems.items()}
        tested = HeldOutTexts(
            ((_corpus_of(part), one.text) for part, own in parts.items() for one in own), mixture.near, mixture.within
        )
        sorter = _Sorter(preparing, tested, mixture.checked, frozenset(labels.found))
        sorting = _Sorting(mixture.weights)
        left = {name: labels.applied(name, _left_of(name, corpora[name], problems)) for name in mixture.sources}
        sorting.sort(left, parallel, sorter)
        if mixture.made:
            assert make is not None, "a mixture with generated or augmented problems needs `make`"
            made = make(mixture, [one.problem for own in sorting.learned.values() for one in own], parallel)
            corpora |= {name: Corpus(name, tuple(own), (), ()) for name, own in made.items()}
            sorting.sort(made, parallel, sorter)
    learned = sorting.learned
    known = {tree for tree, covered in _covered([e.tree for own in learned.values() for e in own]) if covered}
    sources = {name: _counts(len(corpora[name]), own, learned[name], known) for name, own in sorting.fates.items()}
    return MixtureMaterial(
        train=tuple(example for own in learned.values() for example in own),
        validation={part: parts[part] for part in mixture.validation},
        test={part: parts[part] for part in mixture.test},
        sources=sources,
        data={"name": "mixture", "language": mixture.language, "text": view, "equations": level}
        | _described(mixture, corpora, sources, parts)
        | labels.described(),
        rejected={name: corpus.rejected for name, corpus in corpora.items() if corpus.rejected},
    )


def held_out(
    mixture: MixtureOptions, part: str, view: TextView, level: Level, folder: Path | None = None
) -> list[Prepared]:
    """Return the problems of one held-out part without reading the training sources."""
    if part not in mixture.parts:
        raise InputError(f"part must be a held-out part of the mixture ({', '.join(mixture.parts)}), got {part!r}.")
    corpora = {_corpus_of(part): load(_corpus_of(part), folder)}
    return list(prepared(_held_out_problems(mixture, corpora)[part], view, level, mixture.asked))


def _corpus_of(part: str) -> str:
    return part.partition("/")[0]


def _held_out_problems(mixture: MixtureOptions, corpora: Mapping[str, Corpus]) -> dict[str, tuple[Problem, ...]]:
    found: dict[str, tuple[Problem, ...]] = {}
    for name, corpus in corpora.items():
        own = [part.partition("/")[2] for part in mixture.parts if _corpus_of(part) == name]
        found |= {f"{name}/{part}": problems for part, problems in held_out_of(corpus, own).items()}
    return found


def _left_of(name: str, corpus: Corpus, parts: Mapping[str, Sequence[Problem]]) -> list[Problem]:
    """Return the problems of a source that are not held out.

    Of School, which has contrast groups, a group with a held-out problem is held out as a whole, and only the split
    `train` is learned, even if the mixture does not test the others.
    """
    held_out = [problem for part, own in parts.items() if _corpus_of(part) == name for problem in own]
    held = {problem.id for problem in held_out}
    groups = {problem.lesson.group for problem in held_out if problem.lesson} - {""}
    return [
        problem
        for problem in corpus
        if problem.id not in held
        and not (problem.lesson and (problem.lesson.group in groups or problem.split not in (None, "train")))
    ]


def prepared(
    problems: Sequence[Problem], view: TextView, level: Level, asked_first: AskedFirst = ""
) -> Iterator[Prepared]:
    """Yield problems as a mixture prepares them."""
    return map(partial(_prepared, _Preparing(view, level, asked_first)), problems)


@dataclass(frozen=True, slots=True)
class _Preparing:
    """How the problems of a mixture are prepared."""

    view: TextView
    level: Level
    asked_first: AskedFirst


def _prepared(how: _Preparing, problem: Problem) -> Prepared:
    return prepare(problem, how.view, True, how.level, common_form, how.asked_first)


@dataclass(frozen=True, slots=True)
class _Sorter:
    """What decides about one problem alone, so that any process can do it."""

    preparing: _Preparing
    tested: HeldOutTexts
    checked: bool
    labeled: frozenset[tuple[str, str]]  # corpora and ids of the problems whose equations were found from the answers

    def fate(self, source: str, one: Prepared) -> Fate:
        """Return what happens to a problem if no earlier one is the same."""
        if one.learned is None:
            return "unusable"
        if self.checked and not self.agrees(source, one, one.learned):
            return "disagreeing"
        if self.checked and one.numbers and not one.learned.slots():
            return "unfounded"
        if self.checked and source in noisy_corpora() and not is_trusted(one):
            return "unfounded"
        return self.tested.find(source, one.text) or "learned"

    def agrees(self, source: str, one: Prepared, tree: Uet) -> bool:
        if tree_agrees(one.problem, tree, one.numbers):
            return True
        return (source, one.problem.id) in self.labeled and reader_accepts(one.problem, one.text, tree)


# The fate of a problem, and its text and tree if it may be learned. Without the problem, which need not travel back.
_Sorted = tuple[Fate, tuple[MappedText, Uet] | None]


def _sorted(sorter: _Sorter, named: tuple[str, Problem]) -> _Sorted:
    source, problem = named
    one = _prepared(sorter.preparing, problem)
    fate = sorter.fate(source, one)
    return fate, (one.text, one.learned) if fate in ("own", "learned") and one.learned else None


class _Sorting:
    """The fates and the training examples of the sources so far, in the order of the sources."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        self.fates: dict[str, list[Fate]] = {}
        self.learned: dict[str, list[Example]] = {}
        self._first: dict[object, str] = {}  # the first source that contains a text, or words and a tree

    def sort(self, sources: Mapping[str, Sequence[Problem]], parallel: ParallelMap, sorter: _Sorter) -> None:
        """Add sources."""
        named = [(source, problem) for source, own in sources.items() for problem in own]
        for source in sources:
            self.fates[source], self.learned[source] = [], []
        for (source, problem), (fate, kept) in zip(named, parallel.map(_sorted, sorter, named), strict=True):
            if kept and self._is_repeated(source, *kept):
                fate = "repeated"
            elif kept:
                self.learned[source].append(Example(problem, *kept, self.weights.get(source, 1.0)))
            self.fates[source].append(fate)

    def _is_repeated(self, source: str, text: MappedText, tree: Uet) -> bool:
        words = masked(text)
        return {self._first.setdefault(key, source) for key in ((words, values(text)), (words, tree))} != {source}


def answered_only(mixture: MixtureOptions, folder: Path | None = None) -> dict[str, list[Problem]]:
    """Return the problems of each source that have an answer and no equations, and are not held out."""
    corpora = _corpora(mixture, folder)
    parts = _held_out_problems(mixture, corpora)
    return {name: list(filter(is_learnable, _left_of(name, corpora[name], parts))) for name in mixture.sources}


def learnable(mixture: MixtureOptions, folder: Path | None = None) -> Iterator[LearnedText]:
    """Yield the problems of the sources that are not held out; copies of held-out problems say that they are dropped.

    The labels are not checked, so that some of these problems were not learned. This is faster than `gather_mixture`.
    """
    corpora = _corpora(mixture, folder)
    parts = _held_out_problems(mixture, corpora)
    tested = HeldOutTexts(
        ((_corpus_of(part), mapped(one, "raw")) for part, own in parts.items() for one in own),
        mixture.near,
        mixture.within,
    )

    def is_kept(source: str, problem: Problem) -> bool:
        return tested.find(source, mapped(problem, "raw")) not in ("equal", "near")

    for name in mixture.sources:
        for problem in _left_of(name, corpora[name], parts):
            yield LearnedText(problem, partial(is_kept, name, problem))


def _corpora(mixture: MixtureOptions, folder: Path | None) -> dict[str, Corpus]:
    return {name: load(name, folder) for name in dict.fromkeys((*mixture.sources, *map(_corpus_of, mixture.parts)))}


def _covered(trees: Sequence[Uet]) -> Iterator[tuple[Uet, bool]]:
    """Yield each distinct tree, and whether all its constants are frequent enough to be in the vocabulary."""
    constants = frozenset(frequent_constants(trees, MINIMUM_CONSTANT_COUNT))
    for tree in dict.fromkeys(trees):
        yield tree, all(symbol.value in constants for symbol in tree.symbols if isinstance(symbol, Number))


def _counts(problems: int, fates: Sequence[Fate], learned: Sequence[Example], known: set[Uet]) -> SourceCounts:
    dropped = {fate: fates.count(fate) for fate in get_args(Fate) if fate != "learned"}
    return SourceCounts(
        problems=problems,
        held_out=problems - len(fates),
        **dropped,
        learned=len(learned),
        covered=sum(example.tree in known for example in learned),
        long=sum(len(example.tree) > LONGEST_TREE for example in learned),
    )


def _described(
    mixture: MixtureOptions,
    corpora: Mapping[str, Corpus],
    sources: Mapping[str, SourceCounts],
    parts: Mapping[str, Sequence[Prepared]],
) -> dict[str, Any]:
    """Return what a checkpoint records about its sources and its held-out parts.

    Options that are newer than the first checkpoints are only named where they are used.
    """
    newer = {name: getattr(mixture, name) for name in ("generated", "augmented", "asked_first", "asked_expressions")}
    used = {name: value for name, value in newer.items() if value}
    if mixture.made:
        used["generated_seed"] = mixture.generated_seed
    if mixture.weights:
        used["weights"] = dict(mixture.weights)
    if mixture.verification:
        used["verification"] = {part: len(parts[part]) for part in mixture.verification}
    return used | {
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
