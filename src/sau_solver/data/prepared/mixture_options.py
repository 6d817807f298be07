"""The table [mixture] of an experiment: the corpora that one network learns from, and the parts that are held out.

[mixture]
language = "zh"
sources = ["math23k", "hmwp"]               # if two contain the same problem, the first is used
test = ["math23k/test", "hmwp/fold0"]       # a published split, or a fold of the manifest
validation = ["math23k/valid", "hmwp/slice11"]   # slice11: one in 11 of the remaining problems
weights = { hmwp = 2.0, curriculum = 0.5 }  # in each epoch HMWP twice, and another half of the generated problems
generated = 40000                           # problems of the curriculum's training families: the source `curriculum`
augmented = 1.0                             # changed copies for each learned problem: the source `augmented`
asked_first = true                          # the unknown that is asked for is x
asked_expressions = true                    # if an expression is asked for, such as y-z, x=y-z is one more equation
labels = ["contest-zh.labels.jsonl"]        # sau data label: equations for problems that have only answers
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.data import find_corpus
from sau_solver.data.prepared.overlap import Within
from sau_solver.errors import InputError, did_you_mean
from sau_solver.problem import Language

CURRICULUM, AUGMENTED = "curriculum", "augmented"  # the sources that a mixture makes itself

# Corpora that only measure: problems of families that are never learned from.
_ONLY_TESTED = ("families-en", "families-zh")
_MAX_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class MixtureOptions:
    """The corpora of a mixture, its held-out parts, and the rules that drop training problems.

    checked  drop problems whose gold equations do not give the annotated answers or use no number of the text
    near     the similarity from which a training problem is a copy of a held-out problem of another corpus
    within   a training problem is a copy of a held-out problem of its own corpus if the `words` are equal, or the whole
             `text` with its numbers
    weights  how often an epoch has the problems of a source, by default once. A fraction is drawn anew for each epoch
    generated, generated_seed  the number of problems of the curriculum, and the seed for them and for the copies
    augmented  the number of changed copies for each learned problem of the sources, as far as they can be made
    asked_first  rename the unknowns of a tree so that the one that is asked for, if it is one, is x
    asked_expressions  with asked_first: add an equation x=y-z if y-z is asked for
    verification  held-out parts that only the verifier learns from
    labels   files of `sau data label`, relative to the working folder: equations for problems with answers only
    rounds   trainings that learn from answers alone; 0 leaves problems without equations and label out. The first
             learns those with one simplest tree; each further one those that the network before finds likely
    """

    language: Language
    sources: tuple[str, ...]
    test: tuple[str, ...]
    validation: tuple[str, ...] = ()
    checked: bool = True
    near: float = 0.8
    within: Within = "words"
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    generated: int = 0
    generated_seed: int = 0
    augmented: float = 0.0
    asked_first: bool = False
    asked_expressions: bool = False
    verification: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    rounds: int = 0

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
        if tested := next((name for name in self.sources if name in _ONLY_TESTED), None):
            raise InputError(f"[mixture] sources must not name {tested}, which is only for tests. Set generated.")
        if self.asked_expressions and not self.asked_first:
            raise InputError("[mixture] asked_expressions needs asked_first = true. Add it.")
        if self.rounds < 0:
            raise InputError(f"[mixture] rounds must be 0 or more, got {self.rounds}.")
        self._check_made()

    def _check_made(self) -> None:
        for name in ("generated", "augmented"):
            if not (getattr(self, name) >= 0 and math.isfinite(getattr(self, name))):
                raise InputError(f"[mixture] {name} must be at least 0, got {getattr(self, name)}.")
        if not 0 <= self.generated_seed <= _MAX_SEED:
            raise InputError(f"[mixture] generated_seed must be 0 to {_MAX_SEED}, got {self.generated_seed}.")
        known = (*self.sources, *self.made)
        for name, weight in self.weights.items():
            if name not in known:
                raise InputError(
                    f"[mixture] weights must name sources of the mixture ({', '.join(known)}), got {name!r}."
                    f"{did_you_mean(name, known)}"
                )
            if not (weight > 0 and math.isfinite(weight)):
                raise InputError(f"[mixture] weights must be above 0, got {weight} for {name}. Remove the source.")

    @property
    def asked(self) -> AskedFirst:
        """What the trees call x, as `prepare` needs it."""
        return "expressions" if self.asked_expressions else "unknowns" if self.asked_first else ""

    @property
    def made(self) -> tuple[str, ...]:
        """The sources that are made for this mixture instead of read."""
        wanted = {CURRICULUM: self.generated > 0, AUGMENTED: self.augmented > 0}
        return tuple(name for name, made in wanted.items() if made)

    @property
    def parts(self) -> tuple[str, ...]:
        """All held-out parts."""
        return self.test + self.validation + self.verification
