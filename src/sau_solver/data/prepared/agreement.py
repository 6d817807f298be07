"""A problem and the tree it would teach -> whether that tree, solved exactly, has the annotated answers.

Labels that are wrong teach wrong things. A tree agrees where the answers we would give are annotated, or where one of
its solutions, or all of them together, are: a quadratic equation is right even where the root asked for is not clear.
A value may meet an annotation that was rounded. What does not agree has other values, or unknowns nobody asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.roots import choose
from sau_solver.data.checking import after_rounding
from sau_solver.equations.uet import Uet
from sau_solver.problem import Problem
from sau_solver.solving import Value, close, decimal_of, solve


def agrees(problem: Problem, tree: Uet, numbers: Sequence[Fraction]) -> bool:
    """Whether a tree over the numbers of a problem's text has its annotated answers."""
    equations = tree.equations(numbers)
    solved = solve(equations)
    solutions = [tuple(solution.values()) for solution in solved.solutions]
    together = tuple(dict.fromkeys(value for solution in solutions for value in solution))
    given = [choose(solved, equations, problem.text, problem.language).answers, *solutions, together]
    accepted = (problem.answers, *problem.alternatives)
    return any(_same(values, annotated) for values in given for annotated in accepted)


def _same(values: Sequence[Value], annotated: Sequence[Fraction]) -> bool:
    """Equal values in any order; at least one."""
    if not values or len(values) != len(annotated):
        return False
    pairs = zip(sorted(values, key=decimal_of), sorted(annotated), strict=True)
    return all(close(value, answer) or after_rounding(value, answer) for value, answer in pairs)
