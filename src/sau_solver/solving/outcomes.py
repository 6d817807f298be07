"""How solving ends: the outcome, the solutions, the reason as a code, and the moves that led there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

from sau_solver.phrases import Phrase
from sau_solver.solving.values import Value

Assignment = Mapping[str, Value]
Move = Phrase  # one move of the solver: the code of a step, and what the step shows
Trace = Callable[[], Iterator[Move]]

MAX_LENGTH = 100_000  # characters of a polynomial that is printed, and of all moves of a solve


class Outcome(StrEnum):
    """How solving ended; `partial` means that the solutions are right, but perhaps not all."""

    SOLVED = "solved"
    PARTIAL = "partial"
    NONE = "none"
    INFINITE = "infinite"
    TOO_HARD = "too_hard"


class Reason(Phrase):
    """Why equations have no list of solutions."""


class NotPolynomialError(Exception):
    """The equations contain something that is not a rational function, so SymPy must try."""


class DividesByZeroError(Exception):
    """A divisor is zero for all values of the unknowns."""


class UndeterminedError(Exception):
    """The equations leave an unknown free, so there are infinitely many solutions."""


class TooHardError(Exception):
    """The equations cannot be solved within the limits; `reason` says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.reason = Reason.of(code, **values)


@dataclass(frozen=True, slots=True)
class Solved:
    """The outcome with every real solution, in increasing order of the unknowns.

    If there are infinitely many solutions, each of them belongs to one of the `families`, which list the unknowns that
    have a value there. A family can be empty: (x-y)*(x-3)=0 has the families {} and {x: 3}. Without families, nothing
    is known about the solutions. `excluded` are roots of the cleared equations that make a denominator zero, and
    `unmet` are solutions that do not meet the conditions. `trace` turns what the solver kept of its work into moves.
    """

    outcome: Outcome
    solutions: tuple[Assignment, ...] = ()
    reason: Reason | None = None
    families: tuple[Assignment, ...] = ()
    excluded: tuple[Assignment, ...] = ()
    unmet: tuple[Assignment, ...] = ()
    trace: Trace | None = field(default=None, compare=False, repr=False)

    @property
    def determined(self) -> tuple[Assignment, ...]:
        """The families in which at least one unknown has a value."""
        return tuple(family for family in self.families if family)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that the solver made, up to the first number that is too long to print, or up to MAX_LENGTH."""
        moves: list[Move] = []
        length = 0
        with suppress(TooHardError):
            for move in self.trace() if self.trace else ():
                length += sum(len(value) for _, value in move.values if isinstance(value, str))
                if length > MAX_LENGTH:
                    break
                moves.append(move)  # keeps the moves before an error
        return tuple(moves)
