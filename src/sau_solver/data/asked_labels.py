"""What the questions of corpora ask for, where the corpora annotate every unknown.

ALG514, DRAW-1K, HMWP and Dolphin18K annotate the values of all unknowns, even for "How many boys are there?". The files
in reader_labels/ hold the values that are really asked for, derived from the question and the gold equations by
scripts/reader_labels.py. They contain ids and values only, and how many labels were checked by eye.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files

from sau_solver.answering.protocols import is_annotated, same_answers
from sau_solver.answering.roots import choose
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import unknowns_of
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, solve_statements
from sau_solver.text.asking import read_questions
from sau_solver.text.wording import cues_of

# The corpora whose labels are in a file of their own, by the corpora that share them.
LABELED = {
    "alg514": "alg514",
    "draw1k": "draw1k",
    "hmwp": "hmwp",
    "hmwp-all": "hmwp",
    "dolphin18k": "dolphin18k",
    "dolphin18k-manual": "dolphin18k",
    "dolphin18k-reconstructed": "dolphin18k",
}

_ASKS_SEVERAL = re.compile(
    r"\b(?:each|ech|both|their|and|respectively|two|dimensions|numbers|they)\b"
    r"|各|分别|[和与、及]|[两二三2-9]个",
    re.IGNORECASE,
)


@cache
def reader_labels(corpus: str) -> Mapping[str, tuple[Fraction, ...]]:
    """Return the values asked for, by the ids of the problems whose annotation has more; empty for other corpora."""
    if corpus not in LABELED:
        return {}
    path = files("sau_solver") / "data" / "reader_labels" / f"{LABELED[corpus]}.json"
    labels = json.loads(path.read_text(encoding="utf-8"))["labels"]
    return {name: tuple(map(Fraction, values)) for name, values in labels.items()}


def asked_values(problem: Problem) -> tuple[Fraction, ...]:
    """Derive what a problem asks for from its question and gold equations; empty if that is not clear or all is asked.

    The gold equations must give the annotated answers with all their unknowns, and it must be certain which of them, or
    which function of them, the question asks for.
    """
    try:
        statements = statements_of(problem)
        solved = solve_statements(statements)
    except SauError:
        return ()
    if solved.outcome is not Outcome.SOLVED or len(unknowns_of(statements.equations)) < 2:
        return ()
    if _ASKS_SEVERAL.search(read_questions(problem.text, problem.language).asked_text):
        return ()  # the corpus is right to annotate several values
    chosen = choose(solved, statements.equations, cues_of(problem.text, problem.language))
    answers = [value for value in chosen.answers if isinstance(value, Fraction)]
    if len(chosen.asked) != 1 or len(answers) != 1 or not chosen.certain:
        return ()
    if not is_annotated(problem, chosen.values) or same_answers(answers, chosen.values):
        return ()
    return tuple(answers)
