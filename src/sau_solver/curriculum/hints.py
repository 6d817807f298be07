"""A solved exercise -> hints: its steps up to the first one that computes an answer, which shows ? instead of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import unknowns_of
from sau_solver.equations.typesetting import sentence_mathml
from sau_solver.explaining.steps import Step, StepKind
from sau_solver.problem import Problem
from sau_solver.solution import Solution

_NUMBER = r"[-−]?\d+(?:\.\d+)?(?:/\d+)?"
_RESULT = re.compile(rf"(?:(?<=[=:取得] )|(?<=give )|(?<=：)){_NUMBER}(?!\.?\d|[²³⁴(^]|\s*[-+−×·÷*/])")
_GIVEN = {"solve", "solve_system"}  # these steps repeat the equations, whose numbers are those of the text


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint: a step, or a step whose result is left to the reader."""

    kind: StepKind
    text: str
    mathml: str


def hints_of(exercise: Problem, solution: Solution) -> tuple[Hint, ...]:
    """Return the hints to an exercise, in order; no hint contains an answer."""
    return tuple(_hints(exercise, solution))


def _hints(exercise: Problem, solution: Solution) -> Iterator[Hint]:
    unknowns = unknowns_of(solution.equations)
    answers = {value for one in exercise.asks for value in _forms(one.answer, one.unit)}
    for step in solution.steps:
        if step.kind in ("check", "answer"):
            continue
        hidden = step.text if step.phrase.code in _GIVEN else without_answers(step, answers)
        if hidden != step.text:
            yield Hint(step.kind, hidden, sentence_mathml(hidden, unknowns))
            return
        yield Hint(step.kind, step.text, step.mathml(unknowns))


def without_answers(step: Step, answers: set[Fraction]) -> str:
    """Return the sentence of a step with question marks in place of results that are answers."""
    return _RESULT.sub(lambda found: "?" if _value(found[0]) in answers else found[0], step.text)


def _forms(answer: Fraction, unit: str) -> tuple[Fraction, ...]:
    """Return the values that would reveal an answer: a percentage may be calculated as a share."""
    return (answer, answer / 100, answer * 100) if unit == "%" else (answer,)


def _value(text: str) -> Fraction:
    over, _, under = text.replace(",", "").replace("−", "-").partition("/")
    return Fraction(over) / Fraction(under or 1)
