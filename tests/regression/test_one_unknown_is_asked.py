"""One unknown of a system was asked for, and every unknown was printed: "How many goats?" gave 17 and 13."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.problem import Language
from tests.answering.given_equations import chosen

PROBLEMS: list[tuple[str, str, Language, str]] = [
    ("Lena is 11 years older than her brother. Together they are 25. How old is Lena?", "x+y=25; x-y=11", "en", "18"),
    ("Ducks and goats have 30 heads and 86 legs. How many goats are there?", "x+y=30; 2*x+4*y=86", "en", "13"),
    ("Adult tickets cost $8 and child tickets cost $5. 210 were sold for $1290. How many adult tickets were sold?",
     "x+y=210; 8*x+5*y=1290", "en", "80"),
    ("A mother is 3 times as old as her daughter. The sum of their ages is 60. How old is the daughter?",
     "x=3*y; x+y=60", "en", "15"),
    ("A shop has 12 rabbits and parrots with 34 legs. How many rabbits are there?", "x+y=12; 2*x+4*y=34", "en", "5"),
    ("Tom has 23 nickels and dimes worth $1.85. How many dimes does he have?", "x+y=23; 0.05*x+0.1*y=1.85", "en", "14"),
    ("Ann invested $5000, part at 4% and the rest at 6%. She earned $260. How much did she invest at 6%?",
     "x+y=5000; 0.04*x+0.06*y=260", "en", "3000"),
    ("鸡兔同笼，共15只，40条腿，兔有多少只？", "x+y=15; 2*x+4*y=40", "zh", "5"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "equations", "language", "answer"), PROBLEMS, ids=[one[0] for one in PROBLEMS])
def test_only_what_is_asked_is_answered(text: str, equations: str, language: Language, answer: str) -> None:
    found = chosen(equations, text, language)
    assert found.answers == (Fraction(answer),)
    assert found.certain


def test_money_is_shown_with_sign_and_cents() -> None:
    text = "Sam had $45. He bought 3 books at $7 each and a pen for $2.50. How much money does he have left?"
    assert display_all(chosen("x=45-3*7-2.5", text, "en").asked, "en", forms_of(text)) == "$21.50"


def test_every_question_of_a_text_is_answered() -> None:
    text = "一本书120页，第一天看了20%，第二天看了1/4。第一天看了多少页？第二天看了多少页？还剩多少页？"
    assert chosen("x=120-120*0.2-120*(1/4)", text, "zh").answers == (Fraction(24), Fraction(30), Fraction(66))
