"""Plain arithmetic -> its exact evaluation, one operation per step, innermost first: 3*5 = 15, then 15+2 = 17."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.values import is_printable

MAX_OPERATIONS = 12  # lines of evaluation that are shown


def arithmetic_side(equations: Equations) -> Expression | None:
    """Return the side to calculate if the only equation sets an unknown equal to plain numbers, else None."""
    if len(equations) != 1:
        return None
    for unknown, side in ((equations[0].left, equations[0].right), (equations[0].right, equations[0].left)):
        if isinstance(unknown, Unknown) and all(isinstance(node, Number | Operation) for node in list(walk(side))):
            return side
    return None


def calculation_steps(side: Expression, step: StepWriter) -> list[Step] | None:
    """Return one step per operation; None if a value is irrational, undefined or too long to print."""
    steps: list[Step] = []
    try:
        total = _work_out(side, steps, step)
    except NotEvaluatedError:
        return None
    steps = list(dict.fromkeys(steps))
    if len(steps) > MAX_OPERATIONS:
        rest = step("calculation_rest", value=Number(total))
        steps = [*steps[: MAX_OPERATIONS - 1], rest]
    if len(steps) > 1:
        steps.insert(0, step("calculate", expression=side))
    return steps or [step("given", value=Number(total))]


def _work_out(node: Expression, steps: list[Step], step: StepWriter) -> Fraction:
    if isinstance(node, Number):
        return node.value
    if not isinstance(node, Operation):
        raise NotEvaluatedError
    left, right = _work_out(node.left, steps, step), _work_out(node.right, steps, step)
    operation = Operation(node.operator, Number(left), Number(right))
    value = evaluate(operation, {}, exact=True)
    if not is_printable(value):
        raise NotEvaluatedError
    if node.left != Number(Fraction(0)) or node.operator != "-":  # a sign is no operation
        steps.append(step("calculation", operation=operation, value=Number(value)))
    return value
