"""Questions about one unknown that ask for an expression with it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import chosen, unknowns

CASES: list[tuple[Language, str, str, list[str]]] = [
    ("en", "A fern is 5 cm high and grows 3 cm a day, a palm of 17 cm grows 1 cm a day. "
     "How high are they when both have the same height?", "5+3*x=17+x", ["5+3*x"]),
    ("en", "A fern is 5 cm high and grows 3 cm a day, a palm of 17 cm grows 1 cm a day. "
     "After how many days are they equally high?", "5+3*x=17+x", ["x"]),
    ("en", "If each cousin gives $6, $5 are missing for a kite, and if each gives $8, there are $3 too much. "
     "What does the kite cost?", "6*x+5=8*x-3", ["6*x+5"]),
    ("en", "A rectangular lawn of 60 square meters is 4 m longer than wide. "
     "How many meters of fence go around it?", "x*(x+4)=60", ["2*(x+(x+4))"]),
    ("en", "A vase is sold for $90 with a profit of 25% on the cost. How many dollars is the profit?",
     "x*(1+0.25)=90", ["90-x"]),
    ("en", "The club had 50 members in 2019 and 72 in 2021; the growth was the same each year. "
     "How many members did it have in 2020?", "50*(1+x)^2=72", ["50*(1+x)"]),
    ("zh", "把糖果分给同学，每人6颗多9颗，每人7颗少3颗，糖果一共有多少颗？", "6*x+9=7*x-3", ["6*x+9"]),
    ("zh", "书店五月卖出400本，七月卖出484本，每月增长率相同。照这样，八月能卖出多少本？", "400*(1+x)^2=484",
     ["484*(1+x)"]),
    ("zh", "一段路共31千米，坐车的路程比步行的5倍还多1千米，坐车多少千米？", "x+5*x+1=31", ["5*x+1"]),
    ("zh", "三个连续偶数相加得48，把最小的数和最大的数相加，得多少？", "x+(x+2)+(x+4)=48", ["x+(x+4)"]),
    ("zh", "合唱队有45人，其中男生18人，其余都是女生，女生比男生多几人？", "x=45-18", ["x-18"]),
    ("en", "A pup weighs 4 kg and its mother 5 times as much. How many kilograms do they weigh together?",
     "x=4*5", ["4+x"]),
    ("en", "A garden has 40 roses. The gardener plants 12 more. How many roses are there altogether?", "x=40+12",
     ["x"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "equation", "wanted"), CASES)
def test_the_expression_asked_for_is_found(language: Language, text: str, equation: str, wanted: list[str]) -> None:
    assert unknowns(equation, text, language) == wanted


def test_two_questions_about_one_unknown_are_both_answered() -> None:
    text = "同学们搭帐篷，每顶住4人，多出7人；每顶住5人，多出2人。帐篷有几顶？同学有多少人？"
    assert unknowns("4*x+7=5*x+2", text, "zh") == ["x", "4*x+7"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("红蓝两张卡片背面各有一个正数，红卡的大些，相加得13，相乘得40。红卡背面的数是多少？", 8),
        ("红蓝两张卡片背面各有一个正数，红卡的小些，相加得13，相乘得40。红卡背面的数是多少？", 5),
    ],
)
def test_a_comparison_without_numbers_chooses_the_root(text: str, value: int) -> None:
    assert chosen("x*(13-x)=40", text, "zh").answers == (Fraction(value),)


TOGETHER: list[tuple[Language, str, str, list[str]]] = [
    ("zh", "2支钢笔和3本本子共31元，4支钢笔和1本本子共47元。小文要5支钢笔、2本本子，要付多少元？",
     "2*x+3*y=31; 4*x+y=47", ["5*x+2*y"]),
    ("zh", "甲班比乙班多6人，甲班人数是乙班的2倍少30人。两个班加起来，是多少人？", "x-y=6; x=2*y-30", ["x+y"]),
    ("zh", "果园有桃树和梨树共90棵，桃树是梨树的2倍。桃树超过梨树多少棵？", "x+y=90; x=2*y", ["x-y"]),
    ("en", "Ducks and goats have 20 heads and 50 legs. By what number do the ducks outnumber the goats?",
     "x+y=20; 2*x+4*y=50", ["x-y"]),
    ("en", "Ada is 24 years older than her son and 4 times as old. What is the age gap in years?",
     "x=4*y; x+y=40", ["x-y"]),
    ("en", "One box has 40 nails more than the other, and 3 times as many. How many nails are in both boxes?",
     "y=3*x; y-x=40", ["x+y"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "equation", "wanted"), TOGETHER)
def test_sums_and_differences_told_as_verbs(language: Language, text: str, equation: str, wanted: list[str]) -> None:
    assert unknowns(equation, text, language) == wanted


KEPT: list[tuple[Language, str, str]] = [
    ("zh", "群里每个人都给其他人发一条消息，一共发了90条，群里有多少个人？", "x*(x-1)=90"),
    ("zh", "今年产粮2300吨，比去年的2倍还多100吨，去年产粮多少吨？", "2*x+100=2300"),
    ("zh", "两队共50人，从甲队调4人到乙队后两队人数相等，甲队原有多少人？", "x-4=(50-x)+4"),
    ("en", "Twice a number is 15 greater than half of it. Find the number.", "2*x=15+0.5*x"),
    ("en", "Six friends paid $40 each for a boat. How much did they pay in total?", "x=6*40"),
]


@pytest.mark.parametrize(("language", "text", "equation"), KEPT)
def test_the_unknown_is_kept_where_nothing_speaks_for_an_expression(
    language: Language, text: str, equation: str
) -> None:
    assert unknowns(equation, text, language) == ["x"]
