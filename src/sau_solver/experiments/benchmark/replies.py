"""What a system replies to a problem -> which protocols count the reply as right.

A reply has equations, answers, or both. Answers are compared as given; without them, they are read off the equations by
the rules of `answering.roots`, as in every other experiment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.protocols import is_accepted, is_annotated, judge
from sau_solver.data.answers import read_value
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse, parse_statements
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.problem import Language, Problem
from sau_solver.solving import Outcome, Solved, Value, solve, solve_statements

FIRST, AMONG = "first", "candidates_oracle"


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a system to one problem; the default is no reply."""

    equations: Equations = ()
    solved: Solved | None = None  # the solved equations
    answers: tuple[Value, ...] = ()  # what the system says; empty if it gives equations only
    confidence: float | None = None  # None if the system has none
    abstained: bool | None = None
    candidates: tuple[Candidate, ...] = ()  # of our own models, in the order of the beam
    fault: str = ""  # what cannot be read in it


def gold_of(problem: Problem) -> Solved | None:
    """Return the solved gold equations; None if there are none, or if they cannot be read."""
    if not problem.equations:
        return None
    try:
        return solve_statements(statements_of(problem))
    except (EquationError, TooLargeError):
        return None


def verdicts(problem: Problem, reply: Reply, gold: Solved | None) -> frozenset[str]:
    """Return the metrics that count a reply as right: the protocols, `first` and `candidates_oracle`."""
    against = gold or Solved(Outcome.NONE)
    right: set[str] = set()
    if reply.solved is not None and reply.solved.outcome is not Outcome.NONE:
        right |= judge(problem, reply.equations, reply.solved, against)
    if reply.answers:
        right.discard("answer")
        if is_accepted(problem, reply.answers):
            right.add("answer")
        if reply.solved is None and is_annotated(problem, reply.answers):
            right.add("annotated")
    among = [_is_reference(problem, one, against) for one in reply.candidates]
    if any(among):
        right.add(AMONG)
    if among and among[0]:
        right.add(FIRST)
    return frozenset(right)


def _is_reference(problem: Problem, candidate: Candidate, gold: Solved) -> bool:
    solved = candidate.solved
    if solved is None or solved.outcome is Outcome.NONE:
        return False
    return "reference" in judge(problem, candidate.equations, solved, gold)


def read_reply(fields: Mapping[str, Any], language: Language) -> Reply:
    """Read one line of a program's output; what cannot be read is named in `fault` and counts as no reply."""
    faults: list[str] = []
    equations, solved = _equations(fields.get("equations"), language, faults)
    answers = _answers(fields.get("answers", fields.get("answer")), faults)
    confidence = fields.get("confidence")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float | Decimal | None):
        faults.append(f"confidence must be a number between 0 and 1, got {confidence!r}")
        confidence = None
    elif confidence is not None and not 0 <= confidence <= 1:
        faults.append(f"confidence must be between 0 and 1, got {confidence}")
        confidence = None
    abstained = fields.get("abstained")
    if not isinstance(abstained, bool | None):
        faults.append(f"abstained must be true or false, got {abstained!r}")
        abstained = None
    number = None if confidence is None else float(confidence)
    return Reply(equations, solved, answers, number, abstained, fault="; ".join(faults))


def _equations(given: object, language: Language, faults: list[str]) -> tuple[Equations, Solved | None]:
    listed = _listed(given)
    if not listed:
        return (), None
    text = " ; ".join(map(str, listed))
    try:
        statements = parse_statements(text, mixed_numbers=language == "zh")
    except (EquationError, TooLargeError) as error:
        faults.append(str(error))
        return (), None
    return statements.equations, solve_statements(statements)


def _answers(given: object, faults: list[str]) -> tuple[Value, ...]:
    values: list[Value] = []
    for one in _listed(given):
        exact = read_value(one)
        value = _root(one) if exact is None else exact
        if value is None:
            faults.append(f"an answer must be a number, got {one!r}")
            return ()
        values.append(value)
    return tuple(values)


def _root(given: object) -> Value | None:
    """Return the value of a number that is not rational, such as 2*sqrt(3); None if it is not a number."""
    try:
        solved = solve(parse(f"x={given}"))
    except (EquationError, TooLargeError):
        return None
    return solved.solutions[0].get("x") if len(solved.solutions) == 1 else None


def _listed(given: object) -> Sequence[object]:
    if given is None or given == "":
        return ()
    return given if isinstance(given, list) else (given,)
