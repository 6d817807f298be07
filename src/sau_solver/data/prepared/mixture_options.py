"""The table [mixture] of an experiment: several corpora that one network learns from, and what is held out of them.

[mixture]
language = "zh"
sources = ["math23k", "hmwp"]               # where two have the same problem, the first one's is kept
test = ["math23k/test", "hmwp/fold0"]       # a published split, or a fold of the corpus's manifest
validation = ["math23k/valid", "hmwp/slice11"]   # slice11: one in 11 of what the other parts leave
"""

from __future__ import annotations

from dataclasses import dataclass

from sau_solver.data import find_corpus
from sau_solver.data.prepared.overlap import Within
from sau_solver.errors import InputError
from sau_solver.problem import Language


@dataclass(frozen=True, slots=True)
class MixtureOptions:
    """Which corpora are learned from, what is held out, and what is dropped from training.

    checked  leave out problems whose gold equations do not have the annotated answers as solutions, or use no number
             of the text: labels that teach wrong things
    near     the similarity from which a training problem counts as a copy of another corpus's held-out problem
    within   what makes it a copy of its own corpus's held-out problem: equal `words`, or the whole `text` with numbers
    """

    language: Language
    sources: tuple[str, ...]
    test: tuple[str, ...]
    validation: tuple[str, ...] = ()
    checked: bool = True
    near: float = 0.8
    within: Within = "words"

    def __post_init__(self) -> None:
        if not self.sources or not self.test:
            raise InputError("[mixture] needs at least one source and one part to test; add them.")
        for name in (*self.sources, *(part.partition("/")[0] for part in self.parts)):
            if (language := find_corpus(name).language) != self.language:
                raise InputError(f"[mixture] is of language {self.language}; {name} is {language}. Leave it out.")
        for part in self.parts:
            if not part.partition("/")[2]:
                raise InputError(f"[mixture] holds out parts such as {part}/test or {part}/fold0; {part!r} came.")
        for names in (self.sources, self.parts):
            if repeated := next((name for name in names if names.count(name) > 1), None):
                raise InputError(f"[mixture] names {repeated} twice; once is enough.")
        if not 0 < self.near <= 1:
            raise InputError(f"[mixture] near is a similarity above 0 and up to 1; {self.near} came.")

    @property
    def parts(self) -> tuple[str, ...]:
        """Everything held out."""
        return self.test + self.validation
