"""Is an exercise sound? Its equations parse, solve and give its answers, and the text has every number they use."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sau_solver.data.asked_values import gives_what_is_asked
from sau_solver.equations.expressions import numbers_of
from sau_solver.equations.parser import parse
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, solve
from sau_solver.text.numbers.mapping import find_numbers

# Numbers that an equation may use although the text does not state them: halves, days, hours, months, percent, pi.
CONSTANTS = frozenset(
    Fraction(number)
    for number in (
        *range(1, 11), 12, 24, 25, 30, 52, 60, 90, 100, 180, 360, 365, 1000, 3600, 10000, "3.14", "1/2", "1/4", "1/10",
    )
)  # fmt: skip


def faults(exercise: Problem) -> Iterator[str]:
    """Yield what is wrong with an exercise, nothing if it is sound."""
    try:
        equations = parse("; ".join(exercise.equations))
    except SauError as error:
        yield f"the equations do not parse: {error}"
        return
    solved = solve(equations)
    if solved.outcome is not Outcome.SOLVED:
        yield f"the equations have the outcome {solved.outcome}"
    elif not gives_what_is_asked(exercise, solved):
        found, wanted = [dict(one) for one in solved.solutions], list(map(str, exercise.answers))
        yield f"the equations give {found}, not {wanted}"
    stated = {number.value for number in find_numbers(exercise.text, exercise.language)}
    for number in numbers_of(equations):
        if number not in stated | CONSTANTS and not _is_quotient(number, stated):
            yield f"the text does not state {number}: {sorted(map(float, stated))}"
    for bracket in "{}[]<>|&":
        if bracket in exercise.text:
            yield f"the text contains {bracket}"
    if not exercise.text.endswith(("?", "？", ".", "。", "!", "！", '"', "”", "）")):
        yield "the text does not end like a sentence"


def _is_quotient(number: Fraction, stated: set[Fraction]) -> bool:
    return any(number in (over / under, over * under) for over in stated for under in stated if under)
