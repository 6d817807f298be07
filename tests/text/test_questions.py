"""One analysis tells what a text asks: its questions, its last clause, and whether equations can answer it."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from sau_solver.text.questions import MAX_QUESTIONS, MAX_QUOTED, questions_of


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？", "zh", ["多少"]),
        ("甲数比乙数多3，甲、乙各是多少？求甲数。", "zh", ["多少", "求"]),
        ("几天后，他们卖出一半。还剩几只？", "zh", ["几"]),
        ("3.6*31.4+81.4*6.4=", "zh", ["="]),
        ("一共有20只鸡。", "zh", []),
        ("Tom has 3.5 pounds. How many apples and how much flour does he buy?", "en", ["how many", "how much"]),
        ("The sum is 12. Find the numbers.", "en", ["find"]),
        ("Mr. Lee has 4 cats.", "en", []),
    ],
)
def test_questions_are_found_in_order(text: str, language: Language, words: list[str]) -> None:
    assert [question.word.strip() for question in questions_of(text, language).found] == words


def test_a_question_has_the_rest_of_its_clause_and_a_quotation() -> None:
    (question,) = questions_of("笼里有20个头，那么鸡有多少只？", "zh").found
    assert (question.before, question.after, question.quoted) == ("那么鸡有", "只", "鸡有多少只？")
    (question,) = questions_of("There are 20 heads. how many hens are there ?", "en").found
    assert (question.after, question.quoted) == ("hens are there", "How many hens are there?")


@pytest.mark.parametrize(
    ("text", "language", "several"),
    [
        ("大、小船各有多少只？", "zh", True),
        ("大船有多少只？", "zh", False),
        ("How many adults and children came?", "en", True),
        ("How many parts must be molded and sold?", "en", False),
        ("What are the numbers?", "en", True),
        ("What is the number?", "en", False),
    ],
)
def test_a_question_for_several_things_is_recognized(text: str, language: Language, several: bool) -> None:
    (question,) = questions_of(text, language).found
    assert question.several is several


def test_the_number_of_questions_and_the_length_of_quotations_are_limited() -> None:
    assert len(questions_of("有几只？" * 50, "zh").found) == MAX_QUESTIONS
    (question,) = questions_of(f"How many {'very ' * MAX_QUOTED} large hens are there?", "en").found
    assert question.quoted == ""


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("长比宽多3米，求长方形的长。", "求长方形的长"),
        ("It costs 3.50 dollars. What is the width?", " What is the width"),
        ("多少?? ", "多少"),
        ("。", ""),
        ("", ""),
    ],
)
def test_the_last_clause_needs_no_question(text: str, clause: str) -> None:
    assert questions_of(text, "zh").last_clause == clause


@pytest.mark.parametrize(
    ("text", "language", "asks", "no_quantity"),
    [
        ("笼子里有20只鸡，5只兔。", "zh", False, False),
        ("有20只鸡，5只兔，为什么兔少？", "zh", True, True),
        ("有20只鸡，谁更多？多多少？", "zh", True, False),
        ("There are 12 cows and 5 pigs.", "en", False, False),
        ("There are 12 cows. Who owns them?", "en", True, True),
        ("Tom, who has 3 cows, buys 4. How many has he?", "en", True, False),
        ("Why does Tom have 3 cows, and what is the number of his hens?", "en", True, True),
    ],
)
def test_texts_that_ask_for_no_quantity_are_recognized(
    text: str, language: Language, asks: bool, no_quantity: bool
) -> None:
    questions = questions_of(text, language)
    assert (questions.asks_anything, questions.asks_for_no_quantity) == (asks, no_quantity)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("甲是乙的几分之几？", True),
        ("What fraction of the cake is left?", True),
        ("What fraction of the cake is left? " + "The cake was baked on a Monday in the kitchen of the school.", False),
        ("How many cakes are left?", False),
    ],
)
def test_a_question_for_a_part_is_recognized_at_the_end_of_a_text(text: str, part: bool) -> None:
    assert questions_of(text, "en").asks_for_part is part


def test_a_text_is_analyzed_once() -> None:
    text = "There are 20 heads. How many hens are there?"
    assert questions_of(text, "en") is questions_of(text, "en")
    assert questions_of(text, "en").found is questions_of(text, "en").found
    assert questions_of(text, "zh").found != questions_of(text, "en").found
