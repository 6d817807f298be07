"""Questions about one unknown that ask for an expression with it."""

from __future__ import annotations

import pytest

from sau_solver.answering.roots import choose
from sau_solver.equations.parser import parse
from sau_solver.problem import Language
from sau_solver.solving import solve
from sau_solver.text.wording import cues_of

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


@pytest.mark.parametrize(("language", "text", "equation", "unknowns"), CASES)
def test_the_expression_asked_for_is_found(language: Language, text: str, equation: str, unknowns: list[str]) -> None:
    equations = parse(equation)
    asked = choose(solve(equations), equations, cues_of(text, language)).asked
    assert [one.unknown for one in asked] == unknowns


def test_two_questions_about_one_unknown_are_both_answered() -> None:
    equations = parse("4*x+7=5*x+2")
    text = "同学们搭帐篷，每顶住4人，多出7人；每顶住5人，多出2人。帐篷有几顶？同学有多少人？"
    asked = choose(solve(equations), equations, cues_of(text, "zh")).asked
    assert [one.unknown for one in asked] == ["x", "4*x+7"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("红蓝两张卡片背面各有一个正数，红卡的大些，相加得13，相乘得40。红卡背面的数是多少？", 8),
        ("红蓝两张卡片背面各有一个正数，红卡的小些，相加得13，相乘得40。红卡背面的数是多少？", 5),
    ],
)
def test_a_comparison_without_numbers_chooses_the_root(text: str, value: int) -> None:
    equations = parse("x*(13-x)=40")
    assert [int(str(one)) for one in choose(solve(equations), equations, cues_of(text, "zh")).answers] == [value]
