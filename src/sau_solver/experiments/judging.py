"""Candidates -> verdicts: each candidate is solved and compared with gold. The first that is solved is the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sau_solver.answering.candidates import EXPERIMENT, UNREADABLE, Candidate, SymbolicLimits, evaluate_candidates
from sau_solver.answering.protocols import PROTOCOLS, judge
from sau_solver.data.prepared.examples import Prepared, first_slots
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES, published_type, tree_size
from sau_solver.equations.uet import Uet, without_unknown
from sau_solver.solving import Outcome, Solved, solve_statements

FIRST, ORACLE = "first", "candidates_oracle"
OVER_CANDIDATES = (FIRST, ORACLE)  # metrics that are not verdicts on the chosen candidate
METRICS = (*PROTOCOLS, FIRST, "equation", ORACLE)


@dataclass(frozen=True, slots=True)
class Judged:
    """A test problem with its candidates in the model's order, its type and the size of its gold tree."""

    id: str
    type: str
    size: str
    candidates: tuple[Candidate, ...]
    expressible: bool = True  # False if the model can never write the gold tree

    def chosen(self) -> Candidate | None:
        """Return the first solved candidate, or the first of all if none is solved."""
        solving = (one for one in self.candidates if one.outcome == Outcome.SOLVED)
        return next(solving, self.candidates[0] if self.candidates else None)

    def right(self, metric: str) -> bool:
        """Tell whether a metric counts this problem as right."""
        return metric in self.metrics()

    def metrics(self) -> frozenset[str]:
        """Return all metrics that count this problem as right."""
        outcomes = tuple(one.outcome for one in self.candidates)
        return metrics_of(outcomes, tuple(one.right for one in self.candidates))


@lru_cache(10_000)  # few combinations occur
def metrics_of(outcomes: Sequence[str], right: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the metrics that count a problem as right, given the outcome and the verdicts of each candidate."""
    if not right:
        return frozenset()
    chosen = right[outcomes.index(Outcome.SOLVED) if Outcome.SOLVED in outcomes else 0]
    over = {FIRST: right[0], ORACLE: frozenset[str]().union(*right)}  # FIRST as in the paper
    return chosen | {metric for metric, verdicts in over.items() if "reference" in verdicts}


def judge_problem(prepared: Prepared, candidates: Sequence[Candidate], limits: SymbolicLimits = EXPERIMENT) -> Judged:
    """Solve gold and candidates and compare them; if gold cannot be read, only the annotated answers count."""
    gold = solve_statements(prepared.statements, limits.seconds) if prepared.statements else Solved(Outcome.NONE)
    known = [tree for tree in (prepared.tree, prepared.learned) if tree]
    gold_trees: set[Uet | None] = {*known, *map(without_unknown, known)}  # `x =` may be left out
    evaluated = evaluate_candidates(prepared.text, candidates, limits, prepared.problem.text)
    judged = [
        replace(one, right=_right(prepared, one, gold, gold_trees), equations=(), solved=None, chosen=None, doubt="")
        for one in evaluated
    ]  # only what a prediction file stores
    return Judged(
        prepared.problem.id,
        published_type(prepared.problem, prepared.statements),
        tree_size(len(prepared.tree)) if prepared.tree else UNREADABLE,
        tuple(judged),
    )


def _right(prepared: Prepared, candidate: Candidate, gold: Solved, gold_trees: set[Uet | None]) -> frozenset[str]:
    """Return the protocols that count a candidate as correct, and `equation` if its tree is the gold tree."""
    if candidate.solved is None:
        return frozenset()
    right: frozenset[str] = frozenset()
    if candidate.solved.outcome is not Outcome.NONE:
        right = judge(prepared.problem, candidate.equations, candidate.solved, gold)
    return right | {"equation"} if first_slots(candidate.tree, prepared.numbers) in gold_trees else right


def unreadable(judged: Sequence[Judged]) -> int:
    """Return the number of problems whose first candidate is not a tree."""
    return sum(bool(one.candidates and one.candidates[0].unreadable) for one in judged)


def scores(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the shares over all problems, by type and by size."""
    return {
        "metrics": shares(judged),
        "by_type": shares_by(judged, "type", PROBLEM_TYPES),
        "by_size": shares_by(judged, "size", SIZES),
    }


def shares_of_expressible(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the shares over the problems whose gold tree the model can write; empty if it can write every tree."""
    chosen = [one for one in judged if one.expressible]
    return {} if len(chosen) == len(judged) else {"problems": len(chosen), **shares(chosen)}


def shares(judged: Sequence[Judged], metrics: Iterable[str] = METRICS) -> dict[str, float]:
    """Return the share of problems that each metric counts as right."""
    return shares_of_metrics([one.metrics() for one in judged], metrics)


def shares_of_metrics(right: Sequence[frozenset[str]], metrics: Iterable[str] = METRICS) -> dict[str, float]:
    """Return the share of problems that each metric counts as right, given the metrics of each problem."""
    counts = Counter(metric for one in right for metric in one)
    return {metric: counts[metric] / len(right) for metric in metrics} if right else {}


def shares_by(judged: Sequence[Judged], group: str, order: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return the shares and the number of problems by type or size, in the given order, other groups last."""
    groups: dict[str, list[Judged]] = {name: [] for name in order}
    for one in judged:
        groups.setdefault(getattr(one, group), []).append(one)
    return {name: {"problems": len(members), **shares(members)} for name, members in groups.items() if members}
