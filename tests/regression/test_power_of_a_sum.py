"""(a+b+c+d+f+g)^90 has 57 million terms: computing it once took 6 GB before the limit on terms applied."""

from __future__ import annotations

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve


def test_a_power_of_a_sum_is_refused_before_it_is_computed() -> None:
    solved = solve(parse("(a+b+c+d+f+g)^90=1"))
    assert solved.outcome is Outcome.TOO_HARD
    assert "terms" in str(solved.reason)
