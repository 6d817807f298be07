"""Chinese questions for an estimate get the product of rounded factors; other questions keep the exact value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answering.given_equations import asked


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x=29*31", "操场上每排站29人，站了31排，大约有多少人？", 900),
        ("x=62*4", "湖边种着4排柳树，每排有62棵。一共约有多少棵？", 240),
        ("x=399*15", "每台风扇399元，买15台大约要花多少元？", 6000),
        ("x=19*102", "每盒彩笔19元，估一估买102盒要多少元？", 2000),
    ],
)
def test_a_product_of_two_numbers_of_the_text_is_estimated(equations: str, text: str, answer: int) -> None:
    found = asked(equations, text, "zh")
    assert [(one.answer, one.rounding) for one in found] == [(Fraction(answer), "estimate")]


@pytest.mark.parametrize(
    ("equations", "text"),
    [
        ("x=29*31", "操场上每排站29人，站了31排，一共有多少人？"),
        ("x=149*6", "一条蚕大约吐丝149米，6条蚕大约吐丝多少米？"),  # the text has no exact number to begin with
        ("x=340*7", "声音每秒传播340米，7秒后听到雷声，打雷的地方离这里约多少米？"),
        ("x=45*12", "我家每月交水电费45元，一年大约交多少元？"),  # 12 is not in the text
        ("x=312+492", "图书馆借出312本书，还剩492本，原来大约有多少本？"),
        ("x=3.14*29", "圆的直径是29厘米，圆周率取3.14，周长大约是多少厘米？"),
        ("x=29*31", "操场上每排站29人，站了31排，大约有多少人？（得数保留整数）"),
        ("x=29*31", "每包29元，买31包要多少元？付1000元够吗，大约找回多少元？"),
    ],
)
def test_other_questions_get_the_exact_value(equations: str, text: str) -> None:
    assert all(one.rounding != "estimate" for one in asked(equations, text, "zh"))
