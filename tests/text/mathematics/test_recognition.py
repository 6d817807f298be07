"""Typed mathematics is recognized in many wordings, and no word problem is taken for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchmarks.one_box as one_box
from sau_solver.data import available
from sau_solver.text.mathematics import recognize
from tests.data.read_corpora import corpus_of

SENTENCES = [
    json.loads(line)
    for name in ("en", "zh")
    for line in (Path(one_box.FOLDER) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]

WORD_PROBLEMS = [
    "Tom has 3 apples and buys 5 more. How many apples does he have?",
    "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？",
    "The sum of two numbers is 20 and their difference is 4. Find the numbers.",
    "A number increased by 15% is 92. What is the number?",
    "What is the cost of 3 pens at $2 each?",
    "小明买了3本书，每本x元，一共多少元？",
    "甲数是24，乙数是36，求甲乙两数的和。",
    "How many degrees are in 3 right angles?",
    "Find the area of a square with side 5.",
    "求长5宽3的长方形的面积。",
    "Is 3 your lucky number?",
    "hello",
    "12 34 56",
    "3:30 + 1:20",
    "I am 5",
]


@pytest.mark.parametrize("sentence", SENTENCES, ids=[sentence["id"] for sentence in SENTENCES])
def test_a_sentence_that_carries_mathematics_is_answered(sentence: dict[str, object]) -> None:
    assert one_box.is_right(one_box.answer(str(sentence["text"])), sentence)


@pytest.mark.parametrize("text", WORD_PROBLEMS)
def test_a_word_problem_is_not_mathematics(text: str) -> None:
    assert recognize(text) is None


@given(st.text(max_size=120))
def test_anything_typed_is_recognized_or_not(text: str) -> None:
    request = recognize(text)
    assert request is None or request.text == text


@given(st.sampled_from("0123456789 .,/%()+-*=xy^!|√²的是求计算和isofthegcd?"), st.data())
def test_long_repetitions_are_read_or_refused(character: str, data: st.DataObject) -> None:
    recognize(((character + data.draw(st.text(max_size=6))) * 2_000)[:2_000])


def test_functions_of_functions_stay_bounded() -> None:
    powers = "Let f(x)=x*x*x*x*x. Let g(x)=f(f(f(x))). Let h(x)=g(g(g(x))). What is h(h(2))?"
    assert recognize(powers) is None


@pytest.mark.slow
@pytest.mark.skipif("mawps" not in available(), reason="needs the corpora in SAU_DATA")
@pytest.mark.parametrize("name", ["alg514", "draw1k", "mawps", "asdiv", "gsm8k", "cm17k-valid", "hmwp"])
def test_corpora_of_stories_are_left_to_the_models(name: str) -> None:
    taken = [problem for problem in corpus_of(name) if recognize(problem.text)]
    assert len(taken) <= 5  # bare mathematics such as "What is fifteen more than a quarter of 48?"
