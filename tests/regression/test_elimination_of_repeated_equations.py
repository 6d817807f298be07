"""Two equations without the unknown to be eliminated once lost every solution, because their resultant is 1."""

from __future__ import annotations

from itertools import permutations

import pytest

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve

LOST = {
    "a repeated equation": ("x*x=5*x; x*x=5*x; y*y=0", "x=0 y=0 | x=5 y=0"),
    "a repeated equation with a divisor": ("x/x=x-4; x/x=x-4; y*y=0", "x=5 y=0"),
    "a multiple": ("x^2=5*x; 3*x^2=15*x; y^2=4", "x=0 y=-2 | x=0 y=2 | x=5 y=-2 | x=5 y=2"),
    "one shared root": ("x^2=5*x; x^2=25; y^2=4", "x=5 y=-2 | x=5 y=2"),
    "a case of a substitution": ("y^2*(x+y-6)=0; (y-x-2)*(x-3)^2=0", "x=-2 y=0 | x=2 y=4 | x=3 y=0 | x=3 y=3"),
    "three unknowns": ("x^2=4; x^2=4; y^2=9*z; z=1", "x=-2 y=-3 z=1 | x=-2 y=3 z=1 | x=2 y=-3 z=1 | x=2 y=3 z=1"),
}


@pytest.mark.parametrize(("text", "expected"), LOST.values(), ids=LOST)
def test_no_solution_is_lost_whatever_the_order(text: str, expected: str) -> None:
    for equations in permutations(parse(text)):
        solved = solve(equations)
        assert solved.outcome is Outcome.SOLVED
        found = sorted(" ".join(f"{name}={s[name]}" for name in sorted(s)) for s in solved.solutions)
        assert found == sorted(expected.split(" | "))


def test_equations_without_a_shared_root_still_have_no_solution() -> None:
    for equations in permutations(parse("x^2=5*x; x^2=4; y^2=4")):
        assert solve(equations).outcome is Outcome.NONE


def test_equations_that_share_factors_in_pairs_are_solved_without_sympy() -> None:
    # a*b, b*c and c*a: every two have a common factor, so that every resultant is zero, but not all three together.
    circle, lines, hyperbola = "(x^2+y^2-9)", "(x^2-2*y^2)", "(x^2-y^2-1)"
    products = f"{circle}*{lines}=0; {lines}*{hyperbola}=0; {hyperbola}*{circle}=0"
    for equations in permutations(parse(products)):
        solved = solve(equations, deadline=0.0)  # SymPy would have no time
        assert (solved.outcome, len(solved.solutions)) == (Outcome.SOLVED, 12)
