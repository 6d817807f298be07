"""Find the one unknown that a problem asks for, so that its tree can call it x and a network predicts what is asked.

Only labels count: `Problem.asks` of School and of the curriculum, and the checked labels of data/reader_labels. The
rules of `answering` add nothing here. Where they are sure on unlabeled corpora, they find 19 more problems of Dolphin,
and all 5 that they find in CM17K are wrong: these problems ask for every unknown.
"""

from __future__ import annotations

from sau_solver.equations.expressions import Equations, Unknown, unknowns_of
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, close, solve


def asked_unknown(problem: Problem, equations: Equations) -> str | None:
    """Return the unknown of the equations that alone is asked for; None if there are several, or if it is not known.

    The equations have the unknowns of the published ones, or those that were requested (`requested_unknowns`).
    """
    names = unknowns_of(equations)
    if len(names) < 2:
        return None
    if problem.asks:
        return _labeled(problem, names)
    if len(problem.asked) != 1:
        return None
    solved = solve(equations)
    if solved.outcome is not Outcome.SOLVED:
        return None
    (value,) = problem.asked
    found = {name for solution in solved.solutions for name in names if close(solution[name], value)}
    return found.pop() if len(found) == 1 else None


def _labeled(problem: Problem, names: tuple[str, ...]) -> str | None:
    if len(problem.asks) != 1:
        return None
    try:
        asked = parse_expression(problem.asks[0].unknown, names)
    except SauError:
        return None
    return asked.name if isinstance(asked, Unknown) and asked.name in names else None
