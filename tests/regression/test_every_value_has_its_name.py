"""Values of "each" had no names, lists after a comma were one question, and unknowns were left undefined."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.asked import Asked
from sau_solver.answering.roots import Chosen, choose
from sau_solver.equations.expressions import unknowns_of
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.explaining.naming import name_asked
from sau_solver.explaining.story import skipped_questions
from sau_solver.solver import Solver
from sau_solver.solving import solve
from sau_solver.text.numbers import detect_language, map_text
from sau_solver.text.wording import cues_of

TRAINS = (
    "Two trains start 420 miles apart and travel toward each other at 60 mph and 80 mph. "
    "After how many hours do they meet"
)


def chosen(text: str, equations: str) -> Chosen:
    parsed = parse(equations)
    return choose(solve(parsed), parsed, cues_of(text, detect_language(text)))


@pytest.mark.parametrize(
    ("text", "equations", "shown"),
    [
        (
            "Anna has twice as many stickers as Ben. Together they have 36. How many stickers does each have?",
            "x=2*y; x+y=36",
            "Anna: 24 stickers, Ben: 12 stickers",
        ),
        (
            "Lisa is 5 years older than Mark. In 3 years the sum of their ages will be 41. How old is each now?",
            "x=y+5; x+3+y+3=41",
            "Lisa: 20 years, Mark: 15 years",
        ),
        ("甲乙两人共有邮票60张，甲是乙的2倍，两人各有多少张？", "x+y=60; x=2*y", "甲 40 张，乙 20 张"),
        (
            "She bought pens at $2 and notebooks at $3. She bought 12 items for $29. How many of each did she buy?",
            "x+y=12; 2*x+3*y=29",
            "pens: 7 items, notebooks: 5 items",
        ),
        (
            "The perimeter of a rectangle is 34 meters, and the length is 1 meter more than the width. "
            "Find the length, the width and the area.",
            "2*(x+y)=34; x=y+1",
            "length: 9 meters, width: 8 meters, area: 72 square meters",
        ),
        (f"{TRAINS}, and how far has the faster one gone?", "(60+80)*x=420", "hours: 3, 240 miles"),
        (f"{TRAINS}, and how far has the slower one gone?", "60*x+80*x=420", "hours: 3, 180 miles"),
        (f"{TRAINS}, and how far has each gone?", "(60+80)*x=420", "hours: 3"),
        ("The area of a square is 49 square meters. What is its perimeter?", "x^2=49", "28 meters"),
        (
            "Buses with 45 seats take 240 children. How many buses are needed, and how many seats stay empty?",
            "x=240/45",
            "buses: 6, seats stay empty: 30 seats",
        ),
        ("240个学生坐45座的客车去春游，需要几辆车？还空几个座位？", "x=240/45", "车 6 辆，座位 30 个"),
        ("A hall has 300 seats. 9 classes of 30 come. How many seats stay empty?", "x=300-9*30", "30 seats"),
        ("2 shirts at $25 each and 3 hats at $12 each. How much in total?", "x=2*25+3*12", "$86"),
    ],
)
def test_what_is_asked_is_shown_with_its_name_and_unit(text: str, equations: str, shown: str) -> None:
    assert display_all(chosen(text, equations).asked, detect_language(text), forms_of(text)) == shown


@pytest.mark.parametrize(
    ("text", "equations", "step"),
    [
        (
            "A father is 30 years older than his son. In 5 years he will be 3 times as old. How old is the son?",
            "x=y+30; x+5=3*(y+5)",
            "Let x be the father's age (years) and y be the son's age (years).",
        ),
        (
            "150 tickets were sold for $1,050. Adult tickets cost $8 and child tickets cost $5. "
            "How many child tickets were sold?",
            "x+y=150; 8*x+5*y=1050",
            "Let x be the number of adult tickets and y the number of child tickets.",
        ),
        (
            "150 people paid $1,050. Adults pay $8 and children pay $5. "
            "How many adults and how many children were there?",
            "x+y=150; 8*x+5*y=1050",
            "Let x be the number of adults and y the number of children.",
        ),
        (
            "Anna has twice as many stickers as Ben. Together they have 36. How many stickers does each have?",
            "x=2*y; x+y=36",
            "Let x be the number of Anna's stickers and y the number of Ben's stickers.",
        ),
        (
            "Lisa is 5 years older than Mark. In 3 years the sum of their ages will be 41. How old is each now?",
            "x=y+5; x+3+y+3=41",
            "Let x be Lisa's age (years) and y be Mark's age (years).",
        ),
        (
            "She bought pens at $2 and notebooks at $3. She bought 12 items for $29. How many of each did she buy?",
            "x+y=12; 2*x+3*y=29",
            "Let x be the number of pens and y the number of notebooks.",
        ),
        (
            "The perimeter of a rectangle is 34 m. The length is 1 m more than the width. What is the width?",
            "2*(x+y)=34; x=y+1",
            "Let x be the length (m) and y be the width (m).",
        ),
        (
            "长方形的周长是26厘米，长比宽多3厘米，长是多少厘米？",
            "2*(x+y)=26; x=y+3",
            "设长为 x 厘米，宽为 y 厘米。",
        ),
    ],
)
def test_both_unknowns_are_defined(text: str, equations: str, step: str) -> None:
    mapped = map_text(text)
    named = name_asked(chosen(text, equations).asked, unknowns_of(parse(equations)), mapped, mapped.language)
    assert str(named) == step


def problem(text: str, tree: str) -> list[str]:
    mapped = map_text(text)
    solution = Solver.solve_again(mapped, Uet.from_text(tree), [number.value for number in mapped.numbers])
    return [str(step) for step in solution.steps]


def test_a_mixed_number_of_the_text_stays_one() -> None:
    steps = problem("A recipe needs 5 1/2 cups of flour. Tom used 2 3/4 cups. How many cups are left?", "- N0 N1")
    assert steps[0].endswith("5 1/2 − 2 3/4 = 2 3/4 cups")


def test_the_mark_of_a_part_is_no_number_that_is_not_needed() -> None:
    text = "一辆汽车每小时行120千米，行了3小时，离城市还有140千米。（1）行了多少千米？（2）全程多少千米？"
    steps = problem(text, "+ * N1 N2 N3")
    assert not any("没有用到" in step for step in steps)
    assert "所以 120 × 3 = 360。" in steps


def test_the_time_of_both_pipes_is_defined() -> None:
    text = "Pipe A fills a tank in 4 hours and pipe B in 6 hours. How long does it take both pipes to fill the tank?"
    steps = problem(text, "= + / x N0 / x N1 1")
    assert "Let x be the quantity to find: “How long does it take both pipes to fill the tank?”" in steps


def test_of_a_question_with_two_things_only_the_one_without_an_answer_is_told() -> None:
    answered = Asked("求长和宽。", "宽", "x", Fraction(5), "厘米")
    assert skipped_questions([Asked("求长和宽。", "长", "", None, "厘米"), answered]) == ("长",)
    assert skipped_questions([Asked("求长。", "长", "", None, "厘米"), answered]) == ("求长。",)
