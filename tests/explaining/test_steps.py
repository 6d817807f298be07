"""Every step knows its kind, and steps are written in the given language."""

from __future__ import annotations

import pytest

from sau_solver.explaining.steps import StepWriter
from sau_solver.explaining.worked import work
from sau_solver.problem import Language
from tests import by_heart


@pytest.mark.parametrize("text", [by_heart.CHICKENS, by_heart.GARDEN, by_heart.pens(3, 4)])
def test_a_story_goes_from_the_numbers_to_the_answer(text: str) -> None:
    kinds = [step.kind for step in by_heart.solver().solve(text).steps]
    order = ["numbers", "unknowns", "work", "check", "answer"]
    assert sorted(kinds, key=order.index) == kinds
    assert kinds.count("answer") == 1
    assert kinds[-1] == "answer"
    assert ("check" in kinds) is (text != by_heart.pens(3, 4))  # there is nothing to check in plain arithmetic
    assert "work" in kinds


@pytest.mark.parametrize("language", ["en", "zh"])
def test_letting_a_name_stand_for_a_root_is_work(language: Language) -> None:
    kinds = [step.kind for step in work("sqrt(x)=3", language).steps]
    assert set(kinds) == {"work", "check"}
    assert kinds[-1] == "check"


def test_the_text_of_a_step_is_what_it_prints() -> None:
    step = StepWriter("en")("divide", factor=2, equation="x=5")
    assert (step.kind, step.text) == ("work", "Divide by 2: x=5.")
    assert str(step) == step.text
