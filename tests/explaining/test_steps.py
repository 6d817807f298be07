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


def test_formulas_of_a_step_are_typeset_and_quoted_words_are_text() -> None:
    (first, *_) = work("x/4+x/6=1/8").steps
    assert first.text == "Solve x/4 + x/6 = 1/8 for x."
    assert "<mfrac><mi>x</mi><mn>4</mn></mfrac>" in first.mathml(["x"])
    assert "<mfrac><mn>1</mn><mn>8</mn></mfrac>" in first.mathml(["x"])
    quoted = StepWriter("en")("let_question", unknown="x", question="Is 2*x <b> 3?")
    assert "Is 2*x &lt;b&gt; 3?" in quoted.mathml(["x"])


def test_a_long_formula_stays_text_and_can_wrap() -> None:
    long = work("+".join(["x"] * 30) + "=60").steps[0]
    assert "<math" not in long.mathml(["x"]).partition(" for ")[0]
