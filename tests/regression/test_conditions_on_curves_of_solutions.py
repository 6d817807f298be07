"""Some solutions of x*(x-y)=0 have x=0, the others x=y. A condition that excludes x=0 does not exclude those with x=y.

The solver dropped the family without a fixed value, so it answered that no solution meets x>0.
"""

from __future__ import annotations

import pytest

import sau_solver as sau
from sau_solver.explaining.worked import work
from sau_solver.solving import Outcome

SATISFIABLE = [
    "x*(x-y)=0; x>0",
    "(x-y)*(x-3)=0; x>100",
    "(x-y)*(x-3)=0; x!=3",
    "a/b=a/c; a>0",
    "(x*y-1)*(y-2)=0; y>3",
    "(x^2-y)*(x^2-2)=0; is_integer(x)",
    "x^2=x*y; y^2=x*y; x>0",
    "(x-1)*(x-y)=0; (y-1)*(x-y)=0; x>1",
    "(x-y)*(x-3)=0; x>2",
]


@pytest.mark.parametrize("text", SATISFIABLE)
def test_a_condition_on_a_curve_of_solutions_is_named_and_excludes_nothing(text: str) -> None:
    worked = work(text)
    assert worked.solved.outcome is Outcome.INFINITE
    condition = str(worked.statements.conditions[0])
    assert f"{condition} was not applied" in worked.reason


def test_a_condition_that_every_family_violates_leaves_no_solution() -> None:
    assert work("x*y=0; x+z=z; x>0").solved.outcome is Outcome.NONE
    assert work("z+1=4; x+y=5; z>10").solved.outcome is Outcome.NONE


def test_a_value_of_some_solutions_is_not_said_of_all() -> None:
    steps = [str(step) for step in work("(x-y)*(x-3)=0").steps]
    assert "Some of them satisfy x = 3." in steps
    assert not any(step.startswith("All of them") for step in steps)
    assert "All of them satisfy z = 3." in [str(step) for step in work("x+y=5; z+1=4").steps]


def test_a_text_that_asks_for_one_unknown_does_not_get_that_value() -> None:
    solution = sau.load("en").solve("Solve x*(x-y)=0, x>0 for x.")
    assert solution.answers == ()
    assert "no solution" not in " ".join(map(str, solution.steps)).lower()
