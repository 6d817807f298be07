"""English questions that list things, repeat each other or ask for two things that one unknown stands for."""

from __future__ import annotations

import pytest

from tests.answering.given_equations import asked, unknowns

PRICES = "4*x+y=23; x+2*y=11"
FRUIT = "4 melons and 1 pear cost $23. 1 melon and 2 pears cost $11."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Determine the price of 1 melon and the price of 1 pear, in dollars.", ["x", "y"]),
        ("How much does each melon cost? How much does each pear cost?", ["x", "y"]),
        ("What is the price of a melon, and the price of a pear?", ["x", "y"]),
        ("Find the prices of both kinds of fruit.", ["x", "y"]),
    ],
)
def test_two_prices_are_asked_for(question: str, found: list[str]) -> None:
    assert unknowns(PRICES, f"{FRUIT} {question}", "en") == found


def test_things_with_the_same_preposition_are_two_things() -> None:
    text = "A shop sold 90 kites, 12 more in June than in May. How many kites did it sell in May and in June?"
    assert unknowns("x+y=90; y=x+12", text, "en") == ["x", "y"]


def test_a_list_after_the_verb_has_two_things() -> None:
    text = (
        "Two films last 5 hours. The first film is 1 hour longer. How many hours is the first film and the second film?"
    )
    assert unknowns("x+y=5; x=y+1", text, "en") == ["x", "y"]


def test_numbers_that_are_asked_for_twice_are_answered_once() -> None:
    text = (
        "Two numbers add up to 20. They differ by 4. Find the numbers. What is the larger number? What is the smaller?"
    )
    assert [one.unknown for one in asked("x+y=20; x-y=4", text, "en")] == ["x", "y"]


def test_each_is_asked_for_once_though_two_sentences_ask() -> None:
    text = (
        "A kiosk sold 50 pens at $2 and notebooks at $5 for $160. Nobody noted how many of each kind were sold. "
        "Can you determine how many of each kind were sold?"
    )
    assert [str(one.answer) for one in asked("x+y=50; 2*x+5*y=160", text, "en")] == ["30", "20"]


def test_a_digit_in_a_name_is_no_number_of_things() -> None:
    text = (
        "A team made 3 more 2 pointers than 3 pointers, 31 points in all. How many 2 pointers and how many 3 pointers?"
    )
    assert unknowns("2*x+3*y=31; x=y+3", text, "en") == ["x", "y"]


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        (
            "0.3*x+0.8*(50-x)=0.5*50",
            "A lab mixes a 30% acid and an 80% acid to get 50 liters of a 50% acid. How many liters of each are used?",
            ["x", "50-x"],
        ),
        (
            "6*x=5*(x+3)",
            "A ride takes 6 hours out and 5 hours back, at a speed that is 3 mph higher. Find the speed each way.",
            ["x", "x+3"],
        ),
        (
            "7*x-4*x=21",
            "The ratio of geese to swans is 4 to 7. There are 21 fewer geese than swans. How many of each are there?",
            ["4*x", "7*x"],
        ),
    ],
)
def test_one_unknown_stands_for_both_things(equations: str, text: str, found: list[str]) -> None:
    assert sorted(unknowns(equations, text, "en")) == sorted(found)


@pytest.mark.parametrize(
    ("equations", "text"),
    [
        (
            "50-2*x=30-x",
            "One candle is 50 mm high and loses 2 mm a minute, another is 30 mm high and loses 1 mm a minute. "
            "After how many minutes do both have the same height?",
        ),
        (
            "(40+x)*(1+0.5)=90",
            "A chair was sold for $90 at a profit of 50%. The wood cost $40. How much were the other costs?",
        ),
        (
            "x-6=0.6*x",
            "A baker wants a profit of 60% of the price. A cake costs him $6. At what price should each cake be sold?",
        ),
        ("x/300+x/500=8", "A plane flies out at 300 mph and back at 500 mph in 8 hours. How far does it fly each way?"),
    ],
)
def test_one_unknown_is_asked_for_once(equations: str, text: str) -> None:
    assert unknowns(equations, text, "en") == ["x"]


def test_the_smaller_one_first_is_an_order_and_no_question_for_one_side() -> None:
    text = "Two squares cover 52 square feet; one side is 2 feet longer. How long are the sides, the smaller one first?"
    assert unknowns("x^2+y^2=52; y=x+2", text, "en") == ["x", "y"]


def test_both_kinds_and_all_in_all_ask_for_the_sum() -> None:
    told = "A zoo has 4 times as many ducks as storks, 36 more."
    for question in ("How many birds of both kinds are there?", "All in all, how many birds are there?"):
        assert unknowns("y=4*x; y-x=36", f"{told} {question}", "en") in (["x+y"], ["y+x"])


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        ("s=(96+4)*n/2; 4+4*(n-1)=96", "Find the sum of all multiples of four between 1 and 99.", ["s"]),
        (
            "4*u=9+13+14; t=u*u",
            "A square is as long around as a triangle with sides 9, 13 and 14. What is its area?",
            ["t"],
        ),
    ],
)
def test_the_unknown_that_is_worked_out_last_is_asked_for(equations: str, text: str, found: list[str]) -> None:
    assert unknowns(equations, text, "en") == found
