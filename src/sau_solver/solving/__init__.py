"""Equations -> exact solutions, and the moves that led to them."""

from sau_solver.solving.outcomes import Assignment, Outcome, Reason, Solved
from sau_solver.solving.solve import DEADLINE_SECONDS, solve, solve_each, solve_statements
from sau_solver.solving.values import Algebraic, Formula, Periodic, Surd, Value, about, close, decimal_of, decimals

__all__ = [
    "DEADLINE_SECONDS", "Algebraic", "Assignment", "Formula", "Outcome", "Periodic", "Reason", "Solved", "Surd",
    "Value", "about", "close", "decimal_of", "decimals", "solve", "solve_each", "solve_statements",
]  # fmt: skip
