"""The unit of an answer comes from the question, and only if the question states it."""

from __future__ import annotations

import re

import pytest

from sau_solver.problem import Language
from sau_solver.text.questions import questions_of
from sau_solver.text.units import asks_per_cent, length_to_power, power_of_length, unit_in_question


def language_of(text: str) -> Language:
    return "zh" if re.search(r"[\u4e00-\u9fff]", text) else "en"


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("甲乙两地相距多少千米？", "千米"),
        ("这件衣服的进价是多少元？", "元"),
        ("鸡有几只？", "只"),
        ("面积是多少平方米？", "平方米"),
        ("速度是多少千米/小时？", "千米/小时"),
        ("当售价定为多少元/个时，利润为100元？", "元/个"),
        ("实际投资多少万元？", "万元"),
        ("一共接待游客多少万人次？", "万人次"),
        ("需要加入多少千克水？", "千克"),
        ("需要多少时？", "小时"),
        ("学生人数是多少时，两种方案一样？", ""),
        ("还剩多少km？", "km"),
        ("体积=多少立方厘米．", "立方厘米"),
        ("全长是（  ）千米．", "千米"),
        ("传染了多少个人？", "个人"),
        ("需要多少时间？", ""),
        ("速度是多少？", ""),
        ("成本降低了百分之几？", ""),
        ("一本书3元，两本多少钱？", "元"),
        ("一本书3元5角，两本多少钱？", ""),
        ("鸡和兔各有多少只？", "只"),
        ("How many miles did she drive?", "miles"),
        ("How many yellow balloons do they have in total ?", "yellow balloons"),
        ("How many pounds of apples did she buy?", "pounds"),
        ("How many more tickets should Zach buy?", "tickets"),
        ("How many people attended the concert?", "people"),
        ("How many 9 dollar games could he buy?", "games"),
        ("How many work-stations accommodate 2 students?", ""),
        ("How many students walk to school?", ""),
        ("How many of the 21 animals are sheep?", ""),
        ("How many are left?", ""),
        ("How many nickels and dimes are in the bank?", ""),
        ("How many baseball and football cards does he have?", "cards"),
        ("Find the rate in gallons per minute.", "gallons per minute"),
        ("What was the regular price , in dollars?", "dollars"),
        ("A pen costs $3. How much do two pens cost?", "dollars"),
        ("A pen costs 30 cents and a book 2 dollars. How much do both cost?", ""),
        ("How much does the third own?", ""),
        ("How old is Ann?", "years"),
        ("What percent of the marbles are green?", ""),
        ("How long did she run?", ""),
    ],
)
def test_a_question_states_its_unit_or_none(text: str, unit: str) -> None:
    language = language_of(text)
    (question,) = questions_of(text, language).found
    assert unit_in_question(question, text, language) == unit


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("节约用水百分之几？", True),
        ("求年平均增长率．", True),
        ("盐水的浓度为多少%．", True),
        ("如果每次降价的百分率相同，求现在的价格．", False),
        ("What percent of the marbles are green?", True),
        ("The tax is 6 percent. How much is the price?", False),
    ],
)
def test_questions_for_a_percentage_are_recognized(text: str, asked: bool) -> None:
    language = language_of(text)
    assert asks_per_cent(questions_of(text, language).found, language) is asked


@pytest.mark.parametrize(
    ("unit", "power", "squared"),
    [("分米", 1, "平方分米"), ("meters", 1, "square meters"), ("平方米", 2, "平方米"), ("cubic cm", 3, "square cm")],
)
def test_lengths_have_areas_and_volumes(unit: str, power: int, squared: str) -> None:
    assert (power_of_length(unit), length_to_power(unit, 2)) == (power, squared)


def test_other_units_have_no_power() -> None:
    assert not any(power_of_length(unit) for unit in ("", "小时", "pencils", "公顷", "dollars"))
    assert length_to_power("小时", 2) == length_to_power("米", 4) == ""
