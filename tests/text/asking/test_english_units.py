"""The unit of an English question is that of what it asks for, and not that of another measure it mentions."""

from __future__ import annotations

import pytest

from sau_solver.text.asking.reading import read_questions


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("What is the length of a rectangle whose perimeter is 24 m and whose area is 35 square meters?", "m"),
        ("A path is 3 feet wide. What is the length of a path with an area of 48 square feet?", "feet"),
        ("Every 3 minutes a machine makes 45 screws. How many does it make in 2 hours?", "screws"),
        ("Ann hiked for 3 days and Ben for 5 days. How many did they hike in all?", "days"),
        ("After how long do they meet if they walk 60 m per minute?", "minutes"),
        ("Two trains 300 km apart go toward each other at 70 km/h and 80 km/h. When do they meet?", "hours"),
        ("Poles stand 5 m apart. How long must the rope between 9 poles be?", "m"),
        ("What is the area of a square whose side is 3 m?", "square meters"),
    ],
)
def test_the_unit_is_that_of_what_is_asked_for(text: str, unit: str) -> None:
    assert [thing.unit for thing in read_questions(text, "en").things] == [unit]
