"""What is asked is answered, and only that, given the equations."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.asked import ask
from sau_solver.problem import Language
from sau_solver.text.asking import read_questions
from tests.answering.given_equations import asked


def unknowns(equations: str, text: str, language: Language = "en") -> list[str]:
    return [one.unknown for one in asked(equations, text, language)]


DUCKS = "A farm has 30 ducks and goats with 86 legs in total."
TICKETS = "Adult tickets cost $8 and child tickets $5. 210 tickets were sold for $1290."


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x+y=30; 2*x+4*y=86", f"{DUCKS} How many goats are there?", ["y"]),
        ("x+y=30; 4*x+2*y=86", f"{DUCKS} How many goats are there?", ["x"]),
        ("x+y=30; 2*x+4*y=86", f"{DUCKS} How many ducks are there?", ["x"]),
        ("x+y=210; 8*x+5*y=1290", f"{TICKETS} How many child tickets were sold?", ["y"]),
        ("x+y=210; 5*x+8*y=1290", f"{TICKETS} How many child tickets were sold?", ["x"]),
        ("x+y=210; 8*x+5*y=1290", f"{TICKETS} How many tickets of each kind were sold?", ["x", "y"]),
        ("x+y=210; 8*x+5*y=1290", f"{TICKETS} How many more adult tickets than child tickets were sold?", ["y-x"]),
        ("x=y+11; x+y=25", "Lena is 11 years older than her brother. Together they are 25. How old is Lena?", ["x"]),
        ("x=y+11; x+y=25", "Lena is 11 years older than Tom. Together they are 25. How old is Tom?", ["y"]),
        ("x+(x+11)=25", "Lena is 11 years older than Tom. Together they are 25. How old is Lena?", ["x+11"]),
        ("x+y=41; x-y=7", "The sum of two numbers is 41, their difference is 7. What is the larger number?", ["x"]),
        ("x+y=41; x-y=7", "The sum of two numbers is 41, their difference is 7. Find the two numbers.", ["x", "y"]),
        ("x+(x+2)=36", "The sum of two consecutive even numbers is 36. What are the two numbers?", ["x", "x+2"]),
        ("x-y=15; x=4*y", "Two numbers differ by 15. The larger is 4 times the smaller. Find both.", ["x", "y"]),
        ("4*(x+y)=1200; 5*(x-y)=1200", "A plane flies 1200 miles in 4 hours with the wind and in 5 hours against it. "
         "How fast is the wind?", ["y"]),
        ("x=2*y+10; 2*(x+y)=140", "A pool is 10 m longer than twice its width. The perimeter is 140 m. "
         "What is its area?", ["x*y"]),
        ("3*x=(x+2)+8", "Three times the smaller of two consecutive even numbers is 8 more than the larger. "
         "What is the sum of the two numbers?", ["x+(x+2)"]),
        ("x+(x+2)+(x+4)=30", "Three consecutive even numbers add up to 30. "
         "What is the sum of the smallest and the largest?", ["x+(x+4)"]),
        ("3*x+2*y=16; x+4*y=12", "3 pens and 2 pads cost $16, one pen and 4 pads $12. What do you pay for one of each?",
         ["x+y"]),
        ("x=20*3; y=100-x", "Ann has $100 and buys 3 books for $20 each. How much does she have left?", ["y"]),
    ],
)  # fmt: skip
def test_english_questions_are_answered_by_the_unknown_they_ask_for(
    equations: str, text: str, answer: list[str]
) -> None:
    assert unknowns(equations, text) == answer


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x+y=15; 2*x+4*y=40", "鸡兔同笼，共15只，40条腿，兔有多少只？", ["y"]),
        ("x+y=15; 4*x+2*y=40", "鸡兔同笼，共15只，40条腿，兔有多少只？", ["x"]),
        ("x+y=52; 40*x+25*y=1420", "成人票每张40元，学生票每张25元，共买了52张，花了1420元。学生票买了多少张？", ["y"]),
        ("2*(x+y)=26; x=y+3", "长方形的周长是26厘米，长比宽多3厘米，求长方形的长和宽。", ["x", "y"]),
        ("2*(x+y)=96; y=3*x", "长方形的周长是96厘米，长是宽的3倍，宽是多少厘米？", ["x"]),
        ("x+y=130; x=1.6*y", "甲班和乙班一共种了130棵树，甲班是乙班的1.6倍。甲班比乙班多种多少棵？", ["x-y"]),
        ("x+y=12; x=y+3", "桃子和李子共12吨，桃子比李子多3吨，李子是桃子的几分之几？", ["y/x"]),
        ("x=500-68*6", "王老师带500元买足球，每个68元，买了6个。一共花了多少元？还剩多少元？", ["68*6", "x"]),
    ],
)
def test_chinese_questions_are_answered_by_the_unknown_they_ask_for(
    equations: str, text: str, answer: list[str]
) -> None:
    assert unknowns(equations, text, "zh") == answer


@pytest.mark.parametrize(
    ("text", "language", "rounding", "answer"),
    [
        ("165名同学去春游，每辆车限乘24人，至少需要几辆车？", "zh", "up", 7),
        ("165 students go by bus. A bus seats 24. How many buses are needed?", "en", "up", 7),
        ("165 eggs are packed in boxes of 24. How many full boxes are there?", "en", "down", 6),
        ("165 eggs are packed in boxes of 24. How many eggs are left over?", "en", "remainder", 21),
        ("165颗糖平均分给24人，还剩几颗？", "zh", "remainder", 21),
    ],
)
def test_questions_that_round_are_rounded(text: str, language: Language, rounding: str, answer: int) -> None:
    (entry,) = asked("x=165/24", text, language)
    assert (entry.rounding, entry.answer) == (rounding, Fraction(answer))


def test_without_evidence_every_unknown_is_listed_and_none_is_certain() -> None:
    entries = asked("x+y=30; x*y=200", "Two things add up to 30 and multiply to 200. How big is the blue one?", "en")
    assert [one.unknown for one in entries] == ["x", "y"]
    assert not any(one.certain for one in entries)


def test_a_part_that_asks_for_no_quantity_is_listed_without_an_answer() -> None:
    entries = asked("x=3*4", "A box has 3 rows of 4 eggs. (a) How many eggs are there? (b) Explain your answer.", "en")
    assert [one.answer for one in entries] == [12, None]


def test_a_divisor_that_the_text_names_needs_no_equations() -> None:
    reading = read_questions("用最大公因数想一想：48支铅笔和36块橡皮最多可以平均分给多少名同学？", "zh")
    (entry,) = ask(reading, (), {})
    assert (entry.unknown, entry.answer, entry.unit) == ("gcd(48,36)", Fraction(12), "名")


@pytest.mark.parametrize("text", ["小明买了3本书，每本x元，一共多少元？", "A pen costs $n. How much do 3 pens cost?"])
def test_a_letter_is_no_number(text: str) -> None:
    assert read_questions(text, "zh" if "元" in text else "en").letter


def test_a_letter_that_is_asked_for_is_an_unknown() -> None:
    assert not read_questions("Find x if x dollars and 5 dollars are 12 dollars.", "en").letter


@given(st.integers(1, 60), st.integers(1, 60), st.booleans())
def test_the_order_of_the_unknowns_does_not_change_the_answer(ducks: int, goats: int, swapped: bool) -> None:
    legs = 2 * ducks + 4 * goats
    text = f"There are {ducks + goats} ducks and goats with {legs} legs altogether. How many goats are there?"
    factors = "4*x+2*y" if swapped else "2*x+4*y"
    (entry,) = asked(f"x+y={ducks + goats}; {factors}={legs}", text, "en")
    assert entry.answer == goats


@given(st.text(max_size=200), st.sampled_from(["en", "zh"]))
def test_any_text_can_be_read(text: str, language: Language) -> None:
    for entry in asked("x+y=30; 2*x+4*y=86", text, language):
        assert entry.answer is None or isinstance(entry.answer, Fraction)
