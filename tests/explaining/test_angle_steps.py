"""Stories about angles are explained: the fact, the equation or the calculation, and the answer with its unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.angle_stories import AngleStory


def solved(text: str, reader: Language | None = None) -> Solution:
    return Solver({}).solve(text, reader=reader)  # no model is needed


def test_the_third_angle_of_a_triangle() -> None:
    solution = solved("Two angles of a triangle measure 48 degrees and 65°. What is the third?")
    assert (solution.answers, solution.unit, solution.display) == ((Fraction(67),), "degrees", "67 degrees")
    assert (solution.kind, solution.model, solution.abstained) == ("problem", "", False)
    assert solution.confidence == CONFIDENCES[AngleStory] < 1
    assert [str(step) for step in solution.steps] == [
        "The three angles of a triangle add up to 180°.",
        "180 − 48 − 65 = 67°",
        "Answer: 67 degrees.",
    ]
    assert [one.unknown for one in solution.asked] == ["180-48-65"]


def test_an_equation_is_solved_line_by_line() -> None:
    solution = solved(
        "Two angles are supplementary and one is 20° more than three times the other. Find the two angles."
    )
    assert [str(step) for step in solution.steps] == [
        "Supplementary angles add up to 180°.",
        "Let x be the other angle.",
        "Solve 3x + 20 + x = 180 for x.",
        "Combine like terms: 4x + 20 = 180.",
        "Subtract 20 from both sides: 4x = 160.",
        "Divide both sides by 4: x = 40.",
        "3 × 40 + 20 = 140°",
        "Answer: 40 degrees and 140 degrees.",
    ]


def test_chinese_steps_are_chinese() -> None:
    solution = solved("等腰三角形的顶角是50度，一个底角是多少度？")
    assert (solution.unit, solution.display) == ("度", "65 度")
    assert [str(step) for step in solution.steps] == [
        "等腰三角形的两个底角相等，三角形的内角和是 180°。",
        "(180 − 50) ÷ 2 = 65°",
        "答：65 度。",
    ]


def test_the_steps_are_in_the_language_of_the_reader() -> None:
    solution = solved("直角三角形的两个锐角相差16°，较大的锐角是多少度？", reader="en")
    assert [str(step) for step in solution.steps][:2] == [
        "The two acute angles of a right triangle add up to 90°.",
        "Let x be the smaller angle.",
    ]


@pytest.mark.parametrize(
    ("text", "display"),
    [
        ("Angle A and angle B are complementary. Angle A measures 27.5°. What is the measure of angle B?",
         "62.5 degrees"),
        ("The second angle of a triangle is twice the first, and the third angle is 20° more than the first. Find the "
         "three angles.", "first angle: 40 degrees, second angle: 80 degrees, third angle: 60 degrees"),
        ("In an isosceles triangle each base angle is 30° larger than the vertex angle. How many degrees is a base "
         "angle, and how many degrees is the vertex angle?", "base angle: 70 degrees, vertex angle: 40 degrees"),
        ("Two straight lines cross. One of the angles is 40°. Find the other three angles.",
         "40 degrees, 140 degrees and 140 degrees"),
        ("A full turn is divided into 7 equal angles. How large is each angle?", "360/7 (≈ 51.4286) degrees"),
        ("A sector of a pie chart has an angle of 72 degrees. What percent of the whole does it show?", "20%"),
        ("Each exterior angle of a regular polygon is 24°. How many sides does the polygon have?", "15 sides"),
        ("How many minutes does the minute hand take to turn 150 degrees?", "25 minutes"),
        ("一个三角形花坛三个内角的度数比是1:2:3，这三个内角各是多少度？", "30 度，60 度，90 度"),
        ("一个正多边形的每个外角都是24°，这个多边形有几条边？", "15 条边"),
    ],
)  # fmt: skip
def test_an_answer_has_its_unit_and_several_have_their_names(text: str, display: str) -> None:
    assert solved(text).display == display


def test_a_text_without_a_number_is_answered() -> None:
    solution = solved("What is the sum of the interior angles of a hexagon?")
    assert (solution.display, solution.abstained) == ("720 degrees", False)
    assert str(solution.steps[1]) == "(6 − 2) × 180 = 720°"
