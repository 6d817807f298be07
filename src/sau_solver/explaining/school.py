"""Solved equations -> the lines that a school book would print, or None where its methods do not lead to the solutions.

The lines are derived from the equations alone. Every line is then checked with the exact solutions, so a wrong line is
never shown. If a line is wrong, the steps show the solver's moves instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Equations, Unknown, unknowns_of
from sau_solver.equations.readable import NumberStyle
from sau_solver.explaining.one_unknown import solve_one
from sau_solver.explaining.school_systems import labeled, solve_system
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.terms import NotInSchoolError
from sau_solver.explaining.work import Work, equations_in, with_numbers_worked_out
from sau_solver.phrases import Phrase
from sau_solver.solving import Assignment, Outcome, Solved, Value, decimal_of
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate

MAX_LENGTH = 300  # characters of an equation in a line
NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class Derived:
    """The lines of a derivation and the roots it ends with, including those that make a denominator zero."""

    steps: list[Step]
    roots: list[Assignment]


def derive(equations: Equations, solved: Solved, step: StepWriter) -> Derived | None:
    """Return the lines from the equations to the roots; None if they cannot be derived as in school."""
    if solved.outcome not in (Outcome.SOLVED, Outcome.NONE):
        return None
    names = unknowns_of(equations)
    work = Work(step)
    try:
        shown = tuple(with_fractions(equation, step.style) for equation in equations)
        if len(equations) == 1 and len(names) == 1:
            work.say("solve", equations=shown, unknowns=tuple(map(Unknown, names)))
            work.start(shown[0])
            found: list[dict[str, Value]] = [{names[0]: root} for root in solve_one(work, shown[0], names[0])]
        else:
            work.say("solve_system", equations=labeled(shown))
            found = solve_system(work, shown, names)
    except (NotInSchoolError, NotEvaluatedError):
        return None
    roots = {_key(one) for one in found}
    known = [{name: one[name] for name in names} for one in (*solved.solutions, *solved.unmet)]
    if not {_key(one) for one in known} <= roots <= {_key(one) for one in (*known, *solved.excluded)}:
        return None
    if not all(holds(one.phrase, found) for one in work.steps):
        return None
    return Derived(work.steps, list(found))


def with_fractions(equation: Equation, style: NumberStyle) -> Equation:
    """Return an equation with 1/8 as a number where numbers are written as fractions."""
    wanted = style.fractions
    return Equation(with_numbers_worked_out(equation.left, wanted), with_numbers_worked_out(equation.right, wanted))


def _key(solution: Assignment) -> frozenset[tuple[str, str]]:
    return frozenset((name, str(value)) for name, value in solution.items())


def holds(line: Phrase, solutions: Sequence[Assignment]) -> bool:
    """Return whether the solutions make every equation of a line true.

    Of alternatives one must be true, and a line that puts a root back must be true for the solution it leads to.
    """
    stated = list(equations_in(line))
    if any(len(str(one)) > MAX_LENGTH for alternatives in stated for one in alternatives):
        return False
    true = [all(any(is_true(one, solution) for one in each) for each in stated) for solution in solutions]
    return any(true) if line.code == "back" and true else all(true)


def is_true(equation: Equation, solution: Assignment) -> bool:
    """Return whether a solution makes both sides equal, within rounding if irrational, or leaves a side undefined."""
    try:
        left, right = evaluate(equation.left, solution), evaluate(equation.right, solution)
    except NotEvaluatedError:
        return True
    if all(isinstance(value, Fraction) for value in solution.values()) and left == right:
        return True
    one, other = decimal_of(left), decimal_of(right)
    return abs(one - other) <= NEAR * max(abs(one), abs(other), 1)
