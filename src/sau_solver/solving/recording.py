"""What the solver kept of its work -> its moves. This runs only when the steps of a solution are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq_poly

from sau_solver.solving.outcomes import MAX_LENGTH, Move, TooHardError, Trace
from sau_solver.solving.polynomials import Polynomial, Ring, polynomial_text, to_fraction
from sau_solver.solving.radicals import Radical
from sau_solver.solving.values import is_printable

MAX_FACTORED = 12  # degree up to which factors are shown


@dataclass(frozen=True, slots=True)
class Substitution:
    """unknown = numerator / denominator, from `equation`; `left` are the equations after it."""

    unknown: str
    numerator: Polynomial
    denominator: Polynomial
    equation: Polynomial
    left: tuple[Polynomial, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """The case in which a coefficient is zero."""

    coefficient: Polynomial


@dataclass(slots=True)
class Branch:
    """One way through the cases of a system: the trail to its end, what was left there, and whether it had solutions.

    `remaining` is what is left in one unknown, `eliminated` the unknown that a resultant removed before.
    """

    trail: tuple[Substitution | Case, ...]
    unknown: str = ""
    remaining: Any = None
    factors: Sequence[Any] = ()
    equations: int = 0  # how many equations `remaining` is the greatest common divisor of
    eliminated: str = ""
    solved: bool = False


def one_unknown_moves(
    ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial], common: Any, factors: Sequence[Any]
) -> Iterator[Move]:
    """Yield the moves that solve equations in one unknown with the greatest common divisor `common`."""
    yield from _cleared(ring, divisors)
    name = ring.unknowns[0]
    monic = [p / p.leading_coefficient() for p in vanishing if p.degree() > 0]
    for polynomial, scaled in zip((p for p in vanishing if p.degree() > 0), monic, strict=True):
        if polynomial.degree() == 1:
            yield from _linear(name, to_fraction(polynomial[1]), to_fraction(-polynomial[0]))
        else:
            yield Move.of("collect", equation=f"{polynomial_text(ring, scaled)}=0")
    if common is not None and common.degree() > 0:
        if common / common.leading_coefficient() not in monic:
            yield Move.of("common_factor", equation=f"{polynomial_text(ring, common)}=0")
        yield from _roots(ring, common, factors)


def linear_moves(
    ring: Ring, divisors: Sequence[Polynomial], steps: Sequence[tuple[int, list[Any], list[list[Any]]]]
) -> Iterator[Move]:
    """Yield the substitutions that solve a linear system: the position of the unknown, its row, the rows left."""
    yield from _cleared(ring, divisors)
    for position, row, left in steps:
        value = [-entry / row[position] for entry in row]
        value[position] = 0
        result = f"{ring.unknowns[position]}={_row_text(ring, value)}"
        yield from _expressed(_row_text(ring, row), result, (_row_text(ring, other) for other in left))


def system_moves(ring: Ring, divisors: Sequence[Polynomial], branches: Sequence[Branch]) -> Iterator[Move]:
    """Yield the moves of the general branch, which is the last, and of every case that has solutions."""
    yield from _cleared(ring, divisors)
    *cases, general = branches
    shown = [branch for branch in (general, *cases) if branch.solved] or [general]
    for branch in shown:
        for entry in branch.trail:
            if isinstance(entry, Case):
                yield Move.of("case", equation=f"{polynomial_text(ring, entry.coefficient)}=0")
            else:
                yield from _substituted(ring, entry)
        if branch.remaining is None:
            continue
        own = Ring((branch.unknown,))
        equation = f"{polynomial_text(own, branch.remaining)}=0"
        if branch.eliminated:
            yield Move.of("eliminate", unknown=branch.eliminated, equation=equation)
        elif branch.equations > 1:
            yield Move.of("common_factor", equation=equation)
        yield from _roots(own, branch.remaining, branch.factors)


def radical_moves(radicals: Sequence[Radical], trace: Trace | None) -> Iterator[Move]:
    """Yield the roots that were replaced by unknowns, then the moves after that."""
    for radical in radicals:
        sign = f", {radical.name}≥0" if radical.degree % 2 == 0 else ""
        yield Move.of("radical", name=radical.name, equation=f"{radical.equation}{sign}")
    yield from trace() if trace else ()


def _cleared(ring: Ring, divisors: Iterable[Polynomial]) -> Iterator[Move]:
    if shown := dict.fromkeys(f"{polynomial_text(ring, divisor)}≠0" for divisor in divisors):
        yield Move.of("denominators", divisors=", ".join(shown))


def _linear(name: str, slope: Fraction, constant: Fraction) -> Iterator[Move]:
    """Yield the moves of slope * name = constant."""
    if slope < 0:
        slope, constant = -slope, -constant
    if slope == 1:
        yield Move.of("collect", equation=f"{name}={_shown(constant)}")
        return
    factor = f"{_shown(slope)}" if slope.denominator == 1 else f"({_shown(slope)})"
    yield Move.of("collect", equation=f"{factor}*{name}={_shown(constant)}")
    yield Move.of("divide", factor=_shown(slope), equation=f"{name}={_shown(constant / slope)}")


def _roots(ring: Ring, polynomial: Any, factors: Sequence[Any]) -> Iterator[Move]:
    """Yield how the roots of a polynomial in one unknown were found: by a square, or by factors."""
    if polynomial.degree() == 2:
        yield from _square(ring.unknowns[0], polynomial / polynomial.leading_coefficient())
    elif 2 < polynomial.degree() <= MAX_FACTORED and len(factors) > 1:
        shown = "*".join(f"({polynomial_text(ring, fmpq_poly(factor))})" for factor in factors)
        yield Move.of("factor", equation=f"{shown}=0")


def _square(name: str, monic: Polynomial) -> Iterator[Move]:
    """Yield x² + b x + c = 0 as (x + b/2)² = b²/4 - c."""
    half = to_fraction(monic[1]) / 2
    right = half * half - to_fraction(monic[0])
    if half:
        sign = "+" if half > 0 else "-"
        yield Move.of("square", equation=f"({name}{sign}{_shown(abs(half))})^2={_shown(right)}")
    if right < 0:
        yield Move.of("negative_square", value=_shown(right))


def _substituted(ring: Ring, step: Substitution) -> Iterator[Move]:
    value = polynomial_text(ring, step.numerator / step.denominator.leading_coefficient())
    if not step.denominator.is_constant():
        numerator, denominator = polynomial_text(ring, step.numerator), polynomial_text(ring, step.denominator)
        value = f"{_bracketed(numerator)}/{_bracketed(denominator)}"
    left = (polynomial_text(ring, p) for p in step.left if not p.is_zero())
    yield from _expressed(polynomial_text(ring, step.equation), f"{step.unknown}={value}", left)


def _expressed(equation: str, result: str, left: Iterable[str]) -> Iterator[Move]:
    yield Move.of("solve_for", equation=f"{equation}=0", result=result)
    shown, length = [], 0
    for one in left:
        shown.append(f"{one}=0")
        length += len(one)
        if length > MAX_LENGTH:
            raise TooHardError("large_solution")
    if shown:
        yield Move.of("substitute_all", equations="; ".join(shown))


def _row_text(ring: Ring, row: Sequence[Any]) -> str:
    """Return a linear polynomial, given as its coefficients and its constant, as text."""
    size = len(ring.unknowns)
    monomials = [tuple(int(k == position) for k in range(size)) for position in range(size + 1)]
    return polynomial_text(ring, ring.context.from_dict(dict(zip(monomials, row, strict=True))))


def _shown(value: Fraction) -> str:
    if not is_printable(value):
        raise TooHardError("large_solution")
    return str(value)


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text})"
