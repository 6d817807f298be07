"""Equations as text -> their exact solution with its steps, and the JSON object of every interface."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sau_solver.equations.expressions import Statements
from sau_solver.equations.parser import parse_statements
from sau_solver.equations.readable import DECIMALS, FRACTIONS
from sau_solver.errors import EquationError, InputError, TooLargeError
from sau_solver.explaining.derivation import explain
from sau_solver.explaining.steps import Step
from sau_solver.problem import Language
from sau_solver.solving import DEADLINE_SECONDS, Solved, decimals, solve_statements
from sau_solver.solving.budget import spending


@dataclass(frozen=True, slots=True)
class Worked:
    """Equations and conditions with their solutions and the worked steps in one language."""

    statements: Statements
    solved: Solved
    steps: tuple[Step, ...]
    language: Language

    @property
    def reason(self) -> str:
        """Why there is no list of solutions; empty if there is one."""
        return self.solved.reason.said(self.language) if self.solved.reason else ""

    def as_json(self) -> dict[str, Any]:
        """Return the documented object of `sau equation --json` and of the server."""
        solutions = self.solved.solutions
        return {
            "equations": [str(equation) for equation in self.statements.equations],
            "conditions": [str(condition) for condition in self.statements.conditions],
            "outcome": str(self.solved.outcome),
            "roots": [{name: str(value) for name, value in s.items()} for s in solutions],
            "decimal": [dict(zip(s, decimals(list(s.values())), strict=True)) for s in solutions],
            "families": [{name: str(value) for name, value in s.items()} for s in self.solved.determined],
            "reason": self.reason,
            "steps": [str(step) for step in self.steps],
        }


def work(text: str, language: Language = "en", deadline: float = DEADLINE_SECONDS) -> Worked:
    """Parse and solve equations, with errors and steps in a language; `deadline` limits the symbolic solver."""
    try:
        statements = parse_statements(text)
    except (EquationError, TooLargeError) as error:
        error.language = language
        raise
    if not statements.equations:
        raise InputError.phrased(language, "only_conditions")
    style = DECIMALS if re.search(r"\d[.．]\d|%", text) else FRACTIONS
    with spending():
        solved = solve_statements(statements, deadline)
        steps = explain(statements.equations, solved, language, statements.conditions, style)
    return Worked(statements, solved, tuple(steps), language)
