"""Plain arithmetic -> its evaluation in single operations, innermost first: 3*5 = 15, then 15+2 = 17; exactly."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, print_number, walk
from sau_solver.explaining.phrases import PHRASES
from sau_solver.problem import Language
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.values import is_printable

MAX_OPERATIONS = 12  # lines of evaluation that are shown


def arithmetic_side(equations: Equations) -> Expression | None:
    """The side to calculate where the one equation sets an unknown equal to numbers alone; else None."""
    if len(equations) != 1:
        return None
    for unknown, side in (
        (equations[0].left, equations[0].right),
        (equations[0].right, equations[0].left),
    ):
        if isinstance(unknown, Unknown) and all(isinstance(node, Number | Operation) for node in walk(side)):
            return side
    return None


def calculation_steps(side: Expression, language: Language) -> list[str] | None:
    """One line an operation; None where a value is not rational, divides by zero or is too long to print."""
    say = PHRASES[language]
    steps: list[str] = []
    try:
        total = _work_out(side, steps, say["calculation"])
    except NotEvaluatedError:
        return None
    steps = list(dict.fromkeys(steps))
    if len(steps) > MAX_OPERATIONS:
        rest = say["calculation_rest"].format(value=number_text(total))
        steps = [*steps[: MAX_OPERATIONS - 1], rest]
    return steps


def _work_out(node: Expression, steps: list[str], phrase: str) -> Fraction:
    if isinstance(node, Number):
        return node.value
    if not isinstance(node, Operation):
        raise NotEvaluatedError
    operation = Operation(
        node.operator,
        Number(_work_out(node.left, steps, phrase)),
        Number(_work_out(node.right, steps, phrase)),
    )
    value = evaluate(operation, {}, exact=True)
    if not is_printable(value):
        raise NotEvaluatedError
    if (shown := number_text(value)) != str(operation):
        steps.append(phrase.format(operation=operation, value=shown))
    return value


def number_text(value: Fraction) -> str:
    """A rational number as people write it: 12, -0.25, 1/3."""
    sign = "-" if value < 0 else ""
    return sign + print_number(abs(value)).strip("()")
