"""Equations as text -> their exact solution with its steps, and the JSON object that every interface gives out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sau_solver.equations.expressions import Statements
from sau_solver.equations.parser import parse_statements
from sau_solver.errors import InputError
from sau_solver.explaining.moves import explain
from sau_solver.problem import Language
from sau_solver.solution import decimals
from sau_solver.solving import DEADLINE_SECONDS, Solved, solve_statements


@dataclass(frozen=True, slots=True)
class Worked:
    """Equations and conditions, what came of solving them, and how."""

    statements: Statements
    solved: Solved
    steps: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The documented object of `sau equation --json` and of the server."""
        solutions = self.solved.solutions
        return {
            "equations": [str(equation) for equation in self.statements.equations],
            "conditions": [str(condition) for condition in self.statements.conditions],
            "outcome": str(self.solved.outcome),
            "roots": [{name: str(value) for name, value in s.items()} for s in solutions],
            "decimal": [dict(zip(s, decimals(list(s.values())), strict=True)) for s in solutions],
            "reason": self.solved.reason,
            "steps": list(self.steps),
        }


def work(text: str, language: Language = "en", deadline: float = DEADLINE_SECONDS) -> Worked:
    """Read equations and solve them; `deadline` is in seconds, for what needs the symbolic solver."""
    statements = parse_statements(text)
    if not statements.equations:
        raise InputError("At least one equation was expected, only conditions came; try: sau equation 'x^2=9; x>0'")
    solved = solve_statements(statements, deadline)
    return Worked(statements, solved, tuple(explain(statements.equations, solved, language)))
