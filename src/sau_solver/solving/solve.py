"""Equations -> exact real solutions, as one of four outcomes; never an exception, never a hang.

Linear systems go through a rational matrix, one unknown through factoring, polynomial systems through `systems`; what
is not polynomial goes to SymPy in a worker process that is killed at its deadline (`symbolic`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from flint import fmpq, fmpq_mat

from sau_solver.equations.expressions import Equations, Statements, unknowns_of
from sau_solver.solving.algebraic import irreducible_factors, real_roots
from sau_solver.solving.arithmetic import divides_by_zero
from sau_solver.solving.conditions import meets, with_remainders
from sau_solver.solving.outcomes import (
    Assignment,
    DividesByZeroError,
    NotPolynomialError,
    Outcome,
    Reason,
    Solved,
    TooHardError,
    UndeterminedError,
)
from sau_solver.solving.polynomials import Polynomial, Ring, clear_denominators, to_fraction
from sau_solver.solving.radicals import without_radicals
from sau_solver.solving.symbolic import SymbolicSolver, SymbolicWorker
from sau_solver.solving.systems import System
from sau_solver.solving.values import Value, decimal_of, is_printable

DEADLINE_SECONDS = 2.0
MAX_LINEAR_UNKNOWNS = 150


def solve(equations: Equations, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None) -> Solved:
    """Solve for every unknown at once, exactly, over the real numbers."""
    names = unknowns_of(equations)
    try:
        return _exactly(equations, names)
    except NotPolynomialError:
        return _with_radicals(equations, names) or _symbolic(equations, names, deadline, worker)


def _exactly(equations: Equations, names: tuple[str, ...]) -> Solved:
    """Solve what is made of polynomials; NotPolynomialError where it is not."""
    try:
        ring = Ring(names)
        vanishing, divisors = clear_denominators(equations, ring)
        if not names:
            return _without_unknowns(vanishing)
        if len(names) == 1:
            return _one_unknown(names[0], vanishing, divisors)
        if all(ring.degree(p) <= 1 for p in vanishing):
            return _linear(ring, vanishing, divisors)
        found = {tuple(s.items()): s for s in System(ring, tuple(vanishing), tuple(divisors)).solutions()}
        if any(len(solution) < len(names) for solution in found.values()):
            return _free(*found.values())
        return _listed(found.values())
    except DividesByZeroError:
        return Solved(Outcome.NONE, reason=Reason("divides_by_zero"))
    except UndeterminedError:
        return _free()
    except TooHardError as error:
        return Solved(Outcome.TOO_HARD, reason=error.reason)


def _with_radicals(equations: Equations, names: tuple[str, ...]) -> Solved | None:
    """Solve equations with roots through unknowns that stand for them; None where that leads nowhere."""
    replaced, radicals = without_radicals(equations)
    if not radicals:
        return None
    try:
        solved = _exactly(replaced, unknowns_of(replaced))
    except NotPolynomialError:
        return None
    if solved.outcome is not Outcome.SOLVED:
        return solved if solved.outcome is Outcome.NONE else None
    even = [radical.name for radical in radicals if radical.degree % 2 == 0]
    kept = [s for s in solved.solutions if all(decimal_of(s[name]) >= 0 for name in even)]
    return _listed([{name: s[name] for name in names} for s in kept])


def solve_statements(
    statements: Statements, deadline: float = DEADLINE_SECONDS, worker: SymbolicSolver | None = None
) -> Solved:
    """Solve equations and keep the solutions that meet every condition."""
    solved = solve(statements.equations, deadline, worker)
    if solved.outcome is not Outcome.SOLVED or not statements.conditions:
        return solved
    extended = [with_remainders(s, statements.conditions) for s in solved.solutions]
    kept = tuple(s for s in extended if all(meets(s, condition) for condition in statements.conditions))
    if kept:
        return replace(solved, solutions=kept)
    conditions = ", ".join(map(str, statements.conditions))
    return Solved(Outcome.NONE, reason=Reason("unmet_conditions", {"conditions": conditions}))


def _listed(solutions: Iterable[Assignment], excluded: tuple[Assignment, ...] = ()) -> Solved:
    solutions = list(solutions)
    if not all(is_printable(value) for solution in solutions for value in solution.values()):
        return Solved(Outcome.TOO_HARD, reason=Reason("large_solution"))
    ordered = tuple(sorted(solutions, key=lambda s: [decimal_of(v) for v in s.values()]))
    if not ordered:
        return Solved(
            Outcome.NONE, reason=Reason("roots_excluded" if excluded else "no_real_solution"), excluded=excluded
        )
    return Solved(Outcome.SOLVED, ordered, excluded=excluded)


def _free(*families: Assignment) -> Solved:
    return Solved(Outcome.INFINITE, reason=Reason("free_unknown"), families=tuple(filter(None, families)))


def _without_unknowns(vanishing: list[Polynomial]) -> Solved:
    if all(p.is_zero() for p in vanishing):
        return Solved(Outcome.INFINITE, reason=Reason("true_statement"))
    return Solved(Outcome.NONE, reason=Reason("false_statement"))


def _one_unknown(name: str, vanishing: list[Polynomial], divisors: list[Polynomial]) -> Solved:
    common = vanishing[0]
    for polynomial in vanishing[1:]:
        common = common.gcd(polynomial)
    if common.is_zero():
        return Solved(Outcome.INFINITE, reason=Reason("always_true", {"unknown": name}))
    if common.degree() == 0:
        return Solved(Outcome.NONE, reason=Reason("always_false"))
    if common.degree() == 1:  # by far the most frequent case
        root = to_fraction(-common[0] / common[1])
        forbidden = any(p(fmpq(root.numerator, root.denominator)) == 0 for p in divisors)
        return _listed([] if forbidden else [{name: root}], ({name: root},) if forbidden else ())
    kept: list[Assignment] = []
    excluded: list[Assignment] = []
    for factor in irreducible_factors(common):
        roots: list[Assignment] = [{name: root} for root in real_roots(factor)]
        # Irreducible: it divides a divisor, or shares no root with it.
        forbidden = any(divisor.numer().gcd(factor).degree() > 0 for divisor in divisors)
        (excluded if forbidden else kept).extend(roots)
    return _listed(kept, tuple(excluded))


def _linear(ring: Ring, vanishing: list[Polynomial], divisors: list[Polynomial]) -> Solved:
    names = ring.unknowns
    if len(names) > MAX_LINEAR_UNKNOWNS:
        raise TooHardError("many_unknowns", count=len(names), limit=MAX_LINEAR_UNKNOWNS)
    rows = []
    for polynomial in vanishing:
        row = [fmpq(0)] * (len(names) + 1)
        for monomial, coefficient in polynomial.to_dict().items():
            position = monomial.index(1) if any(monomial) else len(names)
            row[position] = coefficient if position < len(names) else -coefficient
        rows.append(row)
    reduced, rank = fmpq_mat(rows).rref()
    table = reduced.table()[: int(rank)]
    pivots = [next(k for k, entry in enumerate(row) if entry != 0) for row in table]
    if len(names) in pivots:
        return Solved(Outcome.NONE, reason=Reason("contradiction"))
    # A row whose only unknown is its pivot determines that unknown.
    determined: dict[str, Value] = {
        names[pivot]: to_fraction(row[-1])
        for pivot, row in zip(pivots, table, strict=True)
        if not any(row[pivot + 1 : -1])
    }
    if len(determined) < len(names):
        return _free(determined)
    solution = {name: determined[name] for name in names}
    point = [fmpq(v.numerator, v.denominator) for v in solution.values() if isinstance(v, Fraction)]
    forbidden = any(divisor(*point) == 0 for divisor in divisors)
    return _listed([] if forbidden else [solution], (solution,) if forbidden else ())


def _symbolic(equations: Equations, names: tuple[str, ...], deadline: float, worker: SymbolicSolver | None) -> Solved:
    answer = (worker or SymbolicWorker.shared()).solve(equations, names, deadline)
    if answer.solutions is None:
        return Solved(Outcome.TOO_HARD, reason=answer.reason)
    if answer.infinite:
        return Solved(Outcome.INFINITE, reason=Reason("free_unknown" if names else "true_statement"))
    # SymPy takes 0*x^(-1/1000) for 0, also where x is 0.
    sides = [side for equation in equations for side in (equation.left, equation.right)]
    kept = [s for s in answer.solutions if not any(divides_by_zero(side, s) for side in sides)]
    solved = _listed(kept, tuple(s for s in answer.solutions if s not in kept))
    return replace(solved, reason=answer.reason) if answer.reason else solved
