"""Candidates -> verdicts: each is solved and compared with gold; the first that solves speaks for the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sau_solver.answering.protocols import PROTOCOLS, WRONG, judge
from sau_solver.data.prepared.examples import Prepared, first_slots
from sau_solver.data.prepared.problem_types import published_type, tree_size
from sau_solver.equations.expressions import Equations
from sau_solver.equations.uet import Uet, without_unknown
from sau_solver.errors import NotATreeError
from sau_solver.models.base import Candidate
from sau_solver.solution import NOT_FILLED
from sau_solver.solving import Outcome, Solved, solve, solve_statements

METRICS = (*PROTOCOLS, "equation", "candidates_oracle")
UNREADABLE = "unreadable"  # the size of a gold tree that there is none of; the outcome of an output that is no tree


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """One candidate: its tree, how solving it ended, and the names of the protocols that call it right.

    `equation` among the names says that the tree is the gold tree, slots of equal value taken as equal.
    """

    tree: Uet
    log_probability: float | None  # None where a file does not keep it
    outcome: str
    right: frozenset[str]
    unreadable: str = ""  # what a model wrote in place of a tree


@dataclass(frozen=True, slots=True)
class Judged:
    """A test problem with its candidates in the model's order, and the groups it is counted in."""

    id: str
    type: str
    size: str
    candidates: tuple[JudgedCandidate, ...]
    expressible: bool = True  # False where the model cannot write the gold tree, whatever it learns

    def chosen(self) -> JudgedCandidate | None:
        """The first candidate that solves; the first of all where none does."""
        solving = (one for one in self.candidates if one.outcome == Outcome.SOLVED)
        return next(solving, self.candidates[0] if self.candidates else None)

    def right(self, metric: str) -> bool:
        """What a metric says of this problem."""
        if metric == "candidates_oracle":
            return any("reference" in one.right for one in self.candidates)
        chosen = self.chosen()
        return chosen is not None and metric in chosen.right


def judge_problem(prepared: Prepared, candidates: Sequence[Candidate]) -> Judged:
    """Solve the gold equations once and every different candidate once, and compare.

    Where the gold equations cannot be read, only the annotated answers can call a candidate right.
    """
    gold = solve_statements(prepared.statements) if prepared.statements else Solved(Outcome.NONE)
    solved: dict[Equations, Solved] = {}
    numbers = prepared.numbers
    known = [tree for tree in (prepared.tree, prepared.learned) if tree]
    gold_trees = {*known, *map(without_unknown, known)}  # `x =` may be left out
    judged = []
    for candidate in candidates:
        if candidate.unreadable:
            told = (candidate.tree, candidate.log_probability, UNREADABLE, frozenset[str](), candidate.unreadable)
            judged.append(JudgedCandidate(*told))
            continue
        try:
            equations = candidate.tree.equations(numbers)
        except NotATreeError:
            judged.append(JudgedCandidate(candidate.tree, candidate.log_probability, NOT_FILLED, frozenset()))
            continue
        if equations not in solved:
            solved[equations] = solve(equations)
        outcome = solved[equations]
        verdict = judge(prepared.problem, equations, outcome, gold) if outcome.outcome is not Outcome.NONE else WRONG
        right = {protocol for protocol in PROTOCOLS if getattr(verdict, protocol)}
        if first_slots(candidate.tree, numbers) in gold_trees:
            right.add("equation")
        judged.append(
            JudgedCandidate(candidate.tree, candidate.log_probability, str(outcome.outcome), frozenset(right))
        )
    return Judged(
        prepared.problem.id,
        published_type(prepared.problem, prepared.statements),
        tree_size(len(prepared.tree)) if prepared.tree else UNREADABLE,
        tuple(judged),
    )


def unreadable(judged: Sequence[Judged]) -> int:
    """How many problems have an output that is no tree as the first candidate."""
    return sum(bool(one.candidates and one.candidates[0].unreadable) for one in judged)


def shares_of_expressible(judged: Sequence[Judged]) -> dict[str, float]:
    """The shares among the problems whose gold tree the model can express; empty where that is every problem."""
    chosen = [one for one in judged if one.expressible]
    return {} if len(chosen) == len(judged) else {"problems": len(chosen), **shares(chosen)}


def shares(judged: Sequence[Judged], metrics: Iterable[str] = METRICS) -> dict[str, float]:
    """The share of problems that each metric calls right."""
    return {metric: sum(one.right(metric) for one in judged) / len(judged) for metric in metrics} if judged else {}


def shares_by(judged: Sequence[Judged], group: str, order: Iterable[str]) -> dict[str, dict[str, float]]:
    """The same for each type or size, groups in the given order, others after them, with how many problems each has."""
    groups: dict[str, list[Judged]] = {name: [] for name in order}
    for one in judged:
        groups.setdefault(getattr(one, group), []).append(one)
    return {name: {"problems": len(members), **shares(members)} for name, members in groups.items() if members}
