"""Equations found by random search that once kept python-flint busy for minutes; each must end, with any outcome."""

from __future__ import annotations

import pytest

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve
from sau_solver.solving.symbolic import SymbolicWorker

BIG = "486635025265558895178539593769325191705151246872787546455243"
SLOW = {
    "roots closer than any precision": "x^60=2*(10^20*x-1)^2",
    "an exponent with a large numerator": "(1+x)^82.75=25",
    "arithmetic in a field of degree 20": (
        f"16/(y+{BIG})*(y*91261+x*2)=y+11-x*y+(y+x)^3; 58.564+y-y*x=5-z+y/3/(z*x); 80.965*(z/y/y)=y"
    ),
    "a substitution of degree 360": "((20*a)^12)^30=b+5; a+b+c=9; c*b=a^2+d; d=a*b*c",
    "powers of large numbers": f"(({BIG}*b)^30)^12+a=1; a*b=2",
    "many cases": "; ".join(f"a{k}*a{(k + 1) % 11}={k + 1}" for k in range(11)),
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_elimination_gives_up_in_time(text: str) -> None:
    worker = SymbolicWorker()
    try:
        solved = solve(parse(text), deadline=0.5, worker=worker)
    finally:
        worker.close()
    assert solved.outcome in tuple(Outcome)
    assert bool(solved.solutions) == (solved.outcome is Outcome.SOLVED)
