"""Typed answers are compared exactly; units, percentages and the order of several answers count."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.curriculum.marking import Mark, mark
from sau_solver.phrases import Language
from sau_solver.problem import AskedFor, Problem


def asking(*asked: tuple[str, str], language: Language = "en") -> Problem:
    asks = tuple(AskedFor("x", Fraction(answer), unit) for answer, unit in asked)
    return Problem("1", "How many?", language, asks=asks, answers=tuple(one.answer for one in asks))


@pytest.mark.parametrize(
    ("answer", "unit", "typed", "expected"),
    [
        ("15", "goats", "15", "right"),
        ("15", "goats", "15 goats", "right"),
        ("15", "goats", "x = 15", "right"),
        ("15", "goats", "fifteen goats", "right"),
        ("15", "goats", "15.0", "right"),
        ("15", "goats", "15.01", "wrong"),
        ("15", "goats", "30/2", "right"),
        ("15", "goats", "", "no_number"),
        ("15", "goats", "many", "no_number"),
        ("15", "goats", "15 and 20", "count"),
        ("3/4", "liters", "0.75", "right"),
        ("3/4", "liters", "3/4 l", "right"),
        ("3/4", "liters", "750 ml", "right"),
        ("3/4", "liters", "750", "wrong"),
        ("5/2", "hours", "2 1/2", "right"),
        ("5/2", "hours", "2.5 h", "right"),
        ("5/2", "hours", "150 minutes", "right"),
        ("150", "cm", "1.5 m", "right"),
        ("150", "cm", "1.5 kg", "unit"),
        ("150", "centimeters", "1.5 metres", "right"),
        ("150", "centimeters", "150 metres", "unit"),
        ("150", "centimeters", "140 metres", "wrong"),
        ("150", "centimetres", "1.5 m", "right"),
        ("3", "square metres", "30000 square centimetres", "right"),
        ("3/4", "litres", "750 millilitres", "right"),
        ("43/2", "dollars", "$21.50", "right"),
        ("43/2", "dollars", "21.5", "right"),
        ("43/2", "dollars", "2150 cents", "right"),
        ("1/4", "%", "25%", "right"),
        ("1/4", "%", "25", "right"),
        ("1/4", "%", "0.25", "right"),
        ("1/4", "%", "25 percent", "right"),
        ("1/4", "%", "24%", "wrong"),
        ("1/4", "%", "0.25%", "wrong"),
        ("1/4", "%", "2500%", "wrong"),
        ("5/4", "%", "125%", "right"),
        ("5/4", "%", "125", "right"),
        ("5/4", "%", "1.25%", "wrong"),
        ("1200", "people", "1,200", "right"),
        ("83", "kilometers per hour", "83 km/h", "right"),
        ("83", "kilometers per hour", "83 kilometers per hour", "right"),
        ("83", "kilometers per hour", "83", "right"),
        ("72", "kilometers per hour", "20 m/s", "right"),
        ("83", "kilometers per hour", "83 km/s", "unit"),
        ("83", "kilometers per hour", "83 kilometers per minute", "unit"),
        ("83", "kilometers per hour", "83 mph", "unit"),
        ("83", "kilometers per hour", "83000 m", "unit"),
        ("864", "dollars", "864 euros", "unit"),
        ("864", "dollars", "€864", "unit"),
        ("280", "square inches", "280 m", "unit"),
        ("280", "square inches", "280 square inches", "right"),
        ("2", "square feet", "288 square inches", "right"),
        ("357", "square meters", "357 square feet", "unit"),
        ("357", "square meters", "357 m^2", "right"),
        ("357", "square meters", "357 m2", "right"),
        ("19000", "cubic centimeters", "19000 ml", "right"),
        ("19000", "cubic centimeters", "19 liters", "right"),
        ("19000", "cubic centimeters", "19000 cm^3", "right"),
        ("115", "minutes", "1 hour 55 minutes", "right"),
        ("115", "minutes", "1 hour and 55 minutes", "right"),
        ("115", "minutes", "1 h 54 min", "wrong"),
        ("115", "minutes", "55 minutes 1 hour", "count"),
        ("-4", "degrees", "minus 4", "right"),
        ("-3", "degrees", "-3", "right"),
        ("3", "degrees", "-3", "wrong"),
    ],
)
def test_one_answer(answer: str, unit: str, typed: str, expected: Mark) -> None:
    assert mark(asking((answer, unit)), typed).mark == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("长8厘米，宽5厘米", "right"),
        ("8，5", "right"),
        ("80毫米 5厘米", "right"),
        ("5和8", "order"),
        ("8", "count"),
        ("8千克和5厘米", "unit"),
    ],
)
def test_several_answers_in_the_order_of_the_questions(typed: str, expected: Mark) -> None:
    assert mark(asking(("8", "厘米"), ("5", "厘米"), language="zh"), typed).mark == expected


@pytest.mark.parametrize(
    ("answer", "unit", "typed", "expected"),
    [
        ("15/2", "元", "7元5角", "right"),
        ("15/2", "元", "7.5美元", "unit"),
        ("60", "千米/时", "60千米/小时", "right"),
        ("60", "千米/时", "每小时60千米", "right"),
        ("60", "千米/时", "60", "right"),
        ("3", "平方分米", "300平方厘米", "right"),
        ("3", "平方分米", "3分米", "unit"),
        ("2", "升", "2000立方厘米", "right"),
        ("-4", "℃", "负4", "right"),
        ("8", "只", "8只鸡", "right"),
    ],
)
def test_one_chinese_answer(answer: str, unit: str, typed: str, expected: Mark) -> None:
    assert mark(asking((answer, unit), language="zh"), typed).mark == expected


def test_each_part_has_a_verdict() -> None:
    marked = mark(asking(("8", "hens"), ("5", "cm")), "8 hens and 6 kg")
    assert marked.verdicts == ("right", "unit")
    assert marked.parts == (True, False)


def test_an_endless_text_is_cut() -> None:
    assert mark(asking(("8", "hens")), "8" + " " * 10**6 + "9").right
