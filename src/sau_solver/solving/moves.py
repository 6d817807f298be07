"""The moves of the exact solver, as values that steps can explain; equations are text in our own notation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RootNamed:
    """A root was replaced by a new unknown with an equation of its own."""

    name: str
    equation: str


@dataclass(frozen=True, slots=True)
class DenominatorsCleared:
    """The equations were multiplied by divisors that must not be zero."""

    divisors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """Brackets were expanded and like terms collected."""

    equation: str


@dataclass(frozen=True, slots=True)
class Divided:
    """A linear equation was divided by the coefficient of its unknown."""

    factor: str
    equation: str


@dataclass(frozen=True, slots=True)
class SquareCompleted:
    """A quadratic equation was written as a square."""

    equation: str


@dataclass(frozen=True, slots=True)
class NegativeSquareFound:
    """The square would have to be a negative number."""

    value: str


@dataclass(frozen=True, slots=True)
class Factored:
    """A polynomial was factored over the rational numbers."""

    equation: str


@dataclass(frozen=True, slots=True)
class CommonFactorFound:
    """Several equations in one unknown were replaced by their greatest common divisor."""

    equation: str


@dataclass(frozen=True, slots=True)
class CaseOpened:
    """The case was examined in which the coefficient of a substituted unknown is zero."""

    equation: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """An equation was solved for an unknown, and the result was put into the equations that are left."""

    equation: str
    result: str
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Eliminated:
    """An unknown was eliminated from non-linear equations by a resultant."""

    unknown: str
    equation: str


@dataclass(frozen=True, slots=True)
class MatrixReduced:
    """A large linear system was solved by Gaussian elimination."""


@dataclass(frozen=True, slots=True)
class SolvedSymbolically:
    """SymPy solved the equations."""


Move = (
    RootNamed
    | DenominatorsCleared
    | Collected
    | Divided
    | SquareCompleted
    | NegativeSquareFound
    | Factored
    | CommonFactorFound
    | CaseOpened
    | Substituted
    | Eliminated
    | MatrixReduced
    | SolvedSymbolically
)
