"""Solved equations -> worked steps in Chinese or English: the moves of the solver, the solutions and the check."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    to_text,
    unknowns_of,
)
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.problem import Language
from sau_solver.solving import Assignment, Outcome, Solved, Value, decimal_of
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.values import is_printable

TINY = 1e-9  # a side of a checked equation smaller than this is shown as zero


def explain(equations: Equations, solved: Solved, language: Language = "en") -> list[Step]:
    """Return the worked steps: the moves of the solver, the solutions and the check."""
    step = StepWriter(language)
    names = unknowns_of(equations)
    steps = [step("solve" if names else "statement", equations=to_text(equations), unknowns=", ".join(names))]
    steps += [Step(language, move) for move in solved.moves]
    steps += _outcome(equations, solved, step)
    return list(dict.fromkeys(steps))


def check_steps(equations: Equations, solved: Solved, language: Language) -> list[Step]:
    """Return the check by substitution of every solution."""
    write = StepWriter(language)
    return [step for solution in solved.solutions for step in _check(equations, solution, write)]


def _outcome(equations: Equations, solved: Solved, step: StepWriter) -> Iterator[Step]:
    for solution in solved.excluded:
        yield step("excluded", solution=assignment_text(solution))
    reason = solved.reason.said(step.language) if solved.reason else ""
    match solved.outcome:
        case Outcome.SOLVED:
            for solution in solved.solutions:
                yield step("root", solution=assignment_text(solution))
            for solution in solved.solutions:
                yield from _check(equations, solution, step)
        case Outcome.INFINITE:
            yield step("infinite", reason=reason)
            for family in solved.families:
                yield step(
                    "all_families" if len(solved.families) == 1 else "one_family", solution=assignment_text(family)
                )
        case Outcome.NONE:
            yield step("none", reason=reason)
        case Outcome.TOO_HARD:
            yield step("too_hard", reason=reason)


def _check(equations: Equations, solution: Assignment, step: StepWriter) -> Iterator[Step]:
    """Put the values into both sides of every equation."""
    exact = all(isinstance(value, Fraction) for value in solution.values())
    for equation in equations:
        try:
            left, right = evaluate(equation.left, solution), evaluate(equation.right, solution)
        except NotEvaluatedError:
            continue
        if not (is_printable(left) and is_printable(right)):
            continue
        if exact:
            yield step("check", equation=_filled(equation, solution), left=left, right=right)
        else:
            rounded = 0.0 if abs(left) < TINY else decimal_of(left)
            if math.isfinite(rounded):
                yield step(
                    "check_near", equation=str(equation), solution=assignment_text(solution), left=f"{rounded:.6g}"
                )


def _filled(equation: Equation, solution: Assignment) -> Equation:
    return Equation(_put(equation.left, solution), _put(equation.right, solution))


def _put(node: Expression, solution: Assignment) -> Expression:
    match node:
        case Unknown(name) if isinstance(value := solution[name], Fraction):
            return Number(value)
        case Operation(operator, left, right):
            return Operation(operator, _put(left, solution), _put(right, solution))
    return node


def assignment_text(solution: Assignment) -> str:
    """Return a solution as text: x=10, y=5/2 (=2.5)."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in solution.items())


def value_text(value: Value) -> str:
    """Return an exact value as text, followed by its decimal unless it is an integer."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value)
    decimal = f"{decimal_of(value):.6g}"
    exact = "inf" not in decimal and value == Fraction(decimal)
    return f"{value} ({'=' if exact else '≈'}{decimal})"
