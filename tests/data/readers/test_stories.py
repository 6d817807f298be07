"""A story gives a problem for each of its tellings with each of its questions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data.readers.file_formats import Reading, detect, read
from sau_solver.data.readers.stories import unneeded_numbers
from sau_solver.problem import AskedFor, Language, Lesson

STORY: dict[str, object] = {
    "group": "fair",
    "skill": "money-change",
    "grade": 3,
    "language": "en",
    "split": "train",
    "tellings": [
        "Mia has $20. She buys 3 notebooks at $2.50 each and finds $4. {Q}",
        "{Q} Mia buys 3 notebooks at $2.50 apiece. She came with $20 and later found $4.",
    ],
    "questions": [
        {
            "question": "How much do the notebooks cost?",
            "equations": ["x=3*2.5"],
            "asked": [{"unknown": "x", "answer": "15/2", "unit": "$"}],
        },
        {
            "question": "How much is left after the purchase, and how much in the end?",
            "equations": ["x=20-3*2.5"],
            "asked": [{"unknown": "x", "answer": "25/2"}, {"unknown": "x+4", "answer": "33/2"}],
        },
    ],
    "without": ["2-1"],
}


def reading(folder: Path, **changes: object) -> Reading:
    path = folder / "stories.jsonl"
    path.write_text(json.dumps({**STORY, **changes}), encoding="utf-8")
    assert detect(path).name == "stories"
    return read(path)


def test_every_telling_has_every_question_but_those_left_out(tmp_path: Path) -> None:
    first, second, third = reading(tmp_path).problems
    assert [first.id, second.id, third.id] == ["fair-1-1", "fair-1-2", "fair-2-2"]
    assert first.text == (
        "Mia has $20. She buys 3 notebooks at $2.50 each and finds $4. How much do the notebooks cost?"
    )
    assert third.text.startswith("How much is left after the purchase, and how much in the end? Mia buys")
    assert first.asks == (AskedFor("x", Fraction(15, 2), "$"),)
    assert second.answers == (Fraction(25, 2), Fraction(33, 2))
    assert (first.equations, first.split, first.language) == (("x=3*2.5",), "train", "en")


def test_numbers_that_a_question_does_not_need_follow_from_its_equations(tmp_path: Path) -> None:
    first, second, _ = reading(tmp_path).problems
    assert first.lesson == Lesson("money-change", 3, "fair", "unneeded numbers", (Fraction(20), Fraction(4)))
    assert second.lesson == Lesson("money-change", 3, "fair", "several questions")


@pytest.mark.parametrize(
    ("text", "language", "equations", "found"),
    [
        ("A quarter of 20 boats and 5 rafts are red.", "en", "x=1/4*20", [5]),
        ("4 boats carry 20 people, one carries 1/4 of them.", "en", "x=20/4", [Fraction(1, 4)]),
        ("10 of 40 eggs, half of the eggs", "en", "x=10/40", [Fraction(1, 2)]),
        ("打八折后每件160元，卖了5件。", "zh", "x=160/0.8", [5]),
        ("He has 7 red and 9 blue marbles.", "en", "x=7+9", []),
    ],
)
def test_a_fraction_of_the_text_is_one_number(
    text: str, language: Language, equations: str, found: list[Fraction]
) -> None:
    assert unneeded_numbers(text, language, equations) == found


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tellings": ["Mia has $20."]}, "a telling must have {Q} once"),
        ({"questions": ["How much?"]}, "questions must be a list of objects"),
        ({"questions": [{"question": "How much?", "equations": "x=1"}]}, "lists equations and asked"),
        ({"group": ""}, "group must not be empty"),
    ],
)
def test_a_wrong_field_is_an_error(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    (error,) = reading(tmp_path, **changes).rejected
    assert reason in str(error)
