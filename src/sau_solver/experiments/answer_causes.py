"""Wrong answers of a model, as `sau solve` gives them -> the first cause that applies, and groups by skill.

Where the published equations give the annotated answers, the causes are those of `error_causes`. Many corpora have
answers only, or equations that cannot be read or give something else (ASDiv writes 47/6=7 r5). Then these remain:

text refused          the text was refused: it did not look like a problem that can be solved
read as mathematics   the text was solved without a model, as an equation or a calculation
unsolvable            no candidate could be solved, or there is no candidate
root choice           the annotated answers are among the values of the unknowns, but others were given
rounding              the answers, or the values they were rounded from, are the annotated ones after rounding: to a
                      whole number, up or down, or to the decimals of the other
label wrong           the published equations have the same solutions as the predicted ones, but another answer
not chosen            another candidate has the right answer
unit or percent       the answers differ by a power of ten, or by 60 or 3600
unneeded number       the prediction uses a number that the corpus calls unneeded
number left out       the prediction does not use every number of the text; the answer may need it or not
other                 none of these
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.protocols import is_accepted
from sau_solver.data.checking import after_rounding, agrees
from sau_solver.data.prepared.examples import Prepared, prepare
from sau_solver.equations.expressions import to_text
from sau_solver.equations.symbols import ARITHMETIC
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.error_causes import CAUSES, Cause, cause_of, label_faults
from sau_solver.experiments.judging import judge_problem
from sau_solver.experiments.user_evaluation import OnProgress, chosen_candidate, solved_for_users
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.problem import Problem
from sau_solver.solution import Solution
from sau_solver.solving import Outcome, Value, close, decimal_of

AnswerCause = (
    Cause
    | Literal[
        "text refused",
        "read as mathematics",
        "rounding",
        "not chosen",
        "unit or percent",
        "unneeded number",
        "number left out",
        "other",
    ]
)
ANSWER_CAUSES: tuple[AnswerCause, ...] = (*CAUSES, *get_args(get_args(AnswerCause)[1]))

# What else is known about a wrong answer. The last two need equations that give the annotated answers.
Trait = Literal["right in beam", "needed number left out", "unneeded number used"]
TRAITS: tuple[Trait, ...] = get_args(Trait)

FACTORS = (*(Fraction(10) ** power for power in range(1, 7)), Fraction(60), Fraction(3600))


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A problem with a wrong answer of `sau solve`, its cause and its traits."""

    problem: Problem
    solution: Solution | InputError
    cause: AnswerCause
    traits: frozenset[Trait] = frozenset()

    @property
    def predicted(self) -> str:
        """Return the equations; empty if there are none."""
        return "" if isinstance(self.solution, InputError) else to_text(self.solution.equations)

    @property
    def given(self) -> tuple[str, ...]:
        """Return the answers that a user sees, guesses included, or the reason why there is none."""
        if isinstance(self.solution, InputError):
            return (str(self.solution),)
        return tuple(map(str, self.solution.answers)) or (self.solution.reason,)


def wrong_answers(
    model: Model, problems: Sequence[Problem], beam: int = BEAM, on_progress: OnProgress | None = None
) -> list[WrongAnswer]:
    """Solve problems with annotated answers as `sau solve` does and return those with a wrong answer."""
    named = replace(model, name=model.name or "model")  # a solution without a model's name was found without a model
    solved = zip(problems, solved_for_users(named, problems, beam, on_progress), strict=True)
    wrong = [(problem, solution) for problem, solution in solved if not _is_right(problem, solution)]
    faults = label_faults({problem for problem, _ in wrong if problem.equations})
    return [explain(problem, solution, faults.get(problem.id)) for problem, solution in wrong]


def _is_right(problem: Problem, solution: Solution | InputError) -> bool:
    return isinstance(solution, Solution) and is_accepted(problem, solution.answers)


def explain(problem: Problem, solution: Solution | InputError, fault: str | None = None) -> WrongAnswer:
    """Return the cause and the traits of a wrong answer; `fault` is what is wrong with the published equations."""
    if isinstance(solution, InputError) or not (solution.model or solution.answers or solution.kind != "problem"):
        return WrongAnswer(problem, solution, "text refused")
    if not solution.model:
        return WrongAnswer(problem, solution, "read as mathematics")
    in_beam = any(is_accepted(problem, one.answers) for one in solution.candidates)
    traits: set[Trait] = {"right in beam"} if in_beam else set()
    chosen = chosen_candidate(solution)
    gold = prepare(replace(problem, text=solution.text.text), "raw") if problem.equations else None
    judged = judge_problem(gold, [chosen]).chosen() if gold and chosen else None
    if gold is None or gold.statements is None or fault is not None:
        same_as_gold = judged is not None and "strict" in judged.right
        cause = _by_answers(problem, solution, chosen, label_wrong=same_as_gold)
    else:
        cause = cause_of(gold, judged)
        if gold.tree is not None and chosen is not None:
            traits |= _by_numbers(gold, gold.tree, chosen)
    return WrongAnswer(problem, solution, cause, frozenset(traits))


def _by_answers(problem: Problem, solution: Solution, chosen: Candidate | None, label_wrong: bool) -> AnswerCause:
    """Return the first cause that applies to a problem whose equations do not help."""
    if chosen is None or chosen.solved is None or chosen.outcome != Outcome.SOLVED:
        return "unsolvable"
    asked = replace(problem, answers=problem.asked or problem.answers, asks=())
    if agrees(asked, chosen.solved, close):
        return "root choice"
    if any(_matches(asked, values, _equal_after_rounding) for values in (solution.answers, chosen.values)):
        return "rounding"
    if label_wrong:
        return "label wrong"
    if any(is_accepted(problem, one.answers) for one in solution.candidates):
        return "not chosen"
    if any(_matches(asked, solution.answers, _times(factor)) for factor in FACTORS):
        return "unit or percent"
    values = [number.value for number in solution.text.numbers]
    used = {values[slot] for slot in chosen.tree.slots()}
    unneeded = set(problem.lesson.unneeded) if problem.lesson else set()
    if used & unneeded:
        return "unneeded number"
    return "number left out" if set(values) - used - unneeded else "other"


def _by_numbers(gold: Prepared, tree: Uet, chosen: Candidate) -> set[Trait]:
    """Return how the numbers that a prediction uses differ from those of the published equations."""
    ours, theirs = ({gold.numbers[slot] for slot in one.slots()} for one in (chosen.tree, tree))
    found: dict[Trait, bool] = {
        "needed number left out": not theirs <= ours,
        "unneeded number used": not ours <= theirs,
    }
    return {trait for trait, applies in found.items() if applies}


def _matches(problem: Problem, given: Sequence[Value], equal: Callable[[Value, Fraction], bool]) -> bool:
    """Return whether every given value corresponds to an annotated one, in the order of their size."""
    ours = sorted(given, key=decimal_of)
    return any(
        len(ours) == len(accepted) and all(equal(one, other) for one, other in zip(ours, sorted(accepted), strict=True))
        for accepted in (problem.answers, *problem.alternatives)
    )


def _equal_after_rounding(given: Value, annotated: Fraction) -> bool:
    if not math.isfinite(decimal_of(given)):
        return False
    exact = given if isinstance(given, Fraction) else Fraction(decimal_of(given))
    whole = any(
        one.denominator == 1 and other.denominator != 1 and one in (math.floor(other), math.ceil(other))
        for one, other in ((exact, annotated), (annotated, exact))
    )
    return close(given, annotated) or whole or after_rounding(exact, annotated) or after_rounding(annotated, exact)


def _times(factor: Fraction) -> Callable[[Value, Fraction], bool]:
    """Return whether a value is an annotated one, multiplied or divided by a factor."""
    return lambda given, annotated: (
        annotated != 0 and (close(given, annotated * factor) or close(given, annotated / factor))
    )


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """The tested problems of one skill or kind, and how often each cause made an answer wrong."""

    problems: int
    wrong: int
    causes: Mapping[AnswerCause, int]  # the most frequent first


def by_skill(tested: Sequence[Prepared], wrong: Sequence[WrongAnswer]) -> dict[str, dict[str, ErrorGroup]]:
    """Group wrong answers by skill or published type, or by the number of operations and of numbers in the text.

    The last two are for problems that have neither; operations are those of the published equations.
    """
    causes = {one.problem.id: one.cause for one in wrong}
    members: dict[str, dict[str, list[str]]] = {}
    for prepared in tested:
        for title, name in _groups_of(prepared):
            members.setdefault(title, {}).setdefault(name, []).append(prepared.problem.id)
    return {
        title: {name: _counted(ids, causes) for name, ids in sorted(groups.items(), key=lambda one: _order(one[0]))}
        for title, groups in members.items()
    }


def _counted(ids: Sequence[str], causes: Mapping[str, AnswerCause]) -> ErrorGroup:
    own = [causes[one] for one in ids if one in causes]
    counts = {cause: own.count(cause) for cause in ANSWER_CAUSES if cause in own}
    return ErrorGroup(len(ids), len(own), dict(sorted(counts.items(), key=lambda one: -one[1])))


def _groups_of(prepared: Prepared) -> list[tuple[str, str]]:
    problem = prepared.problem
    if problem.lesson is not None:
        return [("skill", problem.lesson.skill)]
    if problem.kind:
        return [("type", problem.kind)]
    numbers = [("numbers in the text", str(len(prepared.numbers)))]
    if prepared.tree is None or not problem.equations:
        return numbers
    operations = sum(symbol in ARITHMETIC for symbol in prepared.tree.symbols)
    return [("operations", str(operations)), *numbers]


def _order(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (0, name)
