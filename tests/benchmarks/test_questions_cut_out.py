"""A text is divided into what it tells and what it asks."""

from __future__ import annotations

import pytest

from benchmarks.questions import told_and_asked
from sau_solver.problem import Language

DIVIDED: list[tuple[Language, str, str, str]] = [
    ("en", "Ann has 3 pens. Ben has 5. How many do they have?", "Ann has 3 pens. Ben has 5.", "How many do they have?"),
    ("en", "If Ann has 3 pens and Ben 5, how many is that?", "If Ann has 3 pens and Ben 5.", "How many is that?"),
    (
        "en",
        "How  many are left? Ann had 1,200 pens and lost 5.",
        "Ann had 1,200 pens and lost 5.",
        "How  many are left?",
    ),
    ("en", "The sum is 9, the difference 1; find the numbers.", "The sum is 9, the difference 1.", "Find the numbers."),
    ("en", "She keeps what is left of 9 pies. What is that?", "She keeps what is left of 9 pies.", "What is that?"),
    ("zh", "小明有5个苹果，吃了2个，还剩几个？", "小明有5个苹果，吃了2个。", "还剩几个？"),
    ("zh", "甲是24，乙是36，请你求甲乙的和。", "甲是24，乙是36。", "请你求甲乙的和。"),
    ("zh", "有鸡和兔20只。鸡有几只？兔有几只？", "有鸡和兔20只。", "鸡有几只？兔有几只？"),
    ("zh", "车上有30人，又上来几个人，共35人。上来多少人？", "车上有30人，又上来几个人，共35人。", "上来多少人？"),
]


@pytest.mark.parametrize(("language", "text", "told", "asked"), DIVIDED)
def test_the_question_is_cut_out(language: Language, text: str, told: str, asked: str) -> None:
    assert told_and_asked(text, language) == (told, asked)


def test_two_questions_of_one_sentence_are_cut_once() -> None:
    told, asked = told_and_asked("Ann has 9 red and 6 green pens. How many are red, and how many are there?", "en")
    assert told == "Ann has 9 red and 6 green pens."
    assert asked.count("red") == asked.count("there") == 1


def test_a_text_without_a_question_stays_whole() -> None:
    assert told_and_asked("Ann has 3 pens.", "en") == ("Ann has 3 pens.", "")
