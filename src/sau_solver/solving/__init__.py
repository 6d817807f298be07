"""Equations -> exact solutions: the public face of the solver."""

from sau_solver.solving.solve import DEADLINE_SECONDS, Assignment, Outcome, Solved, solve, solve_statements
from sau_solver.solving.values import Algebraic, ClosedForm, Surd, Value, close, decimal_of

__all__ = [
    "DEADLINE_SECONDS",
    "Algebraic",
    "Assignment",
    "ClosedForm",
    "Outcome",
    "Solved",
    "Surd",
    "Value",
    "close",
    "decimal_of",
    "solve",
    "solve_statements",
]
