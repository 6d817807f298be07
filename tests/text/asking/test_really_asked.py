"""Question words that belong to a story are not questions."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from sau_solver.text.asking import read_questions

STORIES: list[tuple[Language, str]] = [
    ("zh", "班车上有30人，到了新村站谁也没下车，上来8人。现在车上有多少人？"),
    ("zh", "原计划每天修40米，谁知下起了雨，每天少修5米。实际每天修多少米？"),
    ("zh", "仓库里有20箱苹果，又运来几箱梨，凑成35箱一起卖，运来的梨有多少箱？"),
    ("zh", "在吗？我买了3本书，每本12元，一共花了多少元？"),
    ("zh", "如果哪天卖出的杯数超过50杯，就发奖金。星期一卖出64杯，超过50杯多少杯？"),
    ("zh", "小店有58元，每支笔4元，能买几支买几支，最后剩几元？"),
    ("zh", "说明书上写着：每天吃3片，一瓶60片。一瓶够吃多少天？"),
    ("en", "Who ate them? There were 18 pancakes and now there are 11. How many pancakes are gone?"),
    ("en", "Nobody knows how deep the well is. A rope of 12 m is 3 m too short. How long must a rope be?"),
    ("en", "She splits what she has left, 42 euros, over 7 days. How many euros can she spend a day?"),
    ("en", "How much ribbon is left after Eva has cut off 3 m for a kite and 2 m for a bow from 9 m?"),
    ("en", "How many stamps, as few as possible, does a letter of 1 kg need if a stamp is good for 150 g?"),
]


@pytest.mark.parametrize(("language", "text"), STORIES)
def test_one_question_is_read(language: Language, text: str) -> None:
    things = read_questions(text, language).things
    assert len(things) == 1
    assert things[0].relation != "none"


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("3个碗和2个盘子共48元，1个碗比1个盘子便宜4元。请分别求出碗和盘子的单价。", ["碗的单价", "盘子的单价"]),
        ("先求苹果比梨多几个，再求桃比梨少几个。苹果9个，梨7个，桃4个。", ["先求苹果比梨多", "再求桃比梨少"]),
    ],
)
def test_orders_are_read_as_questions(text: str, quantities: list[str]) -> None:
    assert [thing.quantity for thing in read_questions(text, "zh").things] == quantities


def test_the_question_of_an_opinion_is_kept_after_the_facts() -> None:
    things = read_questions("Lin got 12 of the 30 votes. What percent is that? Who should win?", "en").things
    assert [thing.relation for thing in things][-1] == "none"


@pytest.mark.parametrize(
    ("language", "text", "quantity"),
    [
        ("en", "Tom has x apples and buys 5. How many has he? If the answer to this question is 7, what is x?", "x"),
        ("zh", "小明有x支铅笔，又买了5支。他现在有多少支？（笔芯不算）如果这个问题的答案是7，那么x是多少？", "x"),
    ],
)
def test_a_question_that_the_text_answers_is_not_asked(language: Language, text: str, quantity: str) -> None:
    assert [thing.quantity for thing in read_questions(text, language).things] == [quantity]
