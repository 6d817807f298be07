"""The table [mixture] of an experiment: the corpora that one network learns from, and the parts that are held out.

[mixture]
language = "zh"
sources = ["math23k", "hmwp"]               # if two contain the same problem, the first is used
test = ["math23k/test", "hmwp/fold0"]       # a published split, or a fold of the manifest
validation = ["math23k/valid", "hmwp/slice11"]   # slice11: one in 11 of the remaining problems
"""

from __future__ import annotations

from dataclasses import dataclass

from sau_solver.data import find_corpus
from sau_solver.data.prepared.overlap import Within
from sau_solver.errors import InputError
from sau_solver.problem import Language


@dataclass(frozen=True, slots=True)
class MixtureOptions:
    """The corpora of a mixture, its held-out parts, and the rules that drop training problems.

    checked  drop problems whose gold equations do not give the annotated answers or use no number of the text
    near     the similarity from which a training problem is a copy of a held-out problem of another corpus
    within   a training problem is a copy of a held-out problem of its own corpus if the `words` are equal, or the whole
             `text` with its numbers
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
            raise InputError("[mixture] must have at least one source and one test part. Add them.")
        for name in (*self.sources, *(part.partition("/")[0] for part in self.parts)):
            if (language := find_corpus(name).language) != self.language:
                raise InputError(
                    f"[mixture] sources must have the language {self.language}, got {name} ({language}). Remove it."
                )
        for part in self.parts:
            if not part.partition("/")[2]:
                raise InputError(f"[mixture] parts must be given as {part}/test or {part}/fold0, got {part!r}.")
        for names in (self.sources, self.parts):
            if repeated := next((name for name in names if names.count(name) > 1), None):
                raise InputError(f"[mixture] must name {repeated} only once. Remove the second.")
        if not 0 < self.near <= 1:
            raise InputError(f"[mixture] near must be above 0 and at most 1, got {self.near}.")

    @property
    def parts(self) -> tuple[str, ...]:
        """All held-out parts."""
        return self.test + self.validation
