"""Equations -> exact real solutions, as one of four outcomes; never an exception, never a hang.

Linear systems are solved by substitution, equations in one unknown by a square or by factoring, polynomial systems by
`systems`. Equations that are not polynomial go to SymPy, in a process that is killed at its deadline (`symbolic`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from flint import fmpq, fmpq_mat

from sau_solver.equations.expressions import Equations, Statements, unknowns_of
from sau_solver.solving.algebraic import irreducible_factors, quadratic_factors, real_roots
from sau_solver.solving.arithmetic import divides_by_zero
from sau_solver.solving.conditions import meets, with_remainders
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
from sau_solver.solving.recording import Branch, linear_moves, one_unknown_moves, radical_moves, system_moves
from sau_solver.solving.symbolic import SymbolicSolver, SymbolicWorker
from sau_solver.solving.systems import System
from sau_solver.solving.values import Value, decimal_of, is_printable

DEADLINE_SECONDS = 2.0
MAX_LINEAR_UNKNOWNS = 150
MAX_SUBSTITUTED = 12  # unknowns of a linear system that is solved by substitution; larger ones go through a matrix

_ring = lru_cache(maxsize=64)(Ring)  # problems use few names of unknowns

Row = list[Any]  # the coefficients of a linear polynomial, then its constant


def solve(equations: Equations, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None) -> Solved:
    """Solve for every unknown at once, exactly, over the real numbers."""
    return solve_each([equations], deadline, worker)[0]


def solve_each(
    systems: Sequence[Equations], deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None
) -> list[Solved]:
    """Solve several systems of equations one after the other."""
    solved = []
    for equations, names in zip(systems, list(map(unknowns_of, systems)), strict=True):
        try:
            solved.append(_exactly(equations, names))
        except NotPolynomialError:
            solved.append(_with_radicals(equations, names) or _symbolic(equations, names, deadline, worker))
    return solved


def _exactly(equations: Equations, names: tuple[str, ...]) -> Solved:
    """Solve equations made of polynomials; raise NotPolynomialError for others."""
    try:
        ring = _ring(names)
        vanishing, divisors = clear_denominators(equations, ring)
        if not names:
            return _without_unknowns(vanishing)
        if len(names) == 1:
            return _one_unknown(ring, vanishing, divisors)
        if all(ring.degree(p) <= 1 for p in vanishing):
            return _linear(ring, vanishing, divisors)
        return _system(ring, vanishing, divisors)
    except DividesByZeroError:
        return Solved(Outcome.NONE, reason=Reason("divides_by_zero"))
    except TooHardError as error:
        return Solved(Outcome.TOO_HARD, reason=error.reason)


def _with_radicals(equations: Equations, names: tuple[str, ...]) -> Solved | None:
    """Solve equations with roots through unknowns that stand for the roots; None if that fails."""
    replaced, radicals = without_radicals(equations)
    if not radicals:
        return None
    try:
        solved = _exactly(replaced, unknowns_of(replaced))
    except NotPolynomialError:
        return None
    trace = partial(radical_moves, radicals, solved.trace)
    if solved.outcome is not Outcome.SOLVED:
        return replace(solved, trace=trace) if solved.outcome is Outcome.NONE else None
    even = [radical.name for radical in radicals if radical.degree % 2 == 0]
    kept = [s for s in solved.solutions if all(decimal_of(s[name]) >= 0 for name in even)]
    return _listed([{name: s[name] for name in names} for s in kept], trace=trace)


def solve_statements(
    statements: Statements, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None
) -> Solved:
    """Solve equations and keep the solutions that meet every condition."""
    solved = solve(statements.equations, deadline, worker)
    if solved.outcome is not Outcome.SOLVED or not statements.conditions:
        return solved
    extended = [with_remainders(s, statements.conditions) for s in solved.solutions]
    kept = tuple(s for s in extended if all(meets(s, condition) for condition in statements.conditions))
    unmet = tuple(s for s in extended if s not in kept)
    if kept:
        return replace(solved, solutions=kept, unmet=unmet)
    reason = Reason.of("unmet_conditions", conditions=", ".join(map(str, statements.conditions)))
    return replace(solved, outcome=Outcome.NONE, solutions=(), reason=reason, unmet=unmet)


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
    return Solved(Outcome.INFINITE, reason=reason, families=tuple(filter(None, families)), trace=trace)


def _without_unknowns(vanishing: Sequence[Polynomial]) -> Solved:
    if all(p.is_zero() for p in vanishing):
        return Solved(Outcome.INFINITE, reason=Reason("true_statement"))
    return Solved(Outcome.NONE, reason=Reason("false_statement"))


def _one_unknown(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial]) -> Solved:
    name = ring.unknowns[0]
    common = vanishing[0]
    for polynomial in vanishing[1:]:
        common = common.gcd(polynomial)
    degree = common.degree()
    factors: list[Any] = []
    trace = partial(one_unknown_moves, ring, vanishing, divisors, common, factors)
    if degree == 1:  # by far the most frequent case
        root = to_fraction(-common[0] / common[1])
        forbidden = any(p(fmpq(root.numerator, root.denominator)) == 0 for p in divisors)
        return _listed([] if forbidden else [{name: root}], ({name: root},) if forbidden else (), trace)
    if degree < 0:
        return Solved(Outcome.INFINITE, reason=Reason.of("always_true", unknown=name), trace=trace)
    if degree == 0:
        return Solved(Outcome.NONE, reason=Reason("always_false"), trace=trace)
    factors += quadratic_factors(common) if degree == 2 else irreducible_factors(common)
    kept: list[Assignment] = []
    excluded_roots: list[Assignment] = []
    for factor in factors:
        roots: list[Assignment] = [{name: root} for root in real_roots(factor)]
        # An irreducible factor divides a divisor, or has no root in common with it.
        forbidden = any(divisor.numer().gcd(factor).degree() > 0 for divisor in divisors)
        (excluded_roots if forbidden else kept).extend(roots)
    return _listed(kept, tuple(excluded_roots), trace)


def _system(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial]) -> Solved:
    branches: list[Branch] = []
    trace = partial(system_moves, ring, divisors, branches)
    try:
        system = System(ring, tuple(vanishing), tuple(divisors), branches=branches)
        found = {tuple(s.items()): s for s in system.solutions()}
    except UndeterminedError:
        return _free((), trace)
    if any(len(solution) < len(ring.unknowns) for solution in found.values()):
        return _free(found.values(), trace)
    return _listed(found.values(), trace=trace)


# --- linear systems --------------------------------------------------------------------------------------------------


def _linear(ring: Ring, vanishing: Sequence[Polynomial], divisors: Sequence[Polynomial]) -> Solved:
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
        values, trace = _by_matrix(rows), lambda: iter([Move("matrix")])
    else:
        steps: list[tuple[int, Row, list[Row]]] = []
        values, trace = _by_substitution(rows, steps), partial(linear_moves, ring, divisors, steps)
    if values is None:
        return Solved(Outcome.NONE, reason=Reason("contradiction"), trace=trace)
    determined: dict[str, Value] = {name: to_fraction(values[k]) for k, name in enumerate(names) if k in values}
    if len(determined) < len(names):
        return _free([determined], trace)
    forbidden = bool(divisors) and any(divisor(*(values[k] for k in range(len(names)))) == 0 for divisor in divisors)
    return _listed([] if forbidden else [determined], (determined,) if forbidden else (), trace)


def _by_substitution(rows: list[Row], steps: list[tuple[int, Row, list[Row]]]) -> dict[int, Any] | None:
    """Return the values of the unknowns that have one, by position; None if the rows contradict each other.

    Each step is appended to `steps`: the position of the unknown that was expressed, its row, and the rows left.
    """
    left = [row for row in rows if any(row)]
    while left:
        if not all(any(row[:-1]) for row in left):
            return None
        used, position = _pivot(left)
        pivot = left[used]
        left = [_without(row, pivot, position) for index, row in enumerate(left) if index != used]
        left = [row for row in left if any(row)]
        steps.append((position, pivot, left))
    if len(steps) < len(rows[0]) - 1:
        return _determined(steps)
    values: dict[int, Any] = {}
    for position, pivot, _ in reversed(steps):
        total = pivot[-1]
        for other, value in values.items():
            if pivot[other]:
                total += pivot[other] * value
        values[position] = -total / pivot[position]
    return values


def _determined(steps: list[tuple[int, Row, list[Row]]]) -> dict[int, Any]:
    """Return the values that do not depend on an unknown that is free."""
    expressions: dict[int, Row] = {}  # each unknown in terms of the free ones
    for position, pivot, _ in reversed(steps):
        expression = [-entry / pivot[position] for entry in pivot]
        expression[position] = fmpq(0)
        for other, known in expressions.items():
            if factor := expression[other]:
                expression[other] = fmpq(0)
                expression = [own + factor * entry for own, entry in zip(expression, known, strict=True)]
        expressions[position] = expression
    return {position: row[-1] for position, row in expressions.items() if not any(row[:-1])}


def _pivot(rows: list[Row]) -> tuple[int, int]:
    """Return the row and the unknown to express, as people would choose them.

    A row with a single unknown comes first, then a coefficient of one (y in y=x+4), then a result without fractions.
    """
    for index, row in enumerate(rows):
        if sum(map(bool, row[:-1])) == 1:
            return index, next(position for position, entry in enumerate(row) if entry)
    ranked: list[tuple[bool, int, int, int, int]] = []
    for unit in (True, False):
        for index, row in enumerate(rows):
            terms = sum(map(bool, row))
            for position, coefficient in enumerate(row[:-1]):
                if unit and (coefficient == 1 or coefficient == -1):
                    ranked.append((False, terms, index, coefficient != 1, position))
                elif not unit and coefficient:
                    fractions = any((entry / coefficient).q != 1 for entry in row)
                    ranked.append((fractions, terms, index, 0, position))
        if ranked:
            break
    _, _, index, _, position = min(ranked)
    return index, position


def _without(row: Row, pivot: Row, position: int) -> Row:
    """Return a row after the substitution, scaled to a leading coefficient of one."""
    if row[position]:
        factor = row[position] / pivot[position]
        row = [own - factor * entry for own, entry in zip(row, pivot, strict=True)]
    leading = next(filter(None, row), None)
    return row if leading is None or leading == 1 else [entry / leading for entry in row]


def _by_matrix(rows: list[Row]) -> dict[int, Any] | None:
    """Return the same as `_by_substitution`, from the reduced row echelon form."""
    reduced, rank = fmpq_mat(rows).rref()
    table = reduced.table()[: int(rank)]
    pivots = [next(k for k, entry in enumerate(row) if entry != 0) for row in table]
    if pivots and pivots[-1] == len(rows[0]) - 1:
        return None
    # A row whose only unknown is its pivot determines that unknown.
    return {pivot: -row[-1] for pivot, row in zip(pivots, table, strict=True) if not any(row[pivot + 1 : -1])}


# --- equations that are not polynomial -------------------------------------------------------------------------------


def _symbolic(equations: Equations, names: tuple[str, ...], deadline: float, worker: SymbolicSolver | None) -> Solved:
    answer = (worker or SymbolicWorker.shared()).solve(equations, names, deadline)
    if answer.solutions is None:
        return Solved(Outcome.TOO_HARD, reason=answer.reason)
    if answer.infinite:
        return Solved(Outcome.INFINITE, reason=Reason("free_unknown" if names else "true_statement"))
    # SymPy takes 0*x^(-1/1000) for 0, also where x is 0.
    sides = [side for equation in equations for side in (equation.left, equation.right)]
    kept = [s for s in answer.solutions if not any(divides_by_zero(side, s) for side in sides)]
    solved = _listed(kept, tuple(s for s in answer.solutions if s not in kept), lambda: iter([Move("symbolic")]))
    return replace(solved, reason=answer.reason) if answer.reason else solved
