"""Test a model on problems with annotated answers as `sau solve` uses it: answers, confidence and abstention."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.protocols import is_accepted, is_annotated
from sau_solver.errors import InputError
from sau_solver.experiments.report.reliability import reliability
from sau_solver.models.base import BEAM
from sau_solver.models.loading import LANGUAGES, Model
from sau_solver.problem import Lesson, Problem
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.solving import Value

SUREST = 0.6  # the share of the problems that `right_of_surest` is about

OnProgress = Callable[[int, int], None]  # problems done, problems in total


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """How many problems of a group got the right answer, guesses included."""

    problems: int
    right: int


@dataclass(frozen=True, slots=True)
class UserFigures:
    """What users of a model get; shares are between 0 and 1."""

    problems: int  # with annotated answers
    answer: float  # right answers and right guesses of all problems: exactly what is asked
    annotated: float  # the values of all unknowns are the annotated ones, asked for or not
    answered: float  # problems that the model did not abstain from
    right_of_answered: float
    right_of_surest: float  # of the share SUREST of the problems with the highest confidence
    mean_confidence: float  # of the answered problems
    calibration_error: float  # expected, over bins of equal width, of all problems
    by_skill: Mapping[str, GroupFigures] = field(default_factory=dict)  # of problems with a lesson
    by_contrast: Mapping[str, GroupFigures] = field(default_factory=dict)
    unneeded: GroupFigures | None = None  # problems with numbers that are not needed


def chosen_candidate(solution: Solution) -> Candidate | None:
    """Return the candidate whose answers a solution gives; None if no model was asked or nothing was solved."""
    return next((one for one in solution.candidates if one.tree == solution.tree), None)


def _values(solution: Solution) -> Sequence[Value]:
    """Return the values of all unknowns; the answers if no model was asked."""
    best = chosen_candidate(solution)
    return best.values if best else solution.answers


def solved_for_users(
    model: Model, problems: Sequence[Problem], beam: int = BEAM, on_progress: OnProgress | None = None
) -> Iterator[Solution | InputError]:
    """Solve problems exactly as `sau solve` does; yield the InputError of a text that is refused."""
    solver = Solver(dict.fromkeys(LANGUAGES, lambda: model))
    solved = solver.solve_many(((one.text, one.language) for one in problems), beam=beam, errors="return")
    for done, solution in enumerate(solved, start=1):
        yield solution
        if on_progress:
            on_progress(done, len(problems))


def figures_for_users(
    model: Model, problems: Iterable[Problem], beam: int = BEAM, on_progress: OnProgress | None = None
) -> UserFigures | None:
    """Solve the problems that have annotated answers as for a user; None if there is none."""
    known = [problem for problem in problems if problem.answers]
    if not known:
        return None
    right: list[bool] = []
    annotated: list[bool] = []
    confidences: list[float] = []
    answered: list[bool] = []
    for problem, solution in zip(known, solved_for_users(model, known, beam, on_progress), strict=True):
        found = solution if isinstance(solution, Solution) else None  # None: the text was refused
        right.append(found is not None and is_accepted(problem, found.answers))
        annotated.append(found is not None and is_annotated(problem, _values(found)))
        confidences.append(found.confidence if found else 0.0)
        answered.append(found is not None and not found.abstained)
    given = [place for place, one in enumerate(answered) if one]
    order = sorted(range(len(known)), key=lambda place: -confidences[place])
    return UserFigures(
        problems=len(known),
        answer=_share(right),
        annotated=_share(annotated),
        answered=_share(answered),
        right_of_answered=_share([right[place] for place in given]),
        right_of_surest=_share([right[place] for place in order[: math.ceil(SUREST * len(order))]]),
        mean_confidence=_share([confidences[place] for place in given]),
        calibration_error=reliability(confidences, right).error_by_width,
        by_skill=_grouped(known, right, lambda lesson: lesson.skill),
        by_contrast=_grouped(known, right, lambda lesson: lesson.contrast),
        unneeded=_grouped(known, right, lambda lesson: "unneeded" if lesson.unneeded else "").get("unneeded"),
    )


def _grouped(
    problems: Sequence[Problem], right: Sequence[bool], key: Callable[[Lesson], str]
) -> dict[str, GroupFigures]:
    """Return the figures of each group of problems with a lesson; an empty key belongs to no group."""
    verdicts: dict[str, list[bool]] = {}
    for problem, verdict in zip(problems, right, strict=True):
        if problem.lesson is not None and (name := key(problem.lesson)):
            verdicts.setdefault(name, []).append(verdict)
    return {name: GroupFigures(len(found), sum(found)) for name, found in sorted(verdicts.items())}


def _share(values: list[bool] | list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
