"""Solutions -> solutions that satisfy their equations, by substitution; and the rational constants among functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    unknowns_of,
)
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.exact_values import exact_value, real_of
from sau_solver.solving.outcomes import Outcome, Reason, Solved
from sau_solver.solving.reals import NoValueError, UndecidedError
from sau_solver.solving.values import Value


def satisfies(assignment: Mapping[str, Value], equation: Equation) -> bool | None:
    """Return whether values satisfy an equation, or None if that cannot be decided within the limits."""
    if all(isinstance(value, Fraction) for value in assignment.values()):
        try:
            return evaluate(equation.left, assignment, exact=True) == evaluate(equation.right, assignment, exact=True)
        except NotEvaluatedError:
            pass  # it divides by zero, or has a value that is not rational
    try:
        known = {name: real_of(value) for name, value in assignment.items()}
        return (exact_value(equation.left, known) - exact_value(equation.right, known)).sign() == 0
    except NoValueError:
        return False
    except UndecidedError:
        return None


def verified(equations: Equations, solved: Solved) -> Solved:
    """Return what the exact path found, or `too_hard` if a solution does not satisfy the equations.

    Rational solutions must be proven here. Elimination has put algebraic numbers into its polynomials already, so what
    cannot be decided about them is proven there.
    """
    for solution in solved.solutions:
        rational = all(isinstance(value, Fraction) for value in solution.values())
        for equation in equations:
            verdict = satisfies(solution, equation)
            if verdict is False or (verdict is None and rational):
                return replace(solved, outcome=Outcome.TOO_HARD, solutions=(), reason=Reason("unproven"))
    return solved


def with_rational_constants(equations: Equations) -> Equations:
    """Return the equations with every function of numbers that is rational replaced by its value: gcd(12,18) by 6."""

    def replaced(node: Expression) -> Expression:
        match node:
            case Operation(operator, left, right):
                return Operation(operator, replaced(left), replaced(right))
            case Function(name, arguments):
                if not unknowns_of((Equation(node, node),)):
                    try:
                        value = exact_value(node, {}).rational
                    except (NoValueError, UndecidedError):
                        return node
                    if value is not None:
                        return Number(value)
                return Function(name, tuple(map(replaced, arguments)))
        return node

    return tuple(Equation(replaced(one.left), replaced(one.right)) for one in equations)
