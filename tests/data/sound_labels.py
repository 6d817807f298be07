"""Do the labels of a corpus agree? `data.checking.check` counts much more, which takes four times as long."""

from __future__ import annotations

from sau_solver.data import Corpus
from sau_solver.data.checking import agrees
from sau_solver.data.labels import asked_for, statements_of, with_targets
from sau_solver.solving import Outcome, close, solve_statements


def unsound_labels(corpus: Corpus) -> list[str]:
    """Return the ids of the problems whose equations cannot be solved or do not give the answers."""
    found = []
    for problem in corpus:
        statements = statements_of(problem)
        solved = solve_statements(with_targets(statements, asked_for(problem, statements)))
        if solved.outcome is not Outcome.SOLVED or not agrees(problem, solved, close):
            found.append(problem.id)
    return found
