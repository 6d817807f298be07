"""Solved equations -> the quantities they are about: each unknown, and of a single unknown also 30-x or x+2."""

from __future__ import annotations

from dataclasses import dataclass, field

from sau_solver.equations.expressions import Expression, Number, Unknown
from sau_solver.equations.roles import Role, Roles
from sau_solver.solving import Assignment, Value
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate


@dataclass(slots=True)
class Quantity:
    """An unknown or a simple expression with one, its value, and the part it plays in the equations."""

    expression: Expression
    value: Value
    role: Role = field(default_factory=Role)

    @property
    def text(self) -> str:
        """The quantity as equations write it."""
        return text_of(self.expression)


def quantities_of(roles: Roles, solution: Assignment) -> list[Quantity]:
    """Return the unknowns in order; if there is only one, also the expressions such as 30-x and 3*x that use it."""
    return [
        Quantity(expression, value, role)
        for expression, role in roles.of.items()
        if (value := value_of(expression, solution)) is not None
    ]


def value_of(node: Expression, solution: Assignment) -> Value | None:
    """Return the exact value of an expression, or None if it has none."""
    if isinstance(node, Unknown):
        return solution.get(node.name)
    if isinstance(node, Number):
        return node.value
    try:
        return evaluate(node, solution, exact=True)
    except NotEvaluatedError:
        return None


def text_of(expression: Expression) -> str:
    """Return an expression as equations write it."""
    return expression.name if isinstance(expression, Unknown) else str(expression)
