"""Answers had the names x and y, or those of half a question, and 2 1/2 was written as 21/2 in a step."""

from __future__ import annotations

import pytest

from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.explaining.number_words import as_written
from sau_solver.text.asking import read_questions
from sau_solver.text.numbers import find_numbers
from tests.answering.given_equations import asked


@pytest.mark.parametrize(
    ("text", "equations", "shown"),
    [
        ("The sum of two numbers is 40 and their difference is 8. Find the two numbers.", "x+y=40; x-y=8", "24 and 16"),
        (
            "150 tickets were sold for $1,050. Adult tickets cost $8 and child tickets cost $5. How many of each kind?",
            "x+y=150; 8*x+5*y=1050",
            "adult tickets: 100, child tickets: 50",
        ),
        ("A shirt costs $25 and a hat costs $12. How much do 2 shirts and 3 hats cost?", "x=2*25+3*12", "$86"),
        ("How much do 2 shirts for $25 each and 3 hats for $12 each cost?", "x=2*25+3*12", "$86"),
    ],
)
def test_answers_have_the_names_of_the_things(text: str, equations: str, shown: str) -> None:
    assert display_all(asked(equations, text, "en"), "en", forms_of(text)) == shown


@pytest.mark.parametrize(
    ("question", "quantity"),
    [
        ("How many liters of pure water must be added?", "pure water"),
        ("How many liters of pure water should be added?", "pure water"),
        ("How many liters of the paint do they use?", "paint"),
    ],
)
def test_a_quantity_ends_before_its_verb(question: str, quantity: str) -> None:
    assert [one.quantity for one in read_questions(question, "en").things] == [quantity]


def test_a_mixed_number_keeps_its_space() -> None:
    (number, _) = find_numbers("A bag of rice weighs 2 1/2 kg. How much do 6 bags weigh?", "en")
    assert as_written(number) == "2 1/2"
