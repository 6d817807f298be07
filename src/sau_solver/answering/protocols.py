"""When is a prediction right? Four protocols, always printed together.

reference   as the released code of the paper: every predicted root lies within 0.1 of some gold root
strict      the sets of solutions are equal, exactly where both are exact, else within 1e-4 relative
answer      what a reader accepts: exactly the value that is asked for, where the corpus has a label that says which
annotated   the values of all unknowns, after the choice between roots, equal the annotated answers

Corpora often annotate every unknown although one is asked for; data/reader_labels says which. A problem without such a
label asks for what is annotated, so `answer` and `annotated` are equal for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.roots import choose
from sau_solver.equations.expressions import Equations, Number, Operation, walk_equations
from sau_solver.problem import Problem
from sau_solver.solving import Assignment, Outcome, Solved, Value, close, decimal_of
from sau_solver.text.wording import cues_of

PROTOCOLS = ("reference", "strict", "answer", "annotated")
REFERENCE_TOLERANCE = 0.1
REFERENCE_MAX_EXPONENT = 3


def judge(problem: Problem, predicted: Equations, solved: Solved, gold: Solved) -> frozenset[str]:
    """Return the protocols by which a solved prediction is right, given the solved gold equations."""
    chosen = choose(solved, predicted, cues_of(problem.text, problem.language))
    verdicts = {
        "reference": not _has_high_power(predicted) and within_reference(solved, gold),
        "strict": same_solutions(solved, gold),
        "answer": is_accepted(problem, chosen.answers if problem.asked else chosen.values),
        "annotated": is_annotated(problem, chosen.values),
    }
    return frozenset(protocol for protocol, right in verdicts.items() if right)


def is_annotated(problem: Problem, values: Sequence[Value]) -> bool:
    """Return whether values are the annotated ones of a problem, or one of their alternatives."""
    return any(same_answers(values, accepted) for accepted in (problem.answers, *problem.alternatives))


def is_accepted(problem: Problem, answers: Sequence[Value]) -> bool:
    """Return whether a reader accepts answers: exactly what is asked, even where the corpus annotates more."""
    return same_answers(answers, problem.asked) if problem.asked else is_annotated(problem, answers)


def within_reference(predicted: Solved, gold: Solved) -> bool:
    """Return whether every predicted value is near a gold value; as in the released code, values may be missing."""
    found = [value for solution in predicted.solutions for value in solution.values()]
    wanted = [decimal_of(value) for solution in gold.solutions for value in solution.values()]
    return bool(found) and all(
        any(abs(decimal_of(value) - target) < REFERENCE_TOLERANCE for target in wanted) for value in found
    )


def same_solutions(predicted: Solved, gold: Solved) -> bool:
    """Return whether both have the same set of solutions, whatever the unknowns are called."""
    if predicted.outcome is not Outcome.SOLVED or gold.outcome is not Outcome.SOLVED:
        return False
    ours, theirs = _rows(predicted.solutions), _rows(gold.solutions)
    return len(ours) == len(theirs) and all(same_answers(one, other) for one, other in zip(ours, theirs, strict=True))


def same_answers(given: Sequence[Value], annotated: Sequence[Fraction | Value]) -> bool:
    """Return whether the values are equal in any order, up to the rounding of decimals."""
    if not given or len(given) != len(annotated):
        return False
    ours, theirs = sorted(given, key=decimal_of), sorted(annotated, key=decimal_of)
    return all(close(one, other) for one, other in zip(ours, theirs, strict=True))


def _rows(solutions: Sequence[Assignment]) -> list[list[Value]]:
    """Return the values of each solution in order, and the solutions in order."""
    rows = [sorted(solution.values(), key=decimal_of) for solution in solutions]
    return sorted(rows, key=lambda row: [decimal_of(value) for value in row])


def _has_high_power(equations: Equations) -> bool:
    """Return whether equations have a power above 3, which the released code counts as wrong."""
    return any(
        isinstance(node, Operation)
        and node.operator == "^"
        and isinstance(node.right, Number)
        and node.right.value > REFERENCE_MAX_EXPONENT
        for node in walk_equations(equations)
    )
