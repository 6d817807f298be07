"""Linear equations and conditions -> whether they contradict each other, by Fourier-Motzkin elimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Operation, unknowns_of
from sau_solver.solving.contraction import Relations
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import Ring, rational_form, to_fraction
from sau_solver.solving.reals import expect_time

MAX_ROWS = 120
MAX_UNKNOWNS = 40


@dataclass(frozen=True, slots=True)
class Row:
    """A sum of multiples of unknowns and a number that is positive, or not negative unless `strict`."""

    factors: tuple[Fraction, ...]  # the last one is the number
    strict: bool


def contradict(relations: Relations) -> bool:
    """Return whether the linear ones among the relations are proven to have no common solution.

    Raise UndecidedError if the time is over.
    """
    names = unknowns_of(tuple(Equation(left, right) for left, _, right in relations))
    if not names or len(names) > MAX_UNKNOWNS:
        return False
    ring = Ring(names if len(names) > 1 else (*names, ""))
    equal: list[list[Fraction]] = []
    rows: list[Row] = []
    for left, relation, right in relations:
        if relation not in ("=", "<", "<=", ">", ">="):
            continue
        expect_time()
        try:
            form = rational_form(Operation("-", left, right), ring)
        except (NotPolynomialError, DividesByZeroError, TooHardError):
            continue
        if not form.denominator.is_constant() or form.numerator.is_zero() or ring.degree(form.numerator) > 1:
            if not (form.numerator.is_zero() and relation in ("<", ">")):
                continue
            return True
        scale = ring.value_of(form.denominator) or Fraction(1)
        factors = [Fraction(0)] * (len(ring.unknowns) + 1)
        for monomial, coefficient in form.numerator.to_dict().items():
            factors[monomial.index(1) if any(monomial) else -1] = to_fraction(coefficient) / scale
        if relation == "=":
            equal.append(factors)
        else:
            sign = 1 if relation[0] == ">" else -1
            rows.append(Row(tuple(sign * one for one in factors), len(relation) == 1))
    return _is_empty(equal, rows)


def _is_empty(equal: list[list[Fraction]], rows: list[Row]) -> bool:
    """Return whether no point meets the equations and inequalities; False if they become too many."""
    while equal:
        pivot = equal.pop()
        place = next((k for k, factor in enumerate(pivot[:-1]) if factor), None)
        if place is None:
            if pivot[-1]:
                return True
            continue
        equal = [_without(one, pivot, place) for one in equal]
        rows = [Row(tuple(_without(one.factors, pivot, place)), one.strict) for one in rows]
    for place in range(len(rows[0].factors) - 1 if rows else 0):
        above = [one for one in rows if one.factors[place] > 0]
        below = [one for one in rows if one.factors[place] < 0]
        rest = [one for one in rows if not one.factors[place]]
        if len(above) * len(below) + len(rest) > MAX_ROWS:
            return False
        expect_time()
        rows = list(dict.fromkeys(rest + [_combined(one, two, place) for one in above for two in below]))
    return any(one.factors[-1] < 0 or (one.strict and one.factors[-1] == 0) for one in rows)


def _without(factors: Sequence[Fraction], pivot: Sequence[Fraction], place: int) -> list[Fraction]:
    ratio = factors[place] / pivot[place]
    return [one - ratio * other for one, other in zip(factors, pivot, strict=True)]


def _combined(one: Row, two: Row, place: int) -> Row:
    """Return the sum of two inequalities in which one unknown cancels."""
    first, second = -two.factors[place], one.factors[place]
    factors = tuple(first * a + second * b for a, b in zip(one.factors, two.factors, strict=True))
    size = next((abs(factor) for factor in factors if factor), Fraction(1))
    return Row(tuple(factor / size for factor in factors), one.strict or two.strict)
