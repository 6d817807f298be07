"""`x=atan(10^40)` had no solution: the angle was rounded to 90 degrees, whose tangent does not exist."""

from __future__ import annotations

import pytest

from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.solving import Outcome, decimal_of, solve_statements
from sau_solver.solving.exact_values import exact_value


def test_an_angle_near_ninety_degrees_has_a_value() -> None:
    for text, sign in (("90-atan(10^40)", 1), ("atan(-(10^40))+90", 1), ("atan(10^40)-90", -1)):
        assert exact_value(parse_expression(text), {}).sign() == sign


@pytest.mark.slow
def test_an_angle_near_ninety_degrees_is_a_solution() -> None:
    solved = solve_statements(parse_statements("x=atan(10^40); x<90"), deadline=10)
    assert solved.outcome is Outcome.SOLVED
    assert decimal_of(solved.solutions[0]["x"]) == 90.0
