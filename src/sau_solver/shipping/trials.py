"""Solve held-out problems with a model as for a user, from raw text to answers, and judge the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.confidence import Calibration
from sau_solver.answering.preference import Preference
from sau_solver.answering.protocols import (
    PROTOCOLS,
    is_accepted,
    is_annotated,
    judge,
    same_solutions,
    within_reference,
)
from sau_solver.answering.ranking import Ranked
from sau_solver.data.prepared.examples import Prepared
from sau_solver.data.prepared.problem_types import published_type
from sau_solver.errors import InputError
from sau_solver.experiments.judging import FIRST
from sau_solver.experiments.report.reliability import reliability
from sau_solver.models.base import BEAM
from sau_solver.models.loading import LANGUAGES, Model
from sau_solver.problem import Problem
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.solving import Outcome, Solved, solve_statements
from sau_solver.text.screening import Screened


@dataclass(frozen=True, slots=True)
class Trial:
    """The answers to one problem, empty if there are none, and the protocols that count them as right."""

    id: str
    type: str
    equations: tuple[str, ...]
    answers: tuple[str, ...]
    right: frozenset[str]
    among: bool  # whether any candidate has the annotated answers
    features: Mapping[str, float] = field(default_factory=dict, repr=False)
    fixed_confidence: float | None = None  # in answers that no model gave

    def confidence(self, calibration: Calibration) -> float:
        """Return the confidence in the answers; 0 if there are none."""
        if not self.answers:
            return 0.0
        return calibration.confidence(self.features) if self.fixed_confidence is None else self.fixed_confidence

    def is_given(self, calibration: Calibration) -> bool:
        """Return whether users get the answers without a warning; only models abstain."""
        return self.fixed_confidence is not None or self.confidence(calibration) >= calibration.threshold


@dataclass(frozen=True, slots=True)
class Attempt:
    """A problem with its ranked candidates, before a preference chooses the answer.

    `solution` is that of a text that needs no model. Without either, the text is refused.
    """

    problem: Prepared
    ranked: Ranked | None = None
    solution: Solution | None = None

    def right(self) -> list[bool]:
        """Tell for each group of candidates whether its answers are the annotated ones."""
        return [is_accepted(self.problem.problem, group.answers) for group in self.ranked.groups] if self.ranked else []

    def trial(self, preference: Preference | None = None) -> Trial:
        """Return the answer by the given preference, or by that of the model."""
        if self.solution:
            return _exact_trial(self.problem, self.solution)
        ranked = self.ranked.ordered(preference) if self.ranked and preference else self.ranked
        return _trial(self.problem, ranked)


def try_out(model: Model, problems: Sequence[Prepared], beam: int = BEAM) -> list[Trial]:
    """Solve problems as for a user, and judge the answers."""
    return [attempt.trial() for attempt in attempts(model, problems, beam)]


def attempts(model: Model, problems: Sequence[Prepared], beam: int = BEAM) -> list[Attempt]:
    """Return the ranked candidates of problems, or their solutions without a model, found as for a user."""
    solver = Solver(dict.fromkeys(LANGUAGES, lambda: model))
    texts = [_read(solver, one.problem) for one in problems]
    ranked = solver.ranked([text for text in texts if isinstance(text, Screened)], beam)
    return [
        Attempt(one, next(ranked)) if isinstance(text, Screened) else Attempt(one, solution=text)
        for one, text in zip(problems, texts, strict=True)
    ]


def _read(solver: Solver, problem: Problem) -> Screened | Solution | None:
    try:
        return solver.read(problem.text, problem.language)
    except InputError:
        return None


def figures(trials: Sequence[Trial], calibration: Calibration) -> dict[str, Any]:
    """Return the figures of a held-out part for the report; shares are between 0 and 1."""
    confidences = [trial.confidence(calibration) for trial in trials]
    right = [_is_right(trial) for trial in trials]
    reliable = reliability(confidences, right)
    given = [_is_right(trial) for trial in trials if trial.is_given(calibration)]
    return {
        "problems": len(trials),
        **{metric: _share(metric in trial.right for trial in trials) for metric in (*PROTOCOLS, FIRST)},
        "among_candidates": _share(trial.among for trial in trials),
        "calibration_error": round(reliable.error_by_width, 4),
        "calibration_error_by_mass": round(reliable.error_by_mass, 4),
        "calibration_error_floor": round(reliable.floor, 4),
        "right_at_half_coverage": round(reliable.half, 4),
        "answered": round(len(given) / len(trials), 4),
        "right_of_answered": _share(given),
        "by_type": {
            kind: {"problems": len(own), "answer": _share(map(_is_right, own))}
            for kind, own in sorted(_by_type(trials).items())
        },
    }


def _trial(one: Prepared, ranked: Ranked | None) -> Trial:
    kind = published_type(one.problem, one.statements)
    best = ranked.best if ranked else None
    if ranked is None or best is None or best.solved is None:
        return Trial(one.problem.id, kind, (), (), frozenset(), False)
    gold = _gold(one)
    right = _verdicts(one.problem, best, judge(one.problem, best.equations, best.solved, gold))
    return Trial(
        one.problem.id,
        kind,
        tuple(map(str, best.equations)),
        tuple(map(str, best.answers)),
        right | {FIRST} if _is_reference(one.problem, ranked.candidates[0], gold) else right,
        any(is_accepted(one.problem, group.answers) for group in ranked.groups),
        {name: round(value, 5) for name, value in ranked.confidence_features().items()},
    )


def _exact_trial(one: Prepared, solution: Solution) -> Trial:
    """Judge a solution without a model. If it has no equations, its answers count as their roots."""
    kind = published_type(one.problem, one.statements)
    answers = solution.answers
    if not answers or solution.abstained:
        return Trial(one.problem.id, kind, (), (), frozenset(), False)
    solved = Solved(Outcome.SOLVED, solution.roots or ({str(place): value for place, value in enumerate(answers)},))
    gold = _gold(one)
    verdicts = {
        FIRST: within_reference(solved, gold),
        "reference": within_reference(solved, gold),
        "strict": same_solutions(solved, gold),
        "answer": is_accepted(one.problem, answers),
        "annotated": is_annotated(one.problem, answers),
    }
    return Trial(
        one.problem.id,
        kind,
        tuple(map(str, solution.equations)),
        tuple(map(str, answers)),
        frozenset(protocol for protocol, right in verdicts.items() if right),
        verdicts["answer"],
        fixed_confidence=solution.confidence,
    )


def _gold(one: Prepared) -> Solved:
    return solve_statements(one.statements) if one.statements else Solved(Outcome.NONE)


def _verdicts(problem: Problem, best: Candidate, judged: frozenset[str]) -> frozenset[str]:
    """Return the verdicts as users see them: `answer` is about the answers that are shown, even without a label."""
    verdicts = judged - {"answer"}
    return verdicts | {"answer"} if is_accepted(problem, best.answers) else verdicts


def _is_reference(problem: Problem, candidate: Candidate, gold: Solved) -> bool:
    """Return whether a candidate alone is right by `reference`, as the paper counts its first candidate."""
    solved = candidate.solved
    return solved is not None and "reference" in judge(problem, candidate.equations, solved, gold)


def _is_right(trial: Trial) -> bool:
    return "answer" in trial.right


def _by_type(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.type, []).append(trial)
    return groups


def _share(right: Iterable[bool]) -> float:
    found = list(right)
    return round(sum(found) / len(found), 4) if found else 0.0
