"""A model's candidates -> groups of equal answers, the best first.

Every different set of equations is solved once; candidates that give equal answers stand together, and their
probabilities add up. A model's preference, or plausibility where it has none (`preference`), orders the groups;
candidates without an answer are in no group.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from sau_solver.answering.plausibility import doubt
from sau_solver.answering.preference import PLAUSIBLE_FIRST, Preference, signs_of
from sau_solver.answering.roots import Chosen, choose
from sau_solver.equations.expressions import Equations
from sau_solver.errors import NotATreeError
from sau_solver.models.base import Candidate
from sau_solver.solution import NOT_FILLED, SolvedCandidate
from sau_solver.solving import Outcome, Solved, Value, decimal_of, solve
from sau_solver.solving.symbolic import SymbolicAnswer, SymbolicWorker
from sau_solver.text.numbers import MappedText

SYMBOLIC_SECONDS = 1.0  # for a candidate that needs the symbolic solver
SYMBOLIC_CANDIDATES = 2  # of a problem that may need it
TOLERANCE = 1e-9  # relative, between values of which one is not rational


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with all that came of it; `solved` and `chosen` are None where a slot has no number."""

    tree: SolvedCandidate
    solved: Solved | None
    chosen: Chosen | None
    doubt: str  # what speaks against its answers (`plausibility`); empty where nothing does


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates with equal answers: their places in the model's order, the most probable first."""

    answers: tuple[Value, ...]
    members: tuple[int, ...]
    log_probability: float  # of all members together
    plausible: bool
    score: float  # by the preference that ordered the groups
    signs: Mapping[str, float] = field(repr=False)  # what it was made of


@dataclass(frozen=True, slots=True)
class Ranked:
    """A problem's candidates in the model's order, and the groups they form, the best first."""

    text: MappedText
    candidates: tuple[RankedCandidate, ...]
    groups: tuple[Group, ...]

    @property
    def best(self) -> RankedCandidate | None:
        """The candidate that speaks for the problem; None where none has an answer."""
        return self.candidates[self.groups[0].members[0]] if self.groups else None

    def ordered(self, preference: Preference) -> Ranked:
        """The same by another preference."""
        groups = [replace(group, score=preference.score(group.signs)) for group in self.groups]
        return replace(self, groups=tuple(sorted(groups, key=lambda group: -group.score)))


def rank(text: MappedText, candidates: Sequence[Candidate], preference: Preference = PLAUSIBLE_FIRST) -> Ranked:
    """Solve the candidates and order their answers."""
    evaluated = _evaluated(text, candidates)
    groups = [_group(text, [evaluated[place] for place in places], places) for places in _agreeing(evaluated)]
    return Ranked(text, evaluated, tuple(groups)).ordered(preference)


def _agreeing(evaluated: Sequence[RankedCandidate]) -> list[list[int]]:
    """The places of candidates with equal answers, those of more probable candidates first."""
    groups: list[list[int]] = []
    for place in sorted(range(len(evaluated)), key=lambda place: -evaluated[place].tree.log_probability):
        answers = evaluated[place].tree.answers
        if not answers:
            continue
        for group in groups:
            if equal_answers(evaluated[group[0]].tree.answers, answers):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def _group(text: MappedText, members: Sequence[RankedCandidate], places: Sequence[int]) -> Group:
    total = log_sum([one.tree.log_probability for one in members])
    best = members[0]
    signs = signs_of(text, best.tree.tree, best.tree.answers, best.doubt, total, len(members))
    return Group(best.tree.answers, tuple(places), total, not best.doubt, 0.0, signs)


def equal_answers(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Equal values in any order: exactly where both are rational, else as near as floats tell."""
    if len(one) != len(other):
        return False
    pairs = zip(sorted(one, key=decimal_of), sorted(other, key=decimal_of), strict=True)
    return all(_equal(first, second) for first, second in pairs)


def log_sum(logarithms: Sequence[float]) -> float:
    """The logarithm of the sum of what these are logarithms of."""
    largest = max(logarithms, default=-math.inf)
    if math.isinf(largest):
        return largest
    return largest + math.log(sum(math.exp(one - largest) for one in logarithms))


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return one == other or math.isclose(decimal_of(one), decimal_of(other), rel_tol=TOLERANCE)


def _evaluated(text: MappedText, candidates: Sequence[Candidate]) -> tuple[RankedCandidate, ...]:
    numbers = [number.value for number in text.numbers]
    worker = _Rationed(SYMBOLIC_CANDIDATES)
    known: dict[Equations, tuple[Solved, Chosen, str]] = {}
    evaluated = []
    for candidate in candidates:
        try:
            equations = candidate.tree.equations(numbers)
        except NotATreeError:
            tree = SolvedCandidate(candidate.tree, (), NOT_FILLED, (), candidate.log_probability)
            evaluated.append(RankedCandidate(tree, None, None, ""))
            continue
        if equations not in known:
            known[equations] = _solved(text, equations, worker)
        solved, chosen, why = known[equations]
        answers = chosen.answers if solved.outcome is Outcome.SOLVED else ()
        tree = SolvedCandidate(candidate.tree, equations, str(solved.outcome), answers, candidate.log_probability)
        evaluated.append(RankedCandidate(tree, solved, chosen, why))
    return tuple(evaluated)


def _solved(text: MappedText, equations: Equations, worker: SymbolicWorker) -> tuple[Solved, Chosen, str]:
    solved = solve(equations, SYMBOLIC_SECONDS, worker)
    chosen = choose(solved, equations, text.text, text.language)
    return solved, chosen, doubt(chosen, equations, text)


class _Rationed(SymbolicWorker):
    """The shared symbolic worker, asked no more than so many times."""

    def __init__(self, requests: int) -> None:
        super().__init__()
        self.left = requests

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        if self.left <= 0:
            return SymbolicAnswer(None, "other candidates took the time of the symbolic solver")
        self.left -= 1
        return SymbolicWorker.shared().solve(equations, names, deadline)
