"""GSM8K's annotated steps ("48/2=24", "48+24=72") -> one equation for the answer ("x=48+48/2").

Each number of a step that is the result of an earlier step is replaced by that step's expression. A joined
equation is kept only where its exact value is the annotated answer: a rounded step has no exact join.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.data.arithmetic import NoValueError, evaluate, evaluate_text
from sau_solver.equations.expressions import Expression, Number, Operation, walk
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError

MAX_NODES = 200  # of a joined expression: steps that reuse results twice over grow exponentially

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


@dataclass
class _Step:
    result: Fraction
    expression: Expression
    used: bool = False


def join_steps(steps: Sequence[str], answer: Fraction, text: str) -> str | None:
    """One equation "x=..." whose exact value is the answer, or None where the steps do not join to one.

    `text` is the problem: a number that stands there and is also a result used before is the number itself.
    """
    given = {Fraction(digits.replace(",", "")) for digits in _DIGITS.findall(text)}
    done: list[_Step] = []
    try:
        for step in steps:
            left, _, right = step.rpartition("=")
            expression = _substitute(parse_expression(left), done, given)
            if sum(1 for _ in walk(expression)) > MAX_NODES:
                return None
            done.append(_Step(evaluate_text(right), expression))
        final = next((step for step in reversed(done) if step.result == answer), None)
        if final is None or evaluate(final.expression) != answer:
            return None
    except (NoValueError, EquationError, TooLargeError):
        return None
    return f"x={final.expression}"


def _substitute(expression: Expression, done: Sequence[_Step], given: set[Fraction]) -> Expression:
    match expression:
        case Operation(operator, left, right):
            return Operation(operator, _substitute(left, done, given), _substitute(right, done, given))
        case Number(value):
            step = _source(value, done, given)
            if step is None:
                return expression
            step.used = True
            return step.expression
        case _:
            return expression


def _source(value: Fraction, done: Sequence[_Step], given: set[Fraction]) -> _Step | None:
    """The latest step with this result, an unused one first; a number of the text is no used result."""
    matching = [step for step in reversed(done) if step.result == value]
    unused = next((step for step in matching if not step.used), None)
    if unused or value in given:
        return unused
    return matching[0] if matching else None
