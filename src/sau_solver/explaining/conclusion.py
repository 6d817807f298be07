"""The solution of the equations -> the last lines before the answer: a difference, a total, a rounded number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.equations.expressions import Expression, Number
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.explaining.one_unknown import put
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.solving import Assignment
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate


def concluding_steps(entries: Sequence[Asked], kept: Sequence[Assignment], step: StepWriter) -> Iterator[Step]:
    """Yield how the answers follow from the only solution; nothing where they are unknowns of the equations."""
    if len(kept) != 1:
        return
    solution = kept[0]
    for one in entries:
        if isinstance(one.answer, Fraction):
            yield from _found(one, one.answer, solution, step)


def _found(one: Asked, answer: Fraction, solution: Assignment, step: StepWriter) -> Iterator[Step]:
    if one.unknown in solution:
        if one.rounding and solution[one.unknown] != answer:
            yield step(f"round_{one.rounding}", value=Number(answer))
        return
    try:
        expression = parse_expression(one.unknown, tuple(solution))
        value = evaluate(expression, solution, exact=True)
    except (EquationError, TooLargeError, NotEvaluatedError):
        return
    if one.rounding and value != answer:
        yield step(f"round_{one.rounding}", value=Number(answer))
    elif value == answer:
        known: dict[str, Expression] = {name: Number(v) for name, v in solution.items() if isinstance(v, Fraction)}
        filled = put(expression, known)
        code = "find_value" if filled == expression else "find"  # 120 × 3 has nothing to fill in
        yield step(code, expression=expression, filled=filled, value=Number(value))
