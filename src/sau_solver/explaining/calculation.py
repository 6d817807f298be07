"""Plain arithmetic -> its exact evaluation, one operation per step, innermost first, with what each number is.

“3 boxes”, “12 pencils”: 3 × 12 = 36 pencils. The words are those of the text; the result has a unit only where the
units of the operands leave no doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.readable import readable
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.work import value_expression
from sau_solver.phrases import Phrase
from sau_solver.solving import Value, solve
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.values import is_printable
from sau_solver.text.units import length_to_power, power_of_length

MAX_OPERATIONS = 12  # lines of evaluation that are shown
TENS = (10, 100, 1000, 10000)  # constants that may change the unit: 1 m is 100 cm
TIMES = (7, 12, 24, 60, 365, 3600)  # and 2 hours are 120 minutes


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a calculation: its value, the words of the text it stands with, and what it counts."""

    value: Fraction
    words: str = ""  # empty for a result or a constant
    things: str = ""
    rate: bool = False  # an amount for each thing
    scalar: bool = False  # only a factor: a fraction, a percentage or a constant
    written: str = ""  # 25%, 1/4 or 2.50 if the text writes it so
    measured: bool = False  # perhaps a length or an area, although `things` is empty


def arithmetic_side(equations: Equations) -> Expression | None:
    """Return the side to calculate if the only equation sets an unknown equal to plain numbers, else None."""
    if len(equations) != 1:
        return None
    for unknown, side in ((equations[0].left, equations[0].right), (equations[0].right, equations[0].left)):
        if isinstance(unknown, Unknown) and all(isinstance(node, Number | Operation) for node in list(walk(side))):
            return side
    return None


def calculation_steps(side: Expression, step: StepWriter) -> list[Step] | None:
    """Return the calculation and one step per operation; None if a value is irrational, undefined or too long."""
    work = _Work(step, {})
    try:
        total = work.out(side)
    except NotEvaluatedError:
        return None
    steps = _shortened(work.steps, total, step)
    if len(steps) > 1:
        steps.insert(0, step("calculate", expression=side))
    return steps or [step("given", value=Number(total.value))]


def root_steps(side: Expression, value: Value, step: StepWriter) -> list[Step]:
    """Return each root of a calculation in its simplest form, and then the whole: √8 = 2√2, √2 × √8 = 4."""
    steps = []
    roots = [node for node in walk(side) if isinstance(node, Operation) and node.operator == "^" and node != side]
    for node in dict.fromkeys([*roots, side]):
        solved = () if node == side else solve((Equation(Unknown("x"), node),)).solutions
        found = solved[0]["x"] if solved else value
        if not solved and node != side:
            continue
        simple = value_expression(found)
        if readable(simple, step.style) != readable(node, step.style):
            steps.append(step("calculation", meaning="", operation=node, value=simple, unit=""))
    return list(dict.fromkeys(steps))


def worded_steps(
    sides: Mapping[str, Expression], operands: Mapping[str, Operand], step: StepWriter
) -> list[Step] | None:
    """Return one step per operation of the unknowns that are defined in turn, with the words of the numbers.

    The names of `operands` stand for numbers of the text, and those of earlier unknowns for their values. None if a
    value is irrational, undefined or too long, or if an unknown is used before it is defined.
    """
    work = _Work(step, dict(operands))
    total = Operand(Fraction(0))
    try:
        for name, side in sides.items():
            total = work.operands[name] = work.out(side)
    except NotEvaluatedError:
        return None
    return _shortened(work.steps, total, step)


def _shortened(steps: list[Step], total: Operand, step: StepWriter) -> list[Step]:
    steps = list(dict.fromkeys(steps))
    if len(steps) <= MAX_OPERATIONS:
        return steps
    return [*steps[: MAX_OPERATIONS - 1], step("calculation_rest", value=Number(total.value))]


class _Work:
    def __init__(self, step: StepWriter, operands: dict[str, Operand]) -> None:
        self.step, self.operands = step, operands
        self.steps: list[Step] = []

    def out(self, node: Expression) -> Operand:
        if isinstance(node, Number):
            return Operand(node.value, scalar=True)
        if isinstance(node, Unknown) and node.name in self.operands:
            return self.operands[node.name]
        if not isinstance(node, Operation):
            raise NotEvaluatedError
        left, right = self.out(node.left), self.out(node.right)
        operation = Operation(node.operator, Number(left.value), Number(right.value))
        value = evaluate(operation, {}, exact=True)
        if not is_printable(value):
            raise NotEvaluatedError
        if node.operator == "-" and node.left == Number(Fraction(0)):  # a sign is not an operation
            return Operand(value, things=right.things)
        things = _things(node.operator, left, right)
        words = [Phrase.of("words", words=one.words) for one in (left, right) if one.words]
        meaning: object = Phrase.of("meaning", words=tuple(dict.fromkeys(words))) if words else ""
        unit: object = Phrase.of("things", things=things) if things else ""
        literals = {one.value: one.written for one in (left, right) if one.written and value != one.value}
        if things == "dollars" and value.denominator > 1 and (value * 100).denominator == 1:
            literals[abs(value)] = f"{float(abs(value)):.2f}"
        style = replace(self.step.style, literals=literals) if literals else self.step.style
        write = StepWriter(self.step.language, style)
        self.steps.append(write("calculation", meaning=meaning, operation=operation, value=Number(value), unit=unit))
        scalar = left.scalar and right.scalar
        return Operand(value, things=things, scalar=scalar, measured=not (things or scalar))


def _things(operator: str, left: Operand, right: Operand) -> str:
    """Return what a result counts, if that is certain."""
    if operator in "+-":
        return left.things if left.things == right.things else ""
    if _converts(left, right) or _converts(right, left):
        return ""
    dimensions = [power_of_length(one.things) for one in (left, right)]
    if operator == "*" and all(dimensions):
        return length_to_power(left.things, sum(dimensions)) if _same_length(left, right) else ""
    if operator == "*" and any(dimensions) and (left.measured or right.measured):
        return ""  # perhaps an area or a volume
    if operator == "*" and left.rate != right.rate:
        return left.things if left.rate else right.things
    if operator == "*" and left.scalar != right.scalar and not (left.rate or right.rate):
        return right.things if left.scalar else left.things
    return left.things if operator == "/" and right.scalar and not left.rate else ""


def _converts(constant: Operand, other: Operand) -> bool:
    """Return whether a constant may convert the other operand to another unit."""
    if not constant.scalar or constant.words:
        return False
    timeless = other.rate or power_of_length(other.things)  # 18 cm a day × 7, 5 cm × 12 edges
    return constant.value in TENS or (constant.value in TIMES and not timeless)


def _same_length(left: Operand, right: Operand) -> bool:
    return length_to_power(left.things, 1) == length_to_power(right.things, 1)
