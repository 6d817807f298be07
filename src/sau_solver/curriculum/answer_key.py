"""A problem with known equations -> its worked solution for an answer key, without a model."""

from __future__ import annotations

from dataclasses import replace

from sau_solver.answering.asked import Asked
from sau_solver.answering.candidates import Candidate
from sau_solver.answering.ranking import rank
from sau_solver.answering.roots import Chosen
from sau_solver.data.asked_values import value_asked_for
from sau_solver.equations.expressions import unknowns_of
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.errors import FamilyError
from sau_solver.explaining.story import tell
from sau_solver.phrases import Language
from sau_solver.problem import AskedFor, Problem
from sau_solver.solution import Solution
from sau_solver.text.numbers import map_text
from sau_solver.text.questions import questions_of


def solution_of(problem: Problem, reader: Language | None = None) -> Solution:
    """Return the solution with its steps in the reader's language; raise FamilyError if the labels disagree."""
    text = map_text(problem.text, problem.language)
    equations = parse("; ".join(problem.equations))
    tree = Uet.from_equations(equations, [number.value for number in text.numbers])
    best = rank(text, [Candidate(tree, 0.0)]).best
    if best is None or best.solved is None or best.chosen is None:
        raise FamilyError(f"The equations of {problem.id or problem.text!r} have no solution.")
    best = replace(best, chosen=_as_labeled(best.chosen, problem, best))
    return replace(Solution.of(text, best, tell(text, best, reader)), confidence=1.0)


def _as_labeled(chosen: Chosen, problem: Problem, best: Candidate) -> Chosen:
    """Return the answers that the problem labels, in their order and with their units."""
    assert best.solved is not None
    several = len(unknowns_of(best.equations)) > 1 and len(problem.asks) > 1
    same = list(chosen.answers) == list(problem.answers) and len(chosen.asked) == len(problem.asks)
    question = " ".join(one.quoted for one in questions_of(problem.text, problem.language).found[:1])
    read = chosen.asked if same else (Asked(question, "", "", None),) * len(problem.asks)
    for solution in best.solved.solutions:
        if all(value_asked_for(one, solution) == one.answer for one in problem.asks):
            asked = tuple(_asked(label, one, several) for label, one in zip(problem.asks, read, strict=True))
            return replace(
                chosen, answers=problem.answers, kept=(solution,), values=tuple(solution.values()), asked=asked
            )
    raise FamilyError(f"The equations of {problem.id or problem.text!r} do not give its answers.")


def _asked(label: AskedFor, read: Asked, several: bool) -> Asked:
    """Return what is asked: unit and value as labeled, the question and its noun as read from the text."""
    return Asked(
        question=read.question,
        quantity=label.quantity or (read.quantity if several else ""),
        unknown=label.unknown,
        answer=label.answer,
        unit=label.unit,
        rounding=label.rounding,
        share=label.unit == "%",
        of_several=several,
    )
