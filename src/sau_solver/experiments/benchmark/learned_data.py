"""What a system learned from: the test parts that it must not see, and the training texts to search for near copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from sau_solver.curriculum.families import find_skill
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.data import corpora, find_corpus, load
from sau_solver.data.prepared.folds import divide, load_manifest
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM, MixtureOptions
from sau_solver.data.prepared.mixtures import learnable
from sau_solver.data.prepared.training_copies import LearnedText
from sau_solver.experiments.benchmark.suite import ALL, part_of, standard_parts


class Learned(Protocol):
    """What a system learned from."""

    @property
    def note(self) -> str:
        """Return what the near copies of the report leave out, or why there are none."""
        ...

    def own_part(self, corpus: str) -> str:
        """Return the part of a corpus that the training held out; empty for the usual part."""
        ...

    def refusal(self, corpus: str, part: str) -> str:
        """Return why a part must not be tested; empty if it may be."""
        ...

    def problems(self) -> Iterator[LearnedText]:
        """Yield the problems that the system may have learned from."""
        ...


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known about the training data of the system, or it has none."""

    note: str = "What the system learned from is not known, so that near copies cannot be counted."

    def own_part(self, corpus: str) -> str:
        """Return no part: the usual one is tested."""
        return ""

    def refusal(self, corpus: str, part: str) -> str:
        """Return nothing: every part is tested."""
        return ""

    def problems(self) -> Iterator[LearnedText]:
        """Yield nothing."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Told(Unknown):
    """A program whose user names the corpora that it learned from; their tested parts count as held out."""

    names: tuple[str, ...] = ()
    note: str = "Near copies are those in the corpora that --learned-from names, without their test parts."

    def problems(self) -> Iterator[LearnedText]:
        """Yield the problems of the corpora outside of their test parts."""
        for name in self.names:
            corpus = load(name)
            parts = [part for part in standard_parts(corpus) if part != ALL]
            tested = {problem.id for part in parts for problem in part_of(corpus, part)}
            yield from (LearnedText(problem) for problem in corpus if problem.id not in tested)


@dataclass(frozen=True, slots=True)
class OneCorpus:
    """A network that learned from all folds of a corpus but one, or from the whole corpus."""

    corpus: str
    division: str = ""
    fold: int | None = None
    note: str = ""

    def own_part(self, corpus: str) -> str:
        """Return the held-out fold of the own corpus; the usual part if it is the same."""
        if corpus != self.corpus or self.fold is None:
            return ""
        own = load(corpus)
        tested = set(load_manifest(self.division, own).folds[self.fold].test)
        for part in standard_parts(own):
            if part != ALL and {problem.id for problem in part_of(own, part)} == tested:
                return part
        return f"fold{self.fold}"

    def refusal(self, corpus: str, part: str) -> str:
        """Refuse the own corpus, except the part that was held out, and corpora that share its files."""
        if corpus == self.corpus:
            own = self.own_part(corpus)
            return "" if own and part == own else f"the model learned from {corpus}"
        return f"the model learned from {self.corpus}, which shares its files" if _shared(corpus, self.corpus) else ""

    def problems(self) -> Iterator[LearnedText]:
        """Yield the problems of the training folds."""
        own = load(self.corpus)
        if self.fold is None:
            return map(LearnedText, own.problems)
        division = divide(load_manifest(self.division, own), self.fold, own.problems, lambda one: one.id)
        return map(LearnedText, division.train)


@dataclass(frozen=True, slots=True)
class Mixture:
    """A network that learned from a mixture of corpora."""

    options: MixtureOptions

    @property
    def note(self) -> str:
        """Say which training texts are compared: those of the corpora as they are on this machine."""
        made = "; changed copies of training problems are not compared" if self.options.augmented else ""
        return f"Near copies are looked for in {', '.join((*self.options.sources, *self._curriculum))}{made}."

    @property
    def _curriculum(self) -> tuple[str, ...]:
        return (CURRICULUM,) if self.options.generated else ()

    def own_part(self, corpus: str) -> str:
        """Return no part: a mixture holds out the usual ones, or none."""
        return ""

    def refusal(self, corpus: str, part: str) -> str:
        """Refuse parts of the sources that were not held out for tests, and corpora that share files with a source."""
        if f"{corpus}/{part}" in self.options.test:
            return ""
        if corpus in self.options.sources:
            return f"the model learned from {corpus}" + ("" if part == ALL else f" and did not hold out {part}")
        source = next((name for name in self.options.sources if _shared(corpus, name)), "")
        return f"the model learned from {source}, which shares its files" if source else ""

    def problems(self) -> Iterator[LearnedText]:
        """Yield the problems of the corpora, then those of the curriculum."""
        yield from learnable(self.options)
        every = generate(Choice(self.options.language, part="train"), self.options.generated_seed)
        learned = (one for one in every if one.lesson and not find_skill(one.lesson.skill).transfer)
        yield from map(LearnedText, islice(learned, self.options.generated))


def learned_from(data: Mapping[str, Any]) -> Learned:
    """Return what a checkpoint records about its training data."""
    if sources := data.get("sources"):
        read = [name for name in sources if name not in (CURRICULUM, AUGMENTED)]
        if strange := [name for name in read if name not in corpora()]:
            return Unknown(f"The model learned from {', '.join(strange)}, which is not registered here.")
        options = MixtureOptions(
            language=data["language"],
            sources=tuple(read),
            test=tuple(data["test"]),
            validation=tuple(data["validation"]),
            verification=tuple(data.get("verification", ())),
            near=data["near"],
            within=data["within"],
            generated=data.get("generated", 0),
            generated_seed=data.get("generated_seed", 0),
            augmented=data.get("augmented", 0.0),
        )
        return Mixture(options)
    if corpus := data.get("corpus"):
        if corpus not in corpora():
            return Unknown(f"The model learned from {corpus}, which is not registered here.")
        return OneCorpus(corpus, data.get("division", ""), data.get("fold"))
    return Unknown()


def told(names: Sequence[str]) -> Learned:
    """Return what the user of a program says that it learned from."""
    for name in names:
        find_corpus(name)
    return Told(names=tuple(names)) if names else Unknown()


def _shared(corpus: str, source: str) -> bool:
    known = corpora()
    return corpus in known and source in known and bool(set(known[corpus].files) & set(known[source].files))
