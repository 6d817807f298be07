"""Questions about the last, incomplete group ask for what is in it, or for what it lacks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import asked


def rounded(equations: str, text: str, language: Language) -> tuple[Fraction | None, str]:
    (entry,) = asked(equations, text, language)
    return entry.answer if isinstance(entry.answer, Fraction) else None, entry.rounding


BULBS = "A gardener plants 74 bulbs in pots of 8. "
PACKS = "A pack has 12 rolls. A school needs 100 rolls. "
BOXES = "糕点师傅把50个月饼装盒，每盒装8个。"


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        ("x=74/8", BULBS + "How many more bulbs would be needed to fill another pot?", "en", 6),
        ("x=74/8", BULBS + "How many more bulbs would make the last pot full?", "en", 6),
        ("x=74/8", BULBS + "How many more bulbs fit in the last pot?", "en", 6),
        ("x=74/8", BULBS + "How many bulbs are missing for the next pot?", "en", 6),
        ("x=100/12", PACKS + "How many rolls too many does it get if it takes as few packs as possible?", "en", 8),
        ("x=100/12", PACKS + "How many rolls are left over if just enough packs are bought?", "en", 8),
        ("x=(45-7)/4", "Mia has $45 and pays $7. How much more money does she need for another comic at $4?", "en", 2),
        ("x=250/80", "Shelves of 80 cm are cut from a board of 250 cm. By how many cm is the board too short for one "
         "more shelf?", "en", 70),
        ("x=50/8", BOXES + "至少还差多少个才能再装满一盒？", "zh", 6),
        ("x=50/8", BOXES + "再做几个就能正好装满？", "zh", 6),
    ],
)  # fmt: skip
def test_what_the_last_group_lacks_is_the_divisor_less_the_rest(
    equations: str, text: str, language: Language, answer: int
) -> None:
    assert rounded(equations, text, language) == (Fraction(answer), "missing")


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        ("x=74/8", BULBS + "What is left over goes to a neighbor. How many bulbs does the neighbor get?", "en", 2),
        ("x=60/7", "Jo gives 60 candies to 7 children, to each the same number, and Jo eats the rest. How many candies "
         "does Jo eat?", "en", 4),
        ("x=(128-15)/6", "Paula has 128 photos. 15 photos are bad. She puts 6 photos on a page. How many photos are on "
         "the page that is not full?", "en", 5),
        ("x=(80+27)/6", "A truck carries 6 tons. 80 tons of sand and 27 tons of gravel wait. How many tons does it "
         "carry on the last trip if all others are full?", "en", 5),
        ("x=(50-3)/6", "50名同学中先选3名裁判，其余的同学每6人一组，多出来的同学当记录员。记录员有多少名？", "zh", 5),
        ("x=(40+13)/6", "40名同学去划船，每条船坐6人。又来了13名同学，坐满几条后会剩下多少名同学？", "zh", 5),
    ],
)  # fmt: skip
def test_somebody_who_gets_the_rest_gets_the_remainder(
    equations: str, text: str, language: Language, answer: int
) -> None:
    assert rounded(equations, text, language) == (Fraction(answer), "remainder")


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        ("x=30/8", "A bus takes 8 children. 30 children wait. How many more buses are needed for one more class?", "en",
         (4, "up")),
        ("x=48/9", "9 friends share 48 slices. Every friend gets equally many, and Rex gets the rest. How many slices "
         "does every friend get?", "en", (5, "down")),
        ("x=74/8", BULBS + "One bulb in each pot is yellow, the rest is red. How many yellow bulbs are in the full "
         "pots?", "en", (9, "down")),
        ("x=36/2*(1-2/3)", "A bus has 36 seats, half of them at windows. 2/3 of these are taken. How many window seats "
         "are free?", "en", (6, "")),
    ],
)  # fmt: skip
def test_a_question_for_groups_is_not_about_the_last_one(
    equations: str, text: str, language: Language, answer: tuple[int, str]
) -> None:
    assert rounded(equations, text, language) == (Fraction(answer[0]), answer[1])


def test_a_change_of_the_unit_leaves_no_remainder() -> None:
    text = "每包饼干250克，120包已经卖掉了35包。剩下的饼干重多少千克？"
    assert rounded("x=250*(120-35)/1000", text, "zh") == (Fraction(85, 4), "")
