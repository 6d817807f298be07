"""Answers -> what speaks against them: nobody asks for -3 apples, 2.5 cars or five thirds of a whole.

A doubt does not forbid an answer. It ranks below the answers without one; `benchmarks/ranking.py` says what that gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.roots import Chosen, negative_differences
from sau_solver.equations.expressions import Equations
from sau_solver.problem import Language
from sau_solver.solving import Value, decimal_of
from sau_solver.text.questions import questions_of
from sau_solver.text.wording import WORDINGS

DOUBTS = ("negative", "zero", "overdrawn", "fractional", "over_whole", "irrational")


def doubt_about(chosen: Chosen, equations: Equations, text: str, language: Language) -> str:
    """The first of DOUBTS that holds; empty where nothing speaks against the answers."""
    words, answers = WORDINGS[language], chosen.answers
    if not words.may_be_negative(text):
        if any(decimal_of(value) < 0 for value in answers):
            return "negative"
        if any(value == 0 for value in answers):
            return "zero"
        if any(negative_differences(equations, solution) for solution in chosen.kept[:1]):
            return "overdrawn"
    if not _whole(answers) and words.counted.search(text):
        return "fractional"
    if any(decimal_of(value) > 1 for value in answers) and questions_of(text, language).asks_for_part:
        return "over_whole"
    if any(not isinstance(value, Fraction) for value in answers):
        return "irrational"
    return ""


def _whole(answers: Sequence[Value]) -> bool:
    return all(isinstance(value, Fraction) and value.denominator == 1 for value in answers)
