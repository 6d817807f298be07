"""English questions for an age at another time, and for things that only the words of the question tell apart."""

from __future__ import annotations

import pytest

from tests.answering.given_equations import unknowns


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        (
            "x+(x+4)=30",
            "Two sisters are 30 years old together, one is 4 years older. How old will the older be in 6 years?",
            "x+4+6",
        ),
        ("x=3*y; x+y=40", "Gil is 3 times as old as Hal; together they are 40. How old was Hal 5 years ago?", "y-5"),
        (
            "x=4*y; (x-5)+(y-5)=40",
            "Ida is 4 times as old as Jon. 5 years ago their ages made 40. How old will Ida be in 5 years?",
            "x+5",
        ),
    ],
)
def test_an_age_at_another_time_is_asked_for(equations: str, text: str, found: str) -> None:
    assert unknowns(equations, text, "en") == [found]


@pytest.mark.parametrize(
    ("equations", "text"),
    [
        ("x=9+6", "Kim is 9. How old will she be in 6 years?"),
        ("x=3*y; x+y=40", "Gil is 3 times as old as Hal; together they are 40. How old is Gil now?"),
    ],
)
def test_an_age_that_the_equations_give_is_the_unknown(equations: str, text: str) -> None:
    assert unknowns(equations, text, "en") == ["x"]


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        ("x=84/(5+1)", "A tape of 84 cm is cut in two, one piece five times as long. Find the longer piece.", "5*x"),
        (
            "(100*0.01)*x+(20*0.01)*y=(60*40)*0.01; x+y=60",
            "A lab wants 60 liters of 40 percent acid. How many liters of 100 percent acid should it mix with some 20 "
            "percent acid?",
            "x",
        ),
        (
            "x-y=12; x/y=4",
            "How many owls are in a wood with 12 more hawks than owls, if hawks and owls are as 4 to 1?",
            "y",
        ),
        (
            "x+y=9; 4*x+2*y=28",
            "Tents for 4 people and for 2 people hold 28 people. How many tents for 4 people are these?",
            "x",
        ),
        (
            "x+(x+3)+(x+8)=41",
            "Three dials add up to 41. The green dial shows 3 more than the blue dial, and the red one 8 more than the "
            "blue dial. What does the blue dial show?",
            "x",
        ),
    ],
)
def test_the_words_of_the_question_tell_which_thing_is_asked_for(equations: str, text: str, found: str) -> None:
    assert unknowns(equations, text, "en") == [found]


def test_a_sentence_that_begins_with_what_may_tell_something() -> None:
    text = (
        "What is left around the pond is lawn: 84 square feet. She asks how long one side of the plot is. Can you help?"
    )
    assert unknowns("x^2-16=84", text, "en") == ["x"]


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        (
            "x=y+3; 10*x+y=2*(x+10*y)+2",
            "The units digit of a two-digit number is 3 more than the tens digit. With the digits reversed, the new "
            "number is 2 more than twice the original number. Find the original number.",
            "10*y+x",
        ),
        (
            "x+y=8; 10*x+y=3*(10*y+x)-17",
            "The digits of a two-digit number add up to 8. If they are reversed, the new number is 17 less than 3 "
            "times the original number. What is the original number?",
            "10*y+x",
        ),
    ],
)
def test_a_multiple_of_the_original_number_is_the_larger_one(equations: str, text: str, found: str) -> None:
    assert unknowns(equations, text, "en") == [found]
