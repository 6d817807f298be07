"""Equations -> exact real solutions, as one of four outcomes; never an exception, never a hang.

Linear systems are solved by substitution, equations in one unknown by a square or by factoring, polynomial systems by
`systems`. Equations that are not polynomial go to SymPy, in a process that is killed at its deadline (`symbolic`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from flint import fmpq

from sau_solver.equations.expressions import Equations, Statements, has_functions, unknowns_of
from sau_solver.solving.algebraic import irreducible_factors, quadratic_factors, real_roots
from sau_solver.solving.budget import DECISION_SECONDS, EXACT_SECONDS, Budget, limited, spending
from sau_solver.solving.conditions import under_conditions
from sau_solver.solving.exact_values import real_of
from sau_solver.solving.infinite_solutions import Conditioned
from sau_solver.solving.linear import Row, by_matrix, by_substitution, vanishes_on
from sau_solver.solving.nonnegative_sums import taken_apart
from sau_solver.solving.outcomes import (
    Assignment,
    DividesByZeroError,
    Move,
    NotPolynomialError,
    Outcome,
    Reason,
    Solved,
    TooHardError,
    Trace,
    UndeterminedError,
)
from sau_solver.solving.polynomials import Polynomial, Ring, clear_denominators, to_fraction
from sau_solver.solving.radicals import without_radicals
from sau_solver.solving.reals import UndecidedError
from sau_solver.solving.recording import Branch, linear_moves, one_unknown_moves, radical_moves, system_moves
from sau_solver.solving.symbolic import SymbolicSolver, SymbolicWorker
from sau_solver.solving.systems import System
from sau_solver.solving.values import Value, decimal_of, is_printable
from sau_solver.solving.verification import verified, with_rational_constants

DEADLINE_SECONDS = 2.0
LEAST_SYMBOLIC_SECONDS = 0.05
MAX_LINEAR_UNKNOWNS = 150
MAX_SUBSTITUTED = 12  # unknowns of a linear system that is solved by substitution; larger ones go through a matrix

_ring = lru_cache(maxsize=64)(Ring)  # problems use few names of unknowns


def solve(equations: Equations, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None) -> Solved:
    """Solve for every unknown at once, exactly, over the real numbers."""
    return solve_each([equations], deadline, worker)[0]


def solve_each(
    systems: Sequence[Equations], deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None
) -> list[Solved]:
    """Solve several systems of equations one after the other."""
    described = [(unknowns_of(equations), has_functions(equations)) for equations in systems]
    return [
        _solve(equations, names, folded, deadline, worker)
        for equations, (names, folded) in zip(systems, described, strict=True)
    ]


def _solve(
    equations: Equations, names: tuple[str, ...], folded: bool, deadline: float, worker: SymbolicSolver | None
) -> Solved:
    """Solve equations with these unknowns; `folded` says that they have functions, of which some may be rational."""
    with spending() as budget:
        solved: Solved | None
        with limited(EXACT_SECONDS):
            plain = taken_apart(with_rational_constants(equations) if folded else equations)
            try:
                solved = _exactly(plain, names, budget)
            except NotPolynomialError:
                solved = _with_radicals(plain, names, budget)
        if solved is None:
            # The exact path used up some of the time, and perhaps SymPy with other equations of the same request.
            left = max(deadline / 2, round(deadline - budget.spent, 1)) - budget.waited
            if budget.is_over or (budget.waited and left < LEAST_SYMBOLIC_SECONDS):
                return Solved(Outcome.TOO_HARD, reason=Reason("budget"))
            start = time.monotonic()
            answer = _symbolic(plain, names, left, worker)
            budget.charge(time.monotonic() - start)
            return answer
        with limited(DECISION_SECONDS):
            return verified(equations, solved)


def _exact(equations: Equations) -> Solved | None:
    """Solve equations without SymPy; None if they are not polynomial, even with unknowns for their roots."""
    with spending() as budget:
        plain = taken_apart(with_rational_constants(equations))
        names = unknowns_of(equations)
        try:
            return _exactly(plain, names, budget)
        except NotPolynomialError:
            return _with_radicals(plain, names, budget)


def _exactly(equations: Equations, names: tuple[str, ...], budget: Budget) -> Solved:
    """Solve equations made of polynomials; raise NotPolynomialError for others."""
    try:
        ring = _ring(names)
        vanishing, divisors = clear_denominators(equations, ring, budget)
        if not names:
            return _without_unknowns(vanishing)
        if len(names) == 1:
            return _one_unknown(ring, vanishing, divisors, budget)
        if all(ring.degree(p) <= 1 for p in vanishing):
            return _linear(ring, vanishing, divisors, budget)
        return _system(ring, vanishing, divisors, budget)
    except DividesByZeroError:
        return Solved(Outcome.NONE, reason=Reason("divides_by_zero"))
    except TooHardError as error:
        return Solved(Outcome.TOO_HARD, reason=error.reason)


def _with_radicals(equations: Equations, names: tuple[str, ...], budget: Budget) -> Solved | None:
    """Solve equations with roots through unknowns that stand for the roots; None if that fails."""
    replaced, radicals = without_radicals(equations)
    if not radicals:
        return None
    try:
        solved = _exactly(replaced, unknowns_of(replaced), budget)
    except NotPolynomialError:
        return None
    trace = partial(radical_moves, radicals, solved.trace)
    if solved.outcome is not Outcome.SOLVED:
        return replace(solved, trace=trace) if solved.outcome is Outcome.NONE else None
    even = [radical.name for radical in radicals if radical.degree % 2 == 0]
    try:
        kept = [s for s in solved.solutions if all(real_of(s[name]).sign() >= 0 for name in even)]
    except UndecidedError:
        return Solved(Outcome.TOO_HARD, reason=Reason("unproven"))
    return _listed([{name: s[name] for name in names} for s in kept], trace=trace)


def solve_statements(
    statements: Statements, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None
) -> Solved:
    """Solve equations and keep the solutions that meet every condition; name a condition that cannot be decided."""
    with spending():
        solved = solve(statements.equations, deadline, worker)
        with limited(DECISION_SECONDS):
            return under_conditions(solved, statements.conditions, Conditioned(statements.equations, _exact).decided)


def _listed(
    solutions: Iterable[Assignment], excluded: tuple[Assignment, ...] = (), trace: Trace | None = None
) -> Solved:
    solutions = list(solutions)
    if not all(all(map(is_printable, solution.values())) for solution in solutions):
        return Solved(Outcome.TOO_HARD, reason=Reason("large_solution"))
    if not solutions:
        reason = Reason("roots_excluded" if excluded else "no_real_solution")
        return Solved(Outcome.NONE, reason=reason, excluded=excluded, trace=trace)
    if len(solutions) > 1:
        solutions.sort(key=lambda s: [decimal_of(v) for v in s.values()])
    return Solved(Outcome.SOLVED, tuple(solutions), excluded=excluded, trace=trace)


def _free(families: Iterable[Assignment], trace: Trace) -> Solved:
    reason = Reason("free_unknown")
    return Solved(Outcome.INFINITE, reason=reason, families=tuple(families), trace=trace)


def _without_unknowns(vanishing: Sequence[Polynomial]) -> Solved:
    if all(p.is_zero() for p in vanishing):
        return Solved(Outcome.INFINITE, reason=Reason("true_statement"))
    return Solved(Outcome.NONE, reason=Reason("false_statement"))


def _one_unknown(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial], budget: Budget) -> Solved:
    name = ring.unknowns[0]
    common = vanishing[0]
    for polynomial in vanishing[1:]:
        common = common.gcd(polynomial)
        budget.spend(0)
    degree = common.degree()
    factors: list[Any] = []
    trace = partial(one_unknown_moves, ring, vanishing, divisors, common, factors)
    if degree == 1:  # by far the most frequent case
        root = to_fraction(-common[0] / common[1])
        point = [fmpq(root.numerator, root.denominator)]
        forbidden = any(_is_zero_at(ring, divisor, point, budget) for divisor in divisors)
        return _listed([] if forbidden else [{name: root}], ({name: root},) if forbidden else (), trace)
    if degree < 0:
        reason = Reason.of("true_where_defined" if divisors else "always_true", unknown=name)
        return Solved(Outcome.INFINITE, reason=reason, trace=trace)
    if degree == 0:
        return Solved(Outcome.NONE, reason=Reason("always_false"), trace=trace)
    factors += quadratic_factors(common) if degree == 2 else irreducible_factors(common)
    kept: list[Assignment] = []
    excluded_roots: list[Assignment] = []
    for factor in factors:
        budget.spend(0)
        roots: list[Assignment] = [{name: root} for root in real_roots(factor)]
        # An irreducible factor divides a divisor, or has no root in common with it.
        forbidden = any(divisor.numer().gcd(factor).degree() > 0 for divisor in divisors)
        (excluded_roots if forbidden else kept).extend(roots)
    return _listed(kept, tuple(excluded_roots), trace)


def _is_zero_at(ring: Ring, polynomial: Polynomial, point: Sequence[Any], budget: Budget) -> bool:
    ring.afford_value(polynomial, point, budget)
    return bool(polynomial(*point) == 0)


def _system(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial], budget: Budget) -> Solved:
    branches: list[Branch] = []
    trace = partial(system_moves, ring, divisors, branches)
    try:
        system = System(ring, tuple(vanishing), tuple(divisors), (), budget, branches, tuple(vanishing))
        found = {tuple(s.items()): s for s in system.solutions()}
    except UndeterminedError:
        return _free((), trace)
    if any(len(solution) < len(ring.unknowns) for solution in found.values()):
        return _free(found.values(), trace)
    return _listed(found.values(), trace=trace)


def _linear(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial], budget: Budget) -> Solved:
    names = ring.unknowns
    if len(names) > MAX_LINEAR_UNKNOWNS:
        raise TooHardError("many_unknowns", count=len(names), limit=MAX_LINEAR_UNKNOWNS)
    zero = fmpq(0)
    rows = []
    for polynomial in vanishing:
        row = [zero] * (len(names) + 1)
        for monomial, coefficient in polynomial.to_dict().items():
            row[monomial.index(1) if any(monomial) else -1] = coefficient
        rows.append(row)
    trace: Trace
    if len(names) > MAX_SUBSTITUTED:
        values, trace = by_matrix(rows, budget), lambda: iter([Move("matrix")])
    else:
        steps: list[tuple[int, Row, list[Row]]] = []
        values, trace = by_substitution(rows, steps, budget), partial(linear_moves, ring, divisors, steps)
    if values is None:
        return Solved(Outcome.NONE, reason=Reason("contradiction"), trace=trace)
    determined: dict[str, Value] = {name: to_fraction(values[k]) for k, name in enumerate(names) if k in values}
    if len(determined) < len(names):
        if any(vanishes_on(ring, rows, divisor, budget) for divisor in divisors):
            return Solved(Outcome.NONE, reason=Reason("roots_excluded"), trace=trace)
        return _free([determined], trace)
    point = [values[k] for k in range(len(names))]
    forbidden = any(_is_zero_at(ring, divisor, point, budget) for divisor in divisors)
    return _listed([] if forbidden else [determined], (determined,) if forbidden else (), trace)


# --- equations that are not polynomial -------------------------------------------------------------------------------


def _symbolic(equations: Equations, names: tuple[str, ...], deadline: float, worker: SymbolicSolver | None) -> Solved:
    answer = (worker or SymbolicWorker.shared()).solve(equations, names, deadline)
    if answer.solutions is None:
        return Solved(Outcome.TOO_HARD, reason=answer.reason)
    if answer.infinite:
        reason = answer.reason or Reason("free_unknown" if names else "true_statement")
        return Solved(Outcome.INFINITE, reason=reason, families=answer.families)
    solved = _listed(answer.solutions, trace=lambda: iter([Move("symbolic")]))
    if solved.outcome is Outcome.SOLVED and not answer.complete:
        return replace(solved, outcome=Outcome.PARTIAL, reason=Reason("perhaps_others"))
    return replace(solved, reason=answer.reason) if answer.reason else solved
