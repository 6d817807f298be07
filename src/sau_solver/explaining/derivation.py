"""Solved equations -> worked steps in Chinese or English: the school's lines or the solver's moves, roots and check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING

from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Equations,
    Expression,
    Number,
    Unknown,
    unknowns_of,
    walk_equations,
)
from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.equations.readable import DECIMALS, FRACTIONS, NumberStyle, Shown, readable
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.explaining.calculation import arithmetic_side, calculation_steps
from sau_solver.explaining.one_unknown import put
from sau_solver.explaining.school import derive, with_fractions
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.terms import NotInSchoolError
from sau_solver.explaining.work import equations_in, valued
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.solving import Assignment, Formula, Outcome, Solved, Value, about
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.budget import STEP_SECONDS, is_over, limited
from sau_solver.solving.conditions import meets
from sau_solver.solving.values import Periodic, is_printable

if TYPE_CHECKING:  # this import is slow, and solving equations does not need it
    from sau_solver.answering.roots import Dropped

MAX_CHECKED = 4  # solutions that are checked one by one


def explain(
    equations: Equations,
    solved: Solved,
    language: Language = "en",
    conditions: Sequence[Condition] = (),
    style: NumberStyle | None = None,
    dropped: Sequence[Dropped] = (),
) -> list[Step]:
    """Return the worked steps: the way to the solutions, those that are dropped, and the check of the others."""
    with limited(STEP_SECONDS):
        return _explained(equations, solved, conditions, dropped, StepWriter(language, style or style_of(equations)))


def _explained(
    equations: Equations, solved: Solved, conditions: Sequence[Condition], dropped: Sequence[Dropped], step: StepWriter
) -> list[Step]:
    side = arithmetic_side(equations)
    if side is not None and solved.outcome is Outcome.SOLVED:
        worked = calculation_steps(side, step)
        if worked is not None:
            return worked
    school = derive(equations, solved, step)
    names = unknowns_of(equations)
    if school is None:
        steps = [step("solve" if names else "statement", equations=equations, unknowns=tuple(map(Unknown, names)))]
        known = {readable(equation, step.style) for equation in equations}
        told = (_told(move, names, step) for move in takewhile(lambda _: not is_over(), solved.moves))
        steps += [one for one in told if not _repeats(one, known)]
    else:
        steps = school.steps
        solved = replace(solved, excluded=tuple(one for one in solved.excluded if one in school.roots))
    steps += _dropped(equations, solved, conditions, dropped, step)
    away = [one.solution for one in dropped]
    kept = [solution for solution in solved.solutions if solution not in away]
    if school is None or len(names) > 1 or len(kept) < len(solved.solutions) or solved.excluded or solved.unmet:
        steps += [step("root", solution=assignment(solution)) for solution in kept]
    for solution in kept[:MAX_CHECKED]:
        steps += _check(equations, solution, step, len(kept) > 1)
    steps += _without_solutions(solved, step)
    return list(dict.fromkeys(steps))


def style_of(equations: Equations) -> NumberStyle:
    """Return fractions, unless every number of the equations that is not whole ends as a decimal."""
    broken = [one.value for one in walk_equations(equations) if isinstance(one, Number) and one.value.denominator > 1]
    ending = [value for value in broken if "/" not in DECIMALS.digits(abs(value))]
    return DECIMALS if broken and len(ending) == len(broken) else FRACTIONS


def _repeats(step: Step, known: set[str]) -> bool:
    """Return whether collecting terms changed nothing."""
    shown = [readable(one, step.style) for each in equations_in(step.phrase) for one in each]
    return step.phrase.code == "collect" and set(shown) <= known


def _told(move: Phrase, names: Sequence[str], step: StepWriter) -> Step:
    """Return a move of the solver as a step, with its formulas as formulas."""
    values = {name: _formulas(value, names) if isinstance(value, str) else value for name, value in move.values}
    return step(move.code, **values)


def _formulas(text: str, names: Sequence[str]) -> object:
    found: list[Shown | str] = []
    for piece in re.split("[;,] ", text):
        plain = piece.replace("≠", "!=").replace("≥", ">=")
        try:
            if re.search("[=<>]", plain):
                read = parse_statements(plain, names)
                found += [*read.equations, *read.conditions]
            else:
                found.append(parse_expression(plain, names))
        except (EquationError, TooLargeError):
            return text
    return tuple(found)


def _dropped(
    equations: Equations, solved: Solved, conditions: Sequence[Condition], dropped: Sequence[Dropped], step: StepWriter
) -> Iterator[Step]:
    for solution in solved.excluded:
        yield step("excluded", solution=assignment(solution))
    violated = [tuple(one for one in conditions if meets(solution, one) is False) for solution in solved.unmet]
    for solution, broken in zip(solved.unmet, violated, strict=True):
        own = {name: value for name, value in solution.items() if name in unknowns_of(equations)}
        yield step("drop_condition", solution=assignment(own), conditions=broken)
    for one in dropped:
        yield step(f"drop_{one.reason}", solution=assignment(one.solution))


def _without_solutions(solved: Solved, step: StepWriter) -> Iterator[Step]:
    reason = solved.reason or Phrase("no_method")
    match solved.outcome:
        case Outcome.PARTIAL:
            yield step("partial")
        case Outcome.INFINITE:
            yield step("infinite", reason=reason)
            for family in solved.determined:
                yield step("all_families" if len(solved.families) == 1 else "one_family", solution=assignment(family))
        case Outcome.NONE:
            yield step("none", reason=reason)
        case Outcome.TOO_HARD:
            yield step("too_hard", reason=reason)


def _check(equations: Equations, solution: Assignment, step: StepWriter, several: bool) -> Iterator[Step]:
    """Put rational values into both sides of every equation."""
    if not all(isinstance(value, Fraction) for value in solution.values()):
        return
    own = {name: value for name, value in solution.items() if name in unknowns_of(equations)}
    for number, equation in enumerate(equations, start=1):
        try:
            left, right = evaluate(equation.left, solution), evaluate(equation.right, solution)
            written = with_fractions(equation, step.style)
        except (NotEvaluatedError, NotInSchoolError):  # a number of it is too long to be written
            continue
        if not (is_printable(left) and is_printable(right)):
            continue
        place: object = Phrase.of("check_root", solution=assignment(own)) if several else ""
        if len(equations) > 1 and not several:
            place = Phrase.of("check_place", label=Phrase.of("label", number=number))
        yield _filled(written, solution, left, step, place)


def _filled(equation: Equation, solution: Assignment, value: Fraction, step: StepWriter, place: object) -> Step:
    known: dict[str, Expression] = {name: Number(one) for name, one in solution.items() if isinstance(one, Fraction)}
    left, right = put(equation.left, known), put(equation.right, known)
    if isinstance(right, Number) or isinstance(left, Number):
        if isinstance(left, Number) and not isinstance(right, Number):
            left, right = right, left
        return step("check", place=place, equation=Equation(left, right))
    return step("check_sides", place=place, left=left, right=right, value=Number(value))


def assignment(solution: Assignment) -> tuple[object, ...]:
    """Return a solution for a step: x = 10, y = 5/2; an irrational value with its decimal."""
    return tuple(valued(name, value) for name, value in solution.items())


def value_text(value: Value) -> str:
    """Return an exact value as text, followed by its decimal unless it is an integer."""
    if isinstance(value, Formula | Periodic) or (isinstance(value, Fraction) and value.denominator == 1):
        return str(value)
    decimal = about(value)
    if not decimal:
        return str(value)
    return f"{value} ({'=' if value == Fraction(decimal) else '≈'}{decimal})"
