"""What is asked for may be a side of an equation, a combination of unknowns or one of several shapes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.asked.totals import is_counted_in
from sau_solver.explaining.formats import display_all
from sau_solver.problem import Language
from sau_solver.text.asking import read_questions
from tests.answering.given_equations import asked, unknowns

CHERRIES = "If each child gets 11 cherries, 19 are left. If each gets 12, 7 cherries are missing."
RIDE = "On a tour of 43 km Mia rode a bike at 14 km/h and walked at 5 km/h. It took her 5 hours."
PENS = "小店卖出铅笔和钢笔共20支，铅笔3元一支，钢笔7元一支，共收100元。"
RIDES = "For 5 rides on the wheel and 2 on the cars Ravi pays $26; for 3 on the wheel and 3 on the cars Suki pays $21."


@pytest.mark.parametrize(
    ("equations", "text", "language", "wanted"),
    [
        ("11*x+19=12*x-7", f"{CHERRIES} How many cherries are there?", "en", ["11*x+19"]),
        ("11*x+19=12*x-7", f"{CHERRIES} How many children are there?", "en", ["x"]),
        ("y=11*x+19; y=12*x-7", f"{CHERRIES} How many cherries are there?", "en", ["y"]),
        ("6*x+18=y; 8*x-4=y", "如果每间住6人，有18人没床位；如果每间住8人，空出4个床位。新生有多少人？", "zh", ["y"]),
        ("240*0.8-x=0.2*x", "T恤标价240元，打8折售出，仍获利20%，这件T恤的进价为多少元？", "zh", ["x"]),
        (
            "5*x+2*y=26; 3*x+3*y=21",
            f"{RIDES} What is the cost of 2 rides on the wheel and 4 on the cars?",
            "en",
            ["2*x+4*y"],
        ),
        ("5*x+2*y=26; 3*x+3*y=21", f"{RIDES} What does a ride on the cars cost?", "en", ["y"]),
        (
            "x+(x+1)+(x+2)=42",
            "Three brothers of consecutive ages are 42 together. How old is the eldest?",
            "en",
            ["x+2"],
        ),
        ("x=500*0.94; y=500-x", "500粒玉米种子的发芽率是94%，发芽的比没发芽的多多少粒？", "zh", ["x-y"]),
        (
            "x=24-15; y=15-x",
            "24 muffins were there, later 15. How many more muffins were left than eaten?",
            "en",
            ["y"],
        ),
    ],
)
def test_asked_expressions(equations: str, text: str, language: Language, wanted: list[str]) -> None:
    assert unknowns(equations, text, language) == wanted


@pytest.mark.parametrize(
    ("equations", "shown", "skipped"),
    [("x=2*(12+8)", "周长 40 厘米", "面积"), ("x=12*8", "面积 96 平方厘米", "周长")],
)
def test_one_calculation_answers_the_shape_it_computes(equations: str, shown: str, skipped: str) -> None:
    text = "长方形的长是12厘米，宽是8厘米，它的周长和面积各是多少？"
    entries = asked(equations, text, "zh")
    assert display_all(entries, "zh") == shown
    assert [one.quantity for one in entries if one.answer is None] == [skipped]


@pytest.mark.parametrize("text", ["两个数的和是7，积是12，求这两个数。", "两个数的和是7，积是12，这两个数是多少？"])
def test_one_name_for_both_numbers_is_not_repeated(text: str) -> None:
    assert "这两个数" not in display_all(asked("x+y=7; x*y=12", text, "zh"), "zh")


@pytest.mark.parametrize(
    "text",
    [
        "Dina ate 8 nuts, her brother half of what remained. Now there are 15. How many nuts were there at first?",
        "What is the area of a field with a base of 120 m and a height of 45 m?",
        "When 7 lamps are on, how many watts are used?",
        "A plot is a rectangle. How wide is the plot? What is the right answer?",
    ],
)
def test_words_that_do_not_ask_are_no_questions(text: str) -> None:
    (entry,) = asked("x=15*2+8", text, "en")
    assert entry.unknown == "x"
    assert entry.certain


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        ("x+y=5; 14*x+5*y=43", f"{RIDE} How many kilometers did she ride?", "en", "28"),
        ("x+y=5; 14*y+5*x=43", f"{RIDE} How many kilometers did she walk?", "en", "15"),
        ("x+y=5; 14*x+5*y=43", f"{RIDE} How many hours did she walk?", "en", "3"),
        ("x+y=20; 3*x+7*y=100", f"{PENS}钢笔卖了多少元？", "zh", "70"),
        ("x+y=20; 3*x+7*y=100", f"{PENS}钢笔卖了多少支？", "zh", "10"),
    ],
)
def test_a_term_is_asked_for_in_the_unit_of_its_sum(equations: str, text: str, language: Language, answer: str) -> None:
    assert [str(one.answer) for one in asked(equations, text, language)] == [answer]


@pytest.mark.parametrize(("unit", "counted"), [("平方厘米", True), ("平方米", False), ("厘米", False)])
def test_the_longest_units_are_found_after_a_number(unit: str, counted: bool) -> None:
    reading = read_questions("一张卡片的面积是24平方厘米，8张一共有多大？", "zh")
    assert is_counted_in(unit, Fraction(24), reading, stated=True) is counted
