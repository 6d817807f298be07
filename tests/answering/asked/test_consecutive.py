"""Consecutive numbers: all of them are asked for, or one of them by its place, whatever the unknown stands for."""

from __future__ import annotations

import pytest

from tests.answering.given_equations import chosen, unknowns


@pytest.mark.parametrize(
    ("equations", "text", "found"),
    [
        ("x+(x+1)=31", "Two consecutive integers add up to 31. What are the integers?", ["x", "x+1"]),
        (
            "(2*k-1)+(2*k+1)+(2*k+3)=63",
            "The sum of three consecutive odd integers is 63. Find the integers.",
            ["2*k-1", "2*k+1", "2*k+3"],
        ),
        (
            "2*n+2*n+2+2*n+4=54",
            "Find 3 consecutive even numbers whose sum is 54.",
            ["2*n", "2*n+2", "2*n+4"],
        ),
        (
            "2*x=(x+1)+9",
            "Find three consecutive numbers such that twice the second is 9 more than the third.",
            ["x-1", "x", "x+1"],
        ),
        (
            "4*x=2*(x+2)+20",
            "Find two consecutive even integers such that four times the smaller is 20 more than twice the larger.",
            ["x", "x+2"],
        ),
        (
            "3*(2*k+1)=2*(2*k+3)+15",
            "Find two consecutive odd integers such that three times the first is 15 more than twice the second.",
            ["2*k+1", "2*k+3"],
        ),
        (
            "x+(x+5)=35",
            "Two consecutive multiples of 5 add up to 35. What are the numbers?",
            ["x", "x+5"],
        ),
    ],
)
def test_all_consecutive_numbers_are_asked_for(equations: str, text: str, found: list[str]) -> None:
    assert unknowns(equations, text, "en") == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the smallest of these integers?", ["2*k-1"]),
        ("Find the second integer.", ["2*k+1"]),
        ("What is the third of the three odd integers?", ["2*k+3"]),
        ("What is the largest one?", ["2*k+3"]),
    ],
)
def test_one_consecutive_number_is_asked_for_by_its_place(question: str, found: list[str]) -> None:
    text = f"Three consecutive odd integers have the sum 99. {question}"
    assert unknowns("(2*k-1)+(2*k+1)+(2*k+3)=99", text, "en") == found


def test_a_number_added_to_the_equation_is_no_distance_between_consecutive_numbers() -> None:
    text = "Find two consecutive integers such that twice the second is 17 more than the first."
    assert unknowns("2*(x+1)=x+17", text, "en") == ["x", "x+1"]


def test_values_of_the_wrong_parity_are_not_consecutive_odd_numbers() -> None:
    text = "The sum of two consecutive odd integers is 30. Find the smaller integer."
    assert unknowns("x+(x+1)=31", text, "en") == ["x"]


def test_each_of_two_solutions_gives_its_own_consecutive_numbers() -> None:
    found = chosen("x*(x+1)=30", "The product of two consecutive integers is 30. Find the integers.", "en")
    assert sorted(map(str, found.answers)) == ["-5", "-6", "5", "6"]


def test_integers_drop_a_root_that_is_a_fraction() -> None:
    text = "Find two consecutive integers such that twice the square of the first is 2 more than three times the other."
    assert sorted(map(str, chosen("2*x^2=3*(x+1)+2", text, "en").answers)) == ["-1", "0"]


@pytest.mark.parametrize(
    ("equations", "text", "answers"),
    [
        ("x*(x+2)=143", "两个连续奇数的积是143，求这两个数。", ["-13", "-11", "11", "13"]),
        ("x*(x+2)=143", "两个连续正奇数的积是143，求这两个数。", ["11", "13"]),
        ("x^2+(x+1)^2=113", "两个连续自然数的平方和是113，这两个数各是多少？", ["7", "8"]),
        ("(x-1)*(x+1)=63", "两个连续奇数的积是63，求这两个数。", ["-9", "-7", "7", "9"]),
        ("x*(x+2)=143", "两个连续奇数的积是143，求这两个数的和。", ["-24", "24"]),
        ("x*(x+1)=132", "两个连续自然数的积是132，较大的数是多少？", ["12"]),
    ],
)
def test_roots_of_a_chinese_text_are_not_two_consecutive_numbers(equations: str, text: str, answers: list[str]) -> None:
    assert list(map(str, chosen(equations, text, "zh").answers)) == answers
