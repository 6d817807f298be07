"""Equations and their solutions -> worked steps in Chinese or English: what was done to the equations, and the check.

The steps follow the exact solver: denominators cleared, terms collected, unknowns substituted, squares completed or
factors found, forbidden roots dropped, every root put back into the equations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq_poly

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    to_text,
    unknowns_of,
)
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.problem import Language
from sau_solver.solving import Assignment, Outcome, Solved, Value, decimal_of
from sau_solver.solving.algebraic import irreducible_factors
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import Polynomial, Ring, clear_denominators, polynomial_text, to_fraction
from sau_solver.solving.radicals import without_radicals
from sau_solver.solving.systems import System
from sau_solver.solving.values import is_printable

MAX_FACTORED_STEP = 12  # degree up to which factors are shown
TINY = 1e-9  # a side of a checked equation smaller than this is shown as zero


def explain(equations: Equations, solved: Solved, language: Language = "en") -> list[Step]:
    """Return the worked steps."""
    step = StepWriter(language)
    names = unknowns_of(equations)
    opening = "solve" if names else "statement"
    steps = [step(opening, equations=to_text(equations), unknowns=", ".join(names))]
    replaced, radicals = without_radicals(equations)
    for radical in radicals:
        sign = f", {radical.name}≥0" if radical.degree % 2 == 0 else ""
        steps.append(step("radical", name=radical.name, equation=f"{radical.equation}{sign}"))
    try:
        if solved.outcome is Outcome.TOO_HARD:
            raise NotPolynomialError  # what the solver refused is not worked out for show
        names = unknowns_of(replaced)
        ring = Ring(names)
        vanishing, divisors = clear_denominators(replaced, ring)
        steps += _nonzero(ring, divisors, step)
        if len(names) == 1:
            steps += _one_unknown(ring, vanishing, step)
        elif names:
            steps += _several(ring, vanishing, step)
    except (NotPolynomialError, TooHardError, DividesByZeroError):
        if solved.outcome is Outcome.SOLVED:
            steps.append(step("symbolic"))
    steps += _outcome(equations, solved, step)
    return list(dict.fromkeys(steps))


def check_steps(equations: Equations, solved: Solved, language: Language) -> list[Step]:
    """Return the check by substitution of every solution."""
    write = StepWriter(language)
    return [step for solution in solved.solutions for step in _check(equations, solution, write)]


def _nonzero(ring: Ring, divisors: list[Polynomial], step: StepWriter) -> Iterator[Step]:
    if divisors:
        shown = dict.fromkeys(polynomial_text(ring, divisor) for divisor in divisors)
        yield step("denominators", divisors=", ".join(f"{text}≠0" for text in shown))


def _one_unknown(ring: Ring, vanishing: list[Polynomial], step: StepWriter) -> Iterator[Step]:
    name = ring.unknowns[0]
    for polynomial in vanishing:
        if polynomial.degree() <= 0:
            continue
        if polynomial.degree() == 1:
            slope, constant = to_fraction(polynomial[1]), to_fraction(-polynomial[0])
            if slope < 0:
                slope, constant = -slope, -constant
            if slope != 1:
                yield step("collect", equation=f"{_times(slope, name)}={_shown(constant)}")
                yield step("divide", factor=_shown(slope), equation=f"{name}={_shown(constant / slope)}")
            else:
                yield step("collect", equation=f"{name}={_shown(constant)}")
            continue
        monic = polynomial / polynomial.leading_coefficient()
        yield step("collect", equation=f"{polynomial_text(ring, monic)}=0")
        yield from _quadratic_or_factors(ring, monic, step)


def _quadratic_or_factors(ring: Ring, monic: Polynomial, step: StepWriter) -> Iterator[Step]:
    if monic.degree() == 2:
        yield from _square(ring.unknowns[0], monic, step)
    else:
        yield from _factors(ring, monic, step)


def _square(name: str, monic: Polynomial, step: StepWriter) -> Iterator[Step]:
    """x² + b x + c = 0 as (x + b/2)² = b²/4 - c."""
    half = to_fraction(monic[1]) / 2
    right = half * half - to_fraction(monic[0])
    if half:
        sign = "+" if half > 0 else "-"
        yield step("square", equation=f"({name}{sign}{_shown(abs(half))})^2={_shown(right)}")
    if right < 0:
        yield step("negative_square", value=_shown(right))


def _factors(ring: Ring, monic: Polynomial, step: StepWriter) -> Iterator[Step]:
    factors = irreducible_factors(monic)
    if monic.degree() <= MAX_FACTORED_STEP and len(factors) > 1:
        shown = "*".join(f"({polynomial_text(ring, fmpq_poly(factor))})" for factor in factors)
        yield step("factor", equation=f"{shown}=0")


def _several(ring: Ring, vanishing: list[Polynomial], step: StepWriter) -> Iterator[Step]:
    """Substitution after substitution, then what is left."""
    system = System(ring, tuple(vanishing), ())
    system.refuse_large()
    while (found := system.substitution()) is not None:
        used, substitution, system = found
        value = polynomial_text(ring, substitution.numerator / substitution.denominator.leading_coefficient())
        if not substitution.denominator.is_constant():
            numerator = polynomial_text(ring, substitution.numerator)
            value = f"{_bracketed(numerator)}/{_bracketed(polynomial_text(ring, substitution.denominator))}"
        yield step("express", equation=f"{polynomial_text(ring, used)}=0", result=f"{substitution.unknown}={value}")
        left = [f"{polynomial_text(ring, p)}=0" for p in system.vanishing if not p.is_zero()]
        if left:
            yield step("substitute", equations="; ".join(left))
    if (eliminated := system.eliminant()) is not None:
        unknown, polynomial = eliminated
        yield step("eliminate", unknown=unknown, equation=f"{polynomial_text(ring, polynomial)}=0")
        system = System(ring, (polynomial,), ())
    if (remaining := system.univariate()) is not None:
        name, polynomials = remaining
        for dense in polynomials:
            monic = dense / dense.leading_coefficient()
            if monic.degree() > 1:
                yield from _quadratic_or_factors(Ring((name,)), monic, step)


def _outcome(equations: Equations, solved: Solved, step: StepWriter) -> Iterator[Step]:
    for solution in solved.excluded:
        yield step("excluded", solution=assignment_text(solution))
    reason = solved.reason.said(step.language) if solved.reason else ""
    match solved.outcome:
        case Outcome.SOLVED:
            for solution in solved.solutions:
                yield step("root", solution=assignment_text(solution))
            for solution in solved.solutions:
                yield from _check(equations, solution, step)
        case Outcome.INFINITE:
            yield step("infinite", reason=reason)
            for family in solved.families:
                yield step(
                    "all_families" if len(solved.families) == 1 else "one_family", solution=assignment_text(family)
                )
        case Outcome.NONE:
            yield step("none", reason=reason)
        case Outcome.TOO_HARD:
            yield step("too_hard", reason=reason)


def _check(equations: Equations, solution: Assignment, step: StepWriter) -> Iterator[Step]:
    """Put the values into both sides of every equation."""
    exact = all(isinstance(value, Fraction) for value in solution.values())
    for equation in equations:
        try:
            left, right = evaluate(equation.left, solution), evaluate(equation.right, solution)
        except NotEvaluatedError:
            continue
        if not (is_printable(left) and is_printable(right)):
            continue
        if exact:
            yield step("check", equation=_filled(equation, solution), left=_shown(left), right=_shown(right))
        else:
            rounded = 0.0 if abs(left) < TINY else decimal_of(left)
            if math.isfinite(rounded):
                yield step(
                    "check_near", equation=str(equation), solution=assignment_text(solution), left=f"{rounded:.6g}"
                )


def _filled(equation: Equation, solution: Assignment) -> str:
    return str(Equation(_put(equation.left, solution), _put(equation.right, solution)))


def _put(node: Expression, solution: Assignment) -> Expression:
    match node:
        case Unknown(name) if isinstance(value := solution[name], Fraction):
            return Number(value)
        case Operation(operator, left, right):
            return Operation(operator, _put(left, solution), _put(right, solution))
    return node


def assignment_text(solution: Assignment) -> str:
    """x=10, y=5/2 (2.5)."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in solution.items())


def value_text(value: Value) -> str:
    """An exact value, with its decimal where that says more."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value)
    decimal = f"{decimal_of(value):.6g}"
    return f"{value} ({'=' if value == _decimal(decimal) else '≈'}{decimal})"


def _decimal(text: str) -> Fraction | None:
    return None if "inf" in text else Fraction(text)


def _shown(value: Fraction) -> str:
    if not is_printable(value):
        raise TooHardError("large_solution")
    return str(value)


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _times(factor: Fraction, name: str) -> str:
    return f"{factor}*{name}" if factor.denominator == 1 else f"({factor})*{name}"
