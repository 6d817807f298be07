"""Which unknown a thing is, follows from words, numbers, comparisons and common knowledge, not from the letter."""

from __future__ import annotations

import pytest

from sau_solver.answering.asked.quantities import quantities_of
from sau_solver.answering.asked.word_evidence import mentions_of_factors
from sau_solver.equations.parser import parse
from sau_solver.equations.roles import roles_of
from sau_solver.problem import Language
from sau_solver.solving import solve
from sau_solver.text.asking import read_questions
from tests.answering.given_equations import asked

BOXES = "A van carries boxes of 9 kg and boxes of 15 kg, 40 boxes of 480 kg in all."
DIGITS = "The digits of a two-digit number add up to 12. If they are swapped, the number gets 36"
TRAIL = "Uma walked part of a 20-mile trail at 4 mph and ran the rest at 6 mph. It took her 4 hours."
PIPES = "The thick pipe for 3 hours and the thin one for 2 hours give 260 liters; 1 hour of each gives 100 liters."
WORKERS = "每人每天做桌面10张或桌腿30条，一张桌面配四条桌腿，现有55人，应安排多少人做"


def only_answer(equations: str, text: str, language: Language) -> str:
    (entry,) = asked(equations, text, language)
    assert entry.certain
    return str(entry.answer)


@pytest.mark.parametrize(
    ("first", "second", "text", "language", "answer"),
    [
        ("x+y=40; 9*x+15*y=480", "x+y=40; 9*y+15*x=480", f"{BOXES} How many heavy boxes are there?", "en", "20"),
        (
            "x+y=40; 9*x+16*y=500",
            "x+y=40; 9*y+16*x=500",
            "We have 40 notes, nines and sixteens. How many of the notes of 16 do we have?",
            "en",
            "20",
        ),
        (
            "x+y=18; 5*x+20*y=210",
            "x+y=18; 5*y+20*x=210",
            "I saved 18 bills, only fives and twenties, $210 in all. How many fives did I save?",
            "en",
            "10",
        ),
        (
            "x+y=12; 10*y+x=10*x+y+36",
            "x+y=12; 10*x+y=10*y+x+36",
            f"{DIGITS} larger. What is the tens digit?",
            "en",
            "4",
        ),
        (
            "x+y=12; (10*y+x)-(10*x+y)=36",
            "x+y=12; (10*x+y)-(10*y+x)=36",
            f"{DIGITS} smaller. What is the units digit?",
            "en",
            "4",
        ),
        ("x+y=4; 4*x+6*y=20", "x+y=4; 6*x+4*y=20", f"{TRAIL} How long did she run?", "en", "2"),
        (
            "3*x+2*y=260; x+y=100",
            "3*y+2*x=260; x+y=100",
            f"{PIPES} How many liters an hour come through the thin pipe?",
            "en",
            "40",
        ),
        (
            "x+3*y=47; x+8*y=92",
            "y+3*x=47; y+8*x=92",
            "A club has a yearly fee and a price per game. 3 games cost $47, 8 games $92. What is the price per game?",
            "en",
            "9",
        ),
        (
            "x+y=40; 3*x-y=24",
            "x+y=40; 3*y-x=24",
            "The sum of two numbers is 40. Three times the first minus the second is 24. What is the second number?",
            "en",
            "24",
        ),
        (
            "x=3*y; x*y=75",
            "y=3*x; x*y=75",
            "A wall is 3 times as long as it is high. It has 75 square meters. How high is it?",
            "en",
            "5",
        ),
        (
            "x+y=54; x+4=y",
            "x+y=54; y+4=x",
            "There are 54 birds. If four more swans came, there would be as many swans as geese. How "
            "many swans are there?",
            "en",
            "25",
        ),
        (
            "x+y=12; 30*x=60*y",
            "x+y=12; 30*y=60*x",
            "A bus went out at 30 km/h and returned at 60 km/h. It drove 12 hours altogether. How many "
            "hours did the way back take?",
            "en",
            "4",
        ),
        ("x+y=55; 4*10*x=30*y", "x+y=55; 4*10*y=30*x", f"{WORKERS}桌面？", "zh", "165/7"),
        (
            "x+y=60; x-9=y+9",
            "x+y=60; y-9=x+9",
            "小芸和小兰共有60枚贝壳，小芸给小兰9枚后两人同样多，小兰原来有几枚？",
            "zh",
            "21",
        ),
        (
            "x+y=96; y=2*x-30",
            "x+y=96; x=2*y-30",
            "老王和小赵一天共做零件96个，老王做的个数比小赵的2倍少30个，小赵一天做多少个？",
            "zh",
            "42",
        ),
        (
            "4*x+4*y=360; x=y+10",
            "4*x+4*y=360; y=x+10",
            "轿车和卡车同时从两地相向开出，相距360千米，4小时相遇，轿车每小时比卡车快10千米。卡车每小时行多少千米？",
            "zh",
            "40",
        ),
        (
            "x+y=21; 3*x+2*y=50",
            "x+y=21; 3*y+2*x=50",
            "50人住旅店，三人间和双人间共21间，刚好住满。双人间有几间？",
            "zh",
            "13",
        ),
        (
            "y=4*x+9; y=6*x-7",
            "x=4*y+9; x=6*y-7",
            "老师分糖，每人分4块多9块，每人分6块少7块，一共有多少块糖？",
            "zh",
            "41",
        ),
    ],
)
def test_the_answer_does_not_depend_on_which_letter_stands_for_what(
    first: str, second: str, text: str, language: Language, answer: str
) -> None:
    for equations in (first, second):
        assert only_answer(equations, text, language) == answer


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        (
            "x+y=45; x=y+9",
            "A choir of 45 has 9 more altos than tenors. What percent of the choir are tenors?",
            "en",
            "2/5",
        ),
        (
            "x+y=45; y=x+9",
            "A choir of 45 has 9 more altos than tenors. What percent of the choir are tenors?",
            "en",
            "2/5",
        ),
        (
            "x+y=36; x-y=18",
            "Two poles, a red and a blue one, are 36 m together. The red one is 18 m longer than the "
            "blue one. The blue pole is what fraction of the red pole?",
            "en",
            "1/3",
        ),
        (
            "x+y=36; y-x=18",
            "Two poles, a red and a blue one, are 36 m together. The red one is 18 m longer than the "
            "blue one. How many times as long as the blue pole is the red pole?",
            "en",
            "3",
        ),
        ("x+y=40; x=y-16", "车间有40人，男工比女工少16人，男工占全车间总人数的百分之几？", "zh", "3/10"),
        ("x+y=40; y=x-16", "车间有40人，男工比女工少16人，男工与女工的人数比是多少？", "zh", "3/7"),
    ],
)
def test_a_ratio_divides_by_the_other_thing_or_by_all(
    equations: str, text: str, language: Language, answer: str
) -> None:
    assert only_answer(equations, text, language) == answer


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        (
            "x+y=9; 10*x+y=6*(x+y)",
            "A two-digit number is 6 times the sum of its digits. What is the number?",
            "en",
            "54",
        ),
        (
            "x+y=9; 10*x+y+27=10*y+x",
            "The digits of a two-digit number add up to 9. If 27 is added to the number, its digits are "
            "reversed. What is the original number?",
            "en",
            "36",
        ),
        (
            "x+y=9; 10*y+x+27=10*x+y",
            "The digits of a two-digit number add up to 9. If 27 is added to the number, its digits are "
            "reversed. What is the original number?",
            "en",
            "36",
        ),
        (
            "x+y=11; (10*y+x)-(10*x+y)=9",
            "一个两位数，十位与个位数字的和是11，两个数字对调后，新数比原数大9。求原来的两位数。",
            "zh",
            "56",
        ),
    ],
)
def test_a_number_of_two_digits_is_put_together(equations: str, text: str, language: Language, answer: str) -> None:
    assert only_answer(equations, text, language) == answer


@pytest.mark.parametrize(
    ("first", "second", "text", "language", "answer"),
    [
        (
            "2*x+5*y=80; 5*x+2*y=95",
            "2*y+5*x=80; 5*y+2*x=95",
            "甲机开2小时、乙机开5小时共做80个，甲机开5小时、乙机开2小时共做95个，乙机每小时做多少个？",
            "zh",
            "10",
        ),
        (
            "x+y=30; 6*x-y=110",
            "x+y=30; 6*y-x=110",
            "竞赛共30题，做对一题得6分，做错一题扣1分，小杰得110分，他做错了几题？",
            "zh",
            "10",
        ),
        (
            "x+y=15; (x+1)/y=3/5",
            "x+y=15; (y+1)/x=3/5",
            "一个分数，分子与分母的和是15，分子加上1后等于3/5，原分数的分母是多少？",
            "zh",
            "10",
        ),
        (
            "3*x=y; 8*x=y+150",
            "3*y=x; 8*y=x+150",
            "A train passes a post in 3 seconds and a bridge of 150 m in 8 seconds. How fast is the train?",
            "en",
            "30",
        ),
        (
            "x+y=60; x-6=y+6",
            "x+y=60; y-6=x+6",
            "Two teams have 60 players. If 6 players went from the red team to the blue team, both would "
            "be equal. How many players has the blue team?",
            "en",
            "24",
        ),
        (
            "x-2=2*(y-2); x+y=64",
            "y-2=2*(x-2); x+y=64",
            "Two years ago Karl was double the age of Rosa. Now they are 64 together. How old is Karl?",
            "en",
            "42",
        ),
        (
            "0.4*x+1*y=5; x+y=10",
            "0.4*y+1*x=5; x+y=10",
            "How many liters of 100% juice must be mixed with 40% juice to get 10 liters of 50% juice?",
            "en",
            "5/3",
        ),
        (
            "x+y=50; x-y=30",
            "x+y=50; y-x=30",
            "A mother and her son are 50 years old together and 30 years apart. How old is the son?",
            "en",
            "10",
        ),
        (
            "x+y=50; x-y=30",
            "x+y=50; y-x=30",
            "Dad and Ben are 50 years old together and 30 years apart. How old is Dad?",
            "en",
            "40",
        ),
        (
            "x+y=20; 200*x+350*y=5200",
            "x+y=20; 200*y+350*x=5200",
            "Cups of 200 ml and 350 ml, 20 of them, hold 5200 ml. How many Large cups are there?",
            "en",
            "8",
        ),
        (
            "x+3*y=11; x+7*y=19",
            "y+3*x=11; y+7*x=19",
            "A taxi ride of 3 miles costs $11, one of 7 miles $19. What is the Base Fare?",
            "en",
            "5",
        ),
    ],
)
def test_clauses_and_common_sense_tell_the_unknowns_apart(
    first: str, second: str, text: str, language: Language, answer: str
) -> None:
    for equations in (first, second):
        assert only_answer(equations, text, language) == answer


def test_the_words_of_a_multiple_are_those_of_what_is_multiplied() -> None:
    equations = parse("x=3*y+4; x+y=40")
    quantities = quantities_of(roles_of(equations), solve(equations).solutions[0])
    things = {"苹", "梨", "ann", "ben"}
    for text, language, multiplied in (
        ("苹果的重量比梨的3倍还多4千克，一共40千克，梨有多少千克？", "zh", "梨"),
        ("Ann's age is 4 more than 3 times Ben's, and together they are 40. How old is Ben?", "en", "ben"),
    ):
        (mention,) = mentions_of_factors(read_questions(text, language), quantities[1], quantities)
        assert things & set(mention.near) == {multiplied}
