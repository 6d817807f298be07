"""Of two unknowns that are computed, a step answers the question before the result, and a share the thing it is of."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import chosen

MEETING = (
    "甲车每小时行60千米，乙车每小时行80千米，两车从相距420千米的两地相向而行，几小时后相遇？相遇时甲车行了多少千米？"
)
MARBLES = "Tom has 24 marbles and Ann has 3 times as many. How many does Ann have? How many do they have together?"
TOGETHER = "Tom has 24 marbles and Ann has 3 times as many. How many do they have together? How many does Ann have?"
CLASS = "There are 45 students. 3/5 are girls. How many boys and how many girls are there?"


@pytest.mark.parametrize(
    ("equations", "text", "language", "answers"),
    [
        ("x=60*420/(60+80); y=420/(60+80)", MEETING, "zh", ["3", "180"]),
        ("x=420/(60+80); y=60*420/(60+80)", MEETING, "zh", ["3", "180"]),
        ("x=24+24*3; y=24*3", MARBLES, "en", ["72", "96"]),
        ("x=24*3; y=24*3+24", MARBLES, "en", ["72", "96"]),
        ("x=24*3; y=24+24*3", TOGETHER, "en", ["96", "72"]),
        ("x=45*0.6; y=45*(1-0.6)", CLASS, "en", ["18", "27"]),
        ("x=45*(1-0.6); y=45*0.6", CLASS, "en", ["18", "27"]),
        (
            "x=360*(1-0.4); y=360*0.4",
            "360棵果树中苹果树占40%，其余是梨树，苹果树和梨树各有多少棵？",
            "zh",
            ["144", "216"],
        ),
        # one question for two things does not ask for a step and a result
        (
            "x=0.25*27/(1-0.25); y=27/(1-0.25)",
            "小红的年龄是妈妈的1/4，两人相差27岁，小红和妈妈各多少岁？",
            "zh",
            ["9", "36"],
        ),
    ],
)
def test_the_unknowns_are_in_the_order_of_the_questions(
    equations: str, text: str, language: Language, answers: list[str]
) -> None:
    assert list(map(str, chosen(equations, text, language).answers)) == answers


@pytest.mark.parametrize(
    ("equations", "text", "language", "answers"),
    [
        (
            "x=50-3*5-8",
            "3本笔记本每本5元，一支钢笔8元，小明付了50元。一共花了多少元？应找回多少元？",
            "zh",
            ["23", "27"],
        ),
        ("x=500-68*6", "68元的书买6本，付了500元。一共花了多少元？应找回多少元？", "zh", ["408", "92"]),
        (
            "x=20-4-7",
            "Kim has $20 and spends $4 and $7. How much does she spend in all? How much is left?",
            "en",
            ["11", "9"],
        ),
    ],
)
def test_what_an_equation_takes_away_answers_the_question_for_a_total(
    equations: str, text: str, language: Language, answers: list[str]
) -> None:
    assert list(map(str, chosen(equations, text, language).answers)) == answers
