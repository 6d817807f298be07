"""Requests are answered exactly, with steps in the reader's language."""

from __future__ import annotations

import pytest

from sau_solver.explaining.requested import Fulfilled, fulfill
from sau_solver.problem import Language
from sau_solver.solving import Outcome
from sau_solver.text.mathematics import recognize


def done(text: str, language: Language = "en") -> Fulfilled:
    request = recognize(text)
    assert request is not None
    return fulfill(request, language)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("3+5*2", "13"),
        ("1/2 + 1/3", "5/6"),
        ("2 1/2 + 1 1/4", "3 3/4"),
        ("0.05 - 6", "−5.95"),
        ("sqrt(50)", "5√2 (≈ 7.07107)"),
        ("What percent of 80 is 20?", "25%"),
        ("x²+5x+6=0", "x = −3 or x = −2"),
        ("x+y=10, x-y=4", "x = 7, y = 3"),
        ("xy=12, x+y=7", "x = 3, y = 4 or x = 4, y = 3"),
        ("Factor 2x^3 - 18x.", "2x(x + 3)(x − 3)"),
        ("22/7 to 2 decimal places", "3.14"),
        ("Round 2.5 to the nearest integer", "3"),
        ("Is 91 prime?", "no"),
        ("16的平方根是多少", "x = −4 or x = 4"),
        ("If a:5=4:b, what is ab?", "ab = 20"),
        ("If 3x + 5 = 20, what is 2x + 1?", "11"),
    ],
)
def test_answers_are_shown_as_people_write_them(text: str, shown: str) -> None:
    assert done(text).shown == shown


def test_the_steps_of_a_calculation_are_its_operations() -> None:
    steps = [step.text for step in done("25*4-30/6").steps]
    assert steps[-4:] == ["25 × 4 = 100", "30 ÷ 6 = 5", "100 − 5 = 95", "Answer: 95."]


def test_a_greatest_common_divisor_is_found_by_division() -> None:
    steps = [step.text for step in done("gcd(1071, 462)").steps]
    assert steps == [
        "1071 = 2 × 462 + 147",
        "462 = 3 × 147 + 21",
        "147 = 7 × 21 + 0",
        "The greatest common divisor of 1071 and 462 is 21.",
        "Answer: 21.",
    ]


def test_steps_are_in_the_language_of_the_reader() -> None:
    assert done("Find the LCM of 4 and 6.", "zh").steps[-1].text == "答：12。"
    assert done("求4和6的最小公倍数", "en").steps[-1].text == "Answer: 12."


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("7x=7x+1", Outcome.NONE),
        ("2(x+1)=2x+2", Outcome.INFINITE),
        ("1/0", Outcome.NONE),
        ("9^9^9^9", Outcome.TOO_HARD),
        ("Factor x^1000-1", Outcome.TOO_HARD),
        ("Find the prime factors of 147573952589676412931", Outcome.SOLVED),
    ],
)
def test_what_has_no_answer_says_why(text: str, outcome: Outcome) -> None:
    found = done(text)
    assert found.outcome is outcome
    assert bool(found.reason) == (outcome is not Outcome.SOLVED)
    assert bool(found.answers) == (outcome is Outcome.SOLVED)
