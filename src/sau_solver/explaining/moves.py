"""Equations and their solutions -> worked steps in Chinese or English: what was done to the equations, and the check.

The steps follow the exact solver: denominators cleared, terms collected, unknowns substituted, squares completed or
factors found, forbidden roots dropped, every root put back into the equations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
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
from sau_solver.explaining.phrases import PHRASES
from sau_solver.problem import Language
from sau_solver.solving import Assignment, Outcome, Solved, Value, decimal_of
from sau_solver.solving.algebraic import irreducible_factors
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.polynomials import (
    DividesByZeroError,
    NotPolynomialError,
    Polynomial,
    Ring,
    TooHardError,
    clear_denominators,
    polynomial_text,
    to_fraction,
)
from sau_solver.solving.radicals import without_radicals
from sau_solver.solving.systems import System
from sau_solver.solving.values import is_printable

MAX_FACTORED_STEP = 12  # degree up to which factors are shown
TINY = 1e-9  # a side of a checked equation smaller than this is shown as zero


def explain(equations: Equations, solved: Solved, language: Language = "en") -> list[str]:
    """The worked steps, one string each."""
    say = PHRASES[language]
    names = unknowns_of(equations)
    opening = "solve" if names else "statement"
    steps = [say[opening].format(equations=to_text(equations), unknowns=", ".join(names))]
    replaced, radicals = without_radicals(equations)
    for radical in radicals:
        sign = f", {radical.name}≥0" if radical.degree % 2 == 0 else ""
        steps.append(say["radical"].format(name=radical.name, equation=f"{radical.equation}{sign}"))
    try:
        if solved.outcome is Outcome.TOO_HARD:
            raise TooHardError(solved.reason)  # what the solver refused is not worked out for show
        names = unknowns_of(replaced)
        ring = Ring(names)
        vanishing, divisors = clear_denominators(replaced, ring)
        steps += _nonzero(ring, divisors, say)
        if len(names) == 1:
            steps += _one_unknown(ring, vanishing, say)
        elif names:
            steps += _several(ring, vanishing, say)
    except (NotPolynomialError, TooHardError, DividesByZeroError):
        if solved.outcome is Outcome.SOLVED:
            steps.append(say["symbolic"])
    steps += _outcome(equations, solved, say)
    return list(dict.fromkeys(steps))


def check_steps(equations: Equations, solved: Solved, language: Language) -> list[str]:
    """The check by substitution of every solution."""
    return [step for solution in solved.solutions for step in _check(equations, solution, PHRASES[language])]


def _nonzero(ring: Ring, divisors: list[Polynomial], say: Mapping[str, str]) -> Iterator[str]:
    if divisors:
        shown = dict.fromkeys(polynomial_text(ring, divisor) for divisor in divisors)
        yield say["denominators"].format(divisors=", ".join(f"{text}≠0" for text in shown))


def _one_unknown(ring: Ring, vanishing: list[Polynomial], say: Mapping[str, str]) -> Iterator[str]:
    name = ring.unknowns[0]
    for polynomial in vanishing:
        if polynomial.degree() <= 0:
            continue
        if polynomial.degree() == 1:
            slope, constant = to_fraction(polynomial[1]), to_fraction(-polynomial[0])
            if slope < 0:
                slope, constant = -slope, -constant
            if slope != 1:
                yield say["collect"].format(equation=f"{_times(slope, name)}={_shown(constant)}")
                yield say["divide"].format(factor=_shown(slope), equation=f"{name}={_shown(constant / slope)}")
            else:
                yield say["collect"].format(equation=f"{name}={_shown(constant)}")
            continue
        monic = polynomial / polynomial.leading_coefficient()
        yield say["collect"].format(equation=f"{polynomial_text(ring, monic)}=0")
        yield from _quadratic_or_factors(ring, monic, say)


def _quadratic_or_factors(ring: Ring, monic: Polynomial, say: Mapping[str, str]) -> Iterator[str]:
    if monic.degree() == 2:
        yield from _square(ring.unknowns[0], monic, say)
    else:
        yield from _factors(ring, monic, say)


def _square(name: str, monic: Polynomial, say: Mapping[str, str]) -> Iterator[str]:
    """x² + b x + c = 0 as (x + b/2)² = b²/4 - c."""
    half = to_fraction(monic[1]) / 2
    right = half * half - to_fraction(monic[0])
    if half:
        sign = "+" if half > 0 else "-"
        yield say["square"].format(equation=f"({name}{sign}{_shown(abs(half))})^2={_shown(right)}")
    if right < 0:
        yield say["negative_square"].format(value=_shown(right))


def _factors(ring: Ring, monic: Polynomial, say: Mapping[str, str]) -> Iterator[str]:
    factors = irreducible_factors(monic)
    if monic.degree() <= MAX_FACTORED_STEP and len(factors) > 1:
        shown = "*".join(f"({polynomial_text(ring, fmpq_poly(factor))})" for factor in factors)
        yield say["factor"].format(equation=f"{shown}=0")


def _several(ring: Ring, vanishing: list[Polynomial], say: Mapping[str, str]) -> Iterator[str]:
    """Substitution after substitution, then what is left."""
    system = System(ring, tuple(vanishing), ())
    system.refuse_large()
    while (step := system.substitution()) is not None:
        used, substitution, system = step
        value = polynomial_text(ring, substitution.numerator / substitution.denominator.leading_coefficient())
        if not substitution.denominator.is_constant():
            numerator = polynomial_text(ring, substitution.numerator)
            value = f"{_bracketed(numerator)}/{_bracketed(polynomial_text(ring, substitution.denominator))}"
        yield say["express"].format(
            equation=f"{polynomial_text(ring, used)}=0", result=f"{substitution.unknown}={value}"
        )
        left = [f"{polynomial_text(ring, p)}=0" for p in system.vanishing if not p.is_zero()]
        if left:
            yield say["substitute"].format(equations="; ".join(left))
    if (eliminated := system.eliminant()) is not None:
        unknown, polynomial = eliminated
        yield say["eliminate"].format(unknown=unknown, equation=f"{polynomial_text(ring, polynomial)}=0")
        system = System(ring, (polynomial,), ())
    if (remaining := system.univariate()) is not None:
        name, polynomials = remaining
        for dense in polynomials:
            monic = dense / dense.leading_coefficient()
            if monic.degree() > 1:
                yield from _quadratic_or_factors(Ring((name,)), monic, say)


def _outcome(equations: Equations, solved: Solved, say: Mapping[str, str]) -> Iterator[str]:
    for solution in solved.excluded:
        yield say["excluded"].format(solution=assignment_text(solution))
    match solved.outcome:
        case Outcome.SOLVED:
            for solution in solved.solutions:
                yield say["root"].format(solution=assignment_text(solution))
            for solution in solved.solutions:
                yield from _check(equations, solution, say)
        case Outcome.INFINITE:
            yield say["infinite"]
            for family in solved.families:
                yield say["family"].format(solution=assignment_text(family))
        case Outcome.NONE:
            yield say["none"].format(reason=say.get(solved.reason, solved.reason))
        case Outcome.TOO_HARD:
            yield say["too_hard"].format(reason=say.get(solved.reason, solved.reason))


def _check(equations: Equations, solution: Assignment, say: Mapping[str, str]) -> Iterator[str]:
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
            yield say["check"].format(equation=_filled(equation, solution), left=_shown(left), right=_shown(right))
        else:
            rounded = 0.0 if abs(left) < TINY else decimal_of(left)
            if math.isfinite(rounded):
                yield say["check_near"].format(
                    equation=str(equation), solution=assignment_text(solution), left=f"{rounded:.6g}"
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
        raise TooHardError("a number with thousands of digits")
    return str(value)


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _times(factor: Fraction, name: str) -> str:
    return f"{factor}*{name}" if factor.denominator == 1 else f"({factor})*{name}"
