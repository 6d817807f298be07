"""Quotients of things that are counted become whole numbers; other quotients stay as they are."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import asked


def rounded(equations: str, text: str, language: Language) -> list[tuple[Fraction | None, str]]:
    entries = asked(equations, text, language)
    return [(one.answer if isinstance(one.answer, Fraction) else None, one.rounding) for one in entries]


@pytest.mark.parametrize(
    ("equations", "text", "answer", "rounding"),
    [
        ("x=38/4", "38 scouts sleep in tents for 4. How many scouts are in the last tent?", 2, "remainder"),
        (
            "x=40/6",
            "A ferry takes 6 cars at a time. 40 cars are waiting. How many cars are on the last trip?",
            4,
            "remainder",
        ),
        ("x=40/6", "A ferry takes 6 cars. 40 cars wait. How many trips does it have to make?", 7, "up"),
        ("x=200/35", "One bow takes 35 cm. Faye has 200 cm of ribbon. How many bows does that give?", 5, "down"),
        ("x=70/12", "The game is $70 and I save $12 a week. After how many weeks can I buy it?", 6, "up"),
        ("x=46/5", "46 cars wait, the ferry takes 5. How many crossings will it make fully loaded?", 9, "down"),
    ],
)
def test_things_that_are_counted_are_whole(equations: str, text: str, answer: int, rounding: str) -> None:
    assert rounded(equations, text, "en") == [(Fraction(answer), rounding)]


@pytest.mark.parametrize(
    ("equations", "text", "language"),
    [
        ("x=45/2", "A rope of 45 m is cut into 2 equal pieces. How long is each piece?", "en"),
        ("x=250/8", "Eva read 250 pages in 8 days. How many pages did she read each day?", "en"),
        ("x=250/8", "Eva read 250 pages in 8 days. How many pages did she read per day on average?", "en"),
        ("x=3/4", "3块蛋糕平均分给4个孩子，每个孩子分得多少块？", "zh"),
        ("x=(1160-600)/9", "小明家到学校1160米，走了600米，剩下的路程要走9分钟，剩下的路程他每分钟走多少米？", "zh"),
        ("x=5*1000/400", "操场一圈400米，王老师想跑5千米，要跑多少圈？", "zh"),
    ],
)
def test_other_quotients_stay(equations: str, text: str, language: Language) -> None:
    (entry,) = rounded(equations, text, language)
    assert entry[1] == ""


def test_full_groups_and_what_is_left_are_two_answers() -> None:
    text = "50个月饼平均分给8家邻居，每家分几个？还剩几个？"
    assert rounded("x=50/8", text, "zh") == [(Fraction(6), "down"), (Fraction(2), "remainder")]


@pytest.mark.parametrize(
    ("equations", "text", "answer", "rounding"),
    [
        (
            "x=58/7",
            "Pens are cheap, so Ira buys 58 of them and packs the pens into cases of 7. The pens that remain go on his "
            "desk. How many pens are on his desk?",
            2,
            "remainder",
        ),
        (
            "x=0.35*250",
            "At most 35% of 250 seats may be sold early. How many seats can be sold early at most?",
            87,
            "down",
        ),
        (
            "30+20*x=26*x+1",
            "Club A costs $30 and $20 a month, club B $1 and $26 a month. From how many full months on is A cheaper?",
            5,
            "up",
        ),
    ],
)
def test_english_words_decide_how_a_number_becomes_whole(equations: str, text: str, answer: int, rounding: str) -> None:
    assert rounded(equations, text, "en") == [(Fraction(answer), rounding)]


@pytest.mark.parametrize(
    ("equations", "text"),
    [
        (
            "x=(260-(10*5))/40",
            "A team has 50 points after 10 rounds. What rate in the remaining 40 rounds gives 260 points?",
        ),
        (
            "x=(90-20)/4",
            "The average of 6 numbers is 15, two of them make 20. Find the average of the remaining 4 numbers.",
        ),
        (
            "x=1/(1/3+1/4)",
            "Ada needs 3 days for a job, Ben 4. Working together, in how many days do they finish the job?",
        ),
    ],
)
def test_rates_averages_and_times_of_work_stay_exact(equations: str, text: str) -> None:
    (entry,) = rounded(equations, text, "en")
    assert entry[1] == ""


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer", "rounding"),
    [
        ("x=200/12", "A wreath takes 12 cones. For how many wreaths are 200 cones enough?", "en", 16, "down"),
        ("x=52/7", "A baby uses 7 diapers a day. For how many more whole days are 52 enough?", "en", 7, "down"),
        (
            "x=(85-26)/5",
            "A skateboard costs $85. Amir has $26 and saves $5 a week. How many weeks does it take him at least to "
            "have the money?",
            "en",
            12,
            "up",
        ),
        (
            "x=2500/350",
            "Around the block it is 350 steps. Mia wants 2500 more. How many times must she walk around the block at "
            "least to have what she wants?",
            "en",
            8,
            "up",
        ),
        ("x=95/9", "95 children walk in groups of 9. How many groups are there with the smaller one?", "en", 11, "up"),
        (
            "x=(400-65)/(65-15)+1",
            "A wall is 400 cm high. A snail climbs 65 cm each day and slips back 15 cm each night. On which day does "
            "it reach the top?",
            "en",
            8,
            "up",
        ),
        ("x=248/36", "还有248枚印章，两人每小时刻36枚，至少还要多少小时？（按整小时算）", "zh", 7, "up"),
        ("x=60/16", "一本书还剩60页，小琳每天看16页，还要多少天才能看完？", "zh", 4, "up"),
        ("x=86/6", "一本故事书有86页，小华每天看6页，第几天看完？", "zh", 15, "up"),
        ("x=100/8", "一本书有100页，每天看8页，几天看完？", "zh", 13, "up"),
        ("x=40/6", "40个同学去划船，每条船坐6人，应该租几条船？", "zh", 7, "up"),
    ],
)
def test_enough_for_how_many_is_rounded_down_and_how_many_at_least_up(
    equations: str, text: str, language: Language, answer: int, rounding: str
) -> None:
    assert rounded(equations, text, language) == [(Fraction(answer), rounding)]


@pytest.mark.parametrize(
    ("equations", "text"),
    [
        ("x=3.14*80", "A full-circle window is 80 cm wide. How many centimetres is it around the full-circle window?"),
        ("x=2.4*140/200", "A meadow of 2.4 hectares is 200 m long, 140 m for sheep. How many hectares do they have?"),
        ("x=(50*40*24-30*20*45)/(50*40)", "A tank is 50 cm by 40 cm with 24 cm of water, another 30 cm by 20 cm by 45 "
         "cm is filled from it. How deep is the water left in the first?"),
    ],
)  # fmt: skip
def test_lengths_areas_and_depths_stay_exact(equations: str, text: str) -> None:
    (entry,) = rounded(equations, text, "en")
    assert entry[1] == ""
