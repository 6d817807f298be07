"""Measures of figures are computed from the unknown sides, unless an equation already gives them."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import asked


@pytest.mark.parametrize(
    ("equations", "text", "language", "answer"),
    [
        (
            "2*(x+y)=28; x*y=48",
            "The perimeter of a rectangle is 28 cm, its area 48 cm². How long is its diagonal?",
            "en",
            "10",
        ),
        ("x-y=3; x+y=9", "The legs of a right triangle differ by 3 m and add up to 9 m. What is its area?", "en", "9"),
        (
            "x+y=20; x=y+4",
            "The diagonals of a rhombus are 20 cm together; one is 4 cm longer. Find the area of the rhombus.",
            "en",
            "48",
        ),
        (
            "2*(x+y)=60; x=y+10",
            "A yard is 10 m longer than it is wide and has 60 m of fence around it. How many square meters "
            "of lawn does it have?",
            "en",
            "200",
        ),
        (
            "(x+1)^2-x^2=15",
            "If the side of a square grows by 1 m, its area grows by 15 square meters. What was the area "
            "of the original square?",
            "en",
            "49",
        ),
        (
            "x=2*y; 4*x+4*y=72",
            "The side of one square is twice that of another. Their perimeters are 72 cm together. What "
            "is the area of the smaller square?",
            "en",
            "36",
        ),
        (
            "y=x+2; 8*x+4*y=56",
            "A box has a square base. It is 2 cm higher than the side of the base, and all edges together "
            "are 56 cm. What is the volume of the box?",
            "en",
            "96",
        ),
        ("x-y=5; x*y=84", "长方形花圃的长比宽多5米，面积是84平方米，四周围篱笆，篱笆长多少米？", "zh", "38"),
        (
            "x-2=y+1; 2*(x+y)=30",
            "长方形的长减少2厘米、宽增加1厘米就变成正方形，原来周长30厘米，正方形的边长是多少厘米？",
            "zh",
            "7",
        ),
        ("x+y=22; x-y=2", "菱形的两条对角线一共22厘米，一条比另一条长2厘米，菱形的面积是多少？", "zh", "60"),
    ],
)
def test_a_measure_of_a_figure_is_computed_from_its_sides(
    equations: str, text: str, language: Language, answer: str
) -> None:
    assert [str(one.answer) for one in asked(equations, text, language) if one.certain] == [answer]


def test_an_area_that_an_equation_gives_is_not_asked_for_again() -> None:
    text = "A rectangle of 40 square meters is 3 m longer than it is wide. How wide is it?"
    assert [str(one.answer) for one in asked("x*y=40; x=y+3", text, "en")] == ["5"]
