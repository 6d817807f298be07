"""Texts with several questions: every thing is found, in order, and what is not a quantity is listed as such."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from sau_solver.text.asking import read_questions


def relations(text: str, language: Language) -> list[str]:
    return [thing.relation for thing in read_questions(text, language).things]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("What is the larger number? Make up a story for it.", "en", ["larger", "none"]),
        ("How long does the trip take? What assumptions did you make?", "en", ["value", "none"]),
        ("(a) How many liters does she need? (b) Check your answer with a table.", "en", ["value", "none"]),
        ("Part A: How much does the son have? Part B: Is it fair?", "en", ["value", "none"]),
        ("What does a mug cost? And a plate?", "en", ["value", "value"]),
        ("What are the two numbers and what is their product?", "en", ["every", "product"]),
        ("Two odd numbers add up to 36. Find them.", "en", ["every"]),
        ("Find all three angles.", "en", ["every"]),
        ("What are its dimensions?", "en", ["every"]),
        ("What's the difference between their ages?", "en", ["difference"]),
        ("How much smaller is the first than the second?", "en", ["difference"]),
        ("How many km/h slower is the van?", "en", ["difference"]),
        ("How much money does the younger brother have?", "en", ["smaller"]),
        ("One number is 5 more than the other. Add them up. What do you get?", "en", ["sum"]),
        ("（1）应付多少元？（2）请写出两条节约用水的建议。", "zh", ["value", "none"]),
        ("（1）凳子多少元？（2）把你的想法讲给同桌听。", "zh", ["value", "none"]),
        ("买一套桌椅要多少元？", "zh", ["sum"]),
    ],
)
def test_every_question_has_its_relation(text: str, language: Language, expected: list[str]) -> None:
    assert relations(text, language) == expected


def test_can_you_help_is_no_question_of_its_own() -> None:
    text = "A field is 40 m long and has a border of 100 m. How wide is it? Can you help the farmer?"
    assert relations(text, "en") == ["value"]


def test_work_out_is_an_order_like_find() -> None:
    things = read_questions("Work out the price of a cup and of a bowl.", "en").things
    assert len(things) == 2
