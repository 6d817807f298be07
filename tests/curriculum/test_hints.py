"""Hints are the steps of an exercise up to its answer, which they never tell."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

import pytest

from sau_solver.curriculum.answer_key import solution_of
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.curriculum.hints import hints_of
from sau_solver.equations.expressions import number_text, numbers_of
from sau_solver.phrases import Language
from sau_solver.problem import Problem
from sau_solver.text.numbers import find_numbers
from tests.curriculum.test_marking import asking

READERS: tuple[tuple[Language, Language], ...] = (("en", "en"), ("en", "zh"), ("zh", "zh"), ("zh", "en"))


def problem(text: str, equation: str, answer: str, unit: str = "") -> Problem:
    labeled = asking((answer, unit))
    return Problem("1", text, "en", equations=(equation,), answers=labeled.answers, asks=labeled.asks)


def hints(one: Problem) -> list[str]:
    return [hint.text for hint in hints_of(one, solution_of(one, "en"))]


def tells(hint: str, answer: Fraction) -> bool:
    """Return whether a hint has the answer; the roots of a factored equation may be seen, but not read off."""
    number = rf"(?<![\d./]){re.escape(number_text(answer))}(?![\d/]|\.\d)"
    if re.search(r"[²(]|= 0|x = −", hint):
        number = rf"= {number}(?!\s*[-+−×÷·*/])"
    return re.search(number, hint) is not None


def test_the_result_of_the_last_hint_is_left_to_the_reader() -> None:
    pens = problem("There are 4 boxes with 6 pens each. 5 pens are lost. How many pens are left?", "x=4*6-5", "19")
    assert [hint.rpartition(": ")[2] for hint in hints(pens)] == ["4 × 6 = 24 pens", "24 − 5 = ? pens"]


def test_an_equation_is_given_but_not_its_root() -> None:
    number = problem("Five more than three times a number is 26. Find the number.", "3*x+5=26", "7")
    assert hints(number)[-1] == "Divide both sides by 3: x = ?."
    assert any("3x + 5 = 26" in hint for hint in hints(number))


def test_a_number_of_the_equation_that_is_also_the_answer_is_no_secret() -> None:
    number = problem("Five more than twice a number is 15. Find the number.", "2*x+5=15", "5")
    assert "2x + 5 = 15" in " ".join(hints(number))
    assert hints(number)[-1].endswith("x = ?.")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "reader"), READERS)
def test_every_exercise_has_hints_and_none_tells_the_answer(language: Language, reader: Language) -> None:
    for exercise in islice(generate(Choice(language), 21), 150):
        solution = solution_of(exercise, reader)
        found = hints_of(exercise, solution)
        assert found, exercise.text
        assert "?" in found[-1].text, exercise.text
        assert "?" in found[-1].mathml
        assert len(found) < len(solution.steps)
        assert not any(hint.kind in ("answer", "check") for hint in found)
        given = {number.value for number in find_numbers(exercise.text, language)} | set(numbers_of(solution.equations))
        for answer in {one.answer for one in exercise.asks} - given:
            assert not [hint.text for hint in found if tells(hint.text, answer)], exercise.text
