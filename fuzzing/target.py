"""What a target of the fuzzer is: it draws inputs from a random generator, and checks one input.

An input is JSON, from which `check` builds the text and the truth, so that a shrunken input is still an input with a
known truth.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol, TypeAlias

Spec: TypeAlias = Any  # JSON


class WrongError(Exception):
    """The software broke a rule; findings of the same rule are one finding."""

    def __init__(self, rule: str, detail: object) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule = rule


class InvalidSpecError(Exception):
    """A shrunken input means nothing."""


class Target(Protocol):
    """One thing that is fuzzed."""

    name: str

    def draw(self, random: Random) -> Spec:
        """Return the next input; it depends on the generator alone."""
        ...

    def check(self, spec: Spec) -> str:
        """Check one input and return what kind of input it was; raise WrongError if a rule is broken."""
        ...


def require(condition: object, rule: str, detail: object) -> None:
    """Raise WrongError unless the condition holds."""
    if not condition:
        raise WrongError(rule, detail)


def random_of(seed: int, name: str, index: int) -> Random:
    """Return the generator of one input, so that every input can be made again."""
    return Random(f"{seed}/{name}/{index}")
