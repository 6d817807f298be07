"""Classify problems by the types and tree sizes of the paper's Tables 3 and 4."""

from __future__ import annotations

from typing import Literal, get_args

from sau_solver.equations.expressions import Equations, Statements, unknowns_of
from sau_solver.problem import Problem
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.polynomials import Ring, clear_denominators

ProblemType = Literal["linear-one", "linear-two", "non-linear-one"]
PROBLEM_TYPES: tuple[ProblemType, ...] = get_args(ProblemType)

SIZES = ("3-", "5", "7", "9", "11", "13+")


def published_type(problem: Problem, statements: Statements | None) -> ProblemType:
    """Return the column of the paper's Table 3.

    Several equations are `linear-two`, whatever their degree. A chain a=b=c is one published equation, and equations
    that cannot be parsed are `linear-one`. This reproduces the counts of the paper: 1,944, 1,614 and 1,912.
    """
    if len(problem.equations) > 1:
        return "linear-two"
    return "linear-one" if statements is None else _by_degree(statements.equations)


def _by_degree(equations: Equations) -> ProblemType:
    """Classify equations by their degree after clearing denominators: x/3 is linear, 1/x+1/(x-1) is not."""
    ring = Ring(unknowns_of(equations))
    try:
        vanishing, _ = clear_denominators(equations, ring)
    except (NotPolynomialError, TooHardError):
        return "non-linear-one"
    except DividesByZeroError:
        return "linear-one"
    return "linear-one" if all(ring.degree(polynomial) <= 1 for polynomial in vanishing) else "non-linear-one"


def tree_size(symbols: int) -> str:
    """Return the row of the paper's Table 4 for a tree with this number of symbols."""
    if symbols <= 3:
        return "3-"
    return "13+" if symbols >= 13 else str(symbols if symbols % 2 else symbols + 1)
