"""The root that a reader of the problem would give is chosen, and the others are dropped for a reason."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import chosen

CASES: list[tuple[str, str, Language, list[object], list[str]]] = [
    # equations, text, language, answers, reasons for what was dropped
    ("x*(x+5)=84", "长方形的长比宽多5米，面积是84平方米，它的宽是多少米？", "zh", [7], ["negative"]),
    (
        "400*(1-x)^2=324",
        "原价400元，连续两次降价后为324元，每次降价的百分率是多少？",
        "zh",
        [Fraction(1, 10)],
        ["impossible"],
    ),
    (
        "x*(40-2*x)=150",
        "一面靠墙，墙长18米，用40米篱笆围成150平方米的菜地，求垂直于墙的边长。",
        "zh",
        [15],
        ["bounded"],
    ),
    ("x*(20-x)=96", "长方形的周长是40米，面积是96平方米，则长是多少？", "zh", [12], ["unwanted"]),
    ("x*(20-x)=96", "长方形的周长是40米，面积是96平方米，则宽是多少？", "zh", [8], ["unwanted"]),
    ("x*(20-x)=96", "长方形的周长是40米，面积是96平方米，长是多少米？", "zh", [12], ["unwanted"]),
    ("x*(40/2-x)=96", "长方形的周长是40米，面积是96平方米，求它的长和宽。", "zh", [12, 8], []),
    ("x*y=96; 2*(x+y)=40", "长方形的周长是40米，面积是96平方米，求它的长和宽。", "zh", [12, 8], []),
    (
        "x*y=35; x+y=12",
        "A rectangle has an area of 35 and a perimeter of 24. Find its length and width.",
        "en",
        [7, 5],
        [],
    ),
    ("x*(12-x)=35", "两个数的和是12，积是35，求这两个数。", "zh", [5, 7], []),
    ("x*(x+2)=35", "两个数的差是2，积是35，求这两个数。", "zh", [-7, -5, 5, 7], []),
    ("x^2+(x-7)^2=13^2", "直角三角形的直角边相差7厘米，斜边长13厘米，求两条直角边的长。", "zh", [12, 5], ["negative"]),
    ("(40-x)*(20+2*x)=1200", "为了尽快减少库存，每件应降价多少元？", "zh", [20], ["unwanted"]),
    ("(x-40)*(500-10*(x-50))=8000", "为使顾客得到实惠，售价应定为多少？", "zh", [60], ["unwanted"]),
    ("6*x^2-31*x+35=0", "参加聚会的有多少人？", "zh", [Fraction(5, 3), Fraction(7, 2)], []),
    ("2*x^2-9*x+4=0", "一共有多少人？", "zh", [4], ["fractional"]),
    ("y*(1+x)^2=y*1.21", "两年增加了21%，平均每年的增长率是多少？", "zh", [Fraction(1, 10)], ["negative", "trivial"]),
    ("x*(x+1)=30", "两个连续整数的积是30，较小的数是多少？", "zh", [-6, 5], []),
    ("x+y=20; 2*x+4*y=50", "鸡和兔各有多少只？", "zh", [15, 5], []),
    ("212+boys=girls; girls+boys=466", "How many boys are in the class?", "en", [127], []),
    ("40/(60+wind)+40/(60-wind)=1.5", "What is the speed of the wind?", "en", [20], ["negative"]),
    ("x^2=16", "The square of a number is 16. Find the number.", "en", [-4, 4], []),
    ("x=x", "How many?", "en", [], []),
]


@pytest.mark.parametrize(("equations", "text", "language", "answers", "reasons"), CASES, ids=[c[0] for c in CASES])
def test_the_root_asked_for_is_chosen(
    equations: str, text: str, language: Language, answers: list[object], reasons: list[str]
) -> None:
    choice = chosen(equations, text, language)
    assert list(choice.answers) == answers
    assert [dropped.reason for dropped in choice.dropped] == reasons


def test_nothing_is_dropped_where_there_is_one_solution() -> None:
    choice = chosen("x+7=3", "What is the temperature change?", "en")
    assert (choice.answers, choice.dropped) == ((Fraction(-4),), ())
