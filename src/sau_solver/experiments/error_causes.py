"""Wrong predictions -> why each is wrong, by the first cause that applies.

label wrong           the gold equations do not have the annotated answers, or cannot be read; or they have them but for
                      rounding, and the prediction has the solutions of the gold equations
unsolvable            no candidate is solved: no solution, infinitely many, a slot without a number; or there is none
root choice           the annotated answers are among the solutions, and others were given
number of equations   more or fewer equations than gold
missing constant      a number that gold uses and the text does not have is not used
wrong operator        the first place at which the tree parts from gold has another operator, or an operator for a leaf
wrong number          that place has another number or unknown

Trees are compared in one order (normal_form), read from the root down, as a network writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.roots import choose
from sau_solver.data import Corpus
from sau_solver.data.checking import check, tree_agrees
from sau_solver.data.prepared.examples import Prepared
from sau_solver.equations.expressions import Equations, Number, to_text
from sau_solver.equations.normal_form import normal_form
from sau_solver.equations.symbols import Slot, Symbol
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import NotATreeError
from sau_solver.experiments.judging import Judged
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, solve
from sau_solver.text.wording import cues_of

Cause = Literal[
    "label wrong",
    "unsolvable",
    "root choice",
    "number of equations",
    "missing constant",
    "wrong operator",
    "wrong number",
]
CAUSES: tuple[Cause, ...] = get_args(Cause)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A problem, and the candidate that spoke for the model; None where there was none."""

    prepared: Prepared
    chosen: Candidate | None
    cause: Cause

    @property
    def predicted(self) -> str:
        """The equations of the candidate; its symbols where the text lacks a number."""
        if self.chosen is None:
            return ""
        try:
            return to_text(self.chosen.tree.equations(self.prepared.numbers))
        except NotATreeError:
            return str(self.chosen.tree)

    @property
    def given(self) -> tuple[str, ...]:
        """The answers that a user would have got; none where nothing was solved."""
        if self.chosen is None or self.chosen.outcome != Outcome.SOLVED:
            return ()
        problem, equations = self.prepared.problem, self.chosen.tree.equations(self.prepared.numbers)
        return tuple(map(str, choose(solve(equations), equations, cues_of(problem.text, problem.language)).answers))


def mistakes(pairs: Iterable[tuple[Prepared, Judged]], protocol: str) -> list[Mistake]:
    """Every prediction that a protocol calls wrong, with its cause."""
    wrong = [(prepared, judged) for prepared, judged in pairs if not judged.right(protocol)]
    labels = label_faults({prepared.problem for prepared, _ in wrong})
    return [
        Mistake(prepared, chosen, cause_of(prepared, chosen, labels.get(prepared.problem.id)))
        for prepared, judged in wrong
        for chosen in [judged.chosen()]
    ]


def label_faults(problems: Collection[Problem]) -> Mapping[str, str]:
    """By id, how the labels of problems do not fit together: `rounded`, or a kind of `Disagreement`; `unanswered`."""
    checked = check(Corpus("", tuple(problems), (), ()))
    unanswered = {problem.id: "unanswered" for problem in problems if not problem.answers}
    return unanswered | {one.id: one.kind for one in checked.disagreements}


def cause_of(prepared: Prepared, chosen: Candidate | None, fault: str | None = None) -> Cause:
    """Why a prediction is wrong; `fault` is what is wrong with the problem's labels."""
    same_as_gold = chosen is not None and "strict" in chosen.right
    if prepared.statements is None or (fault is not None and (fault != "rounded" or same_as_gold)):
        return "label wrong"
    if chosen is None or chosen.outcome != Outcome.SOLVED:
        return "unsolvable"
    if same_as_gold or tree_agrees(prepared.problem, chosen.tree, prepared.numbers):
        return "root choice"
    if prepared.tree is None:  # gold has a function, which no tree can have
        return "wrong operator"
    numbers = prepared.numbers
    return _parting(chosen.tree.equations(numbers), prepared.tree.equations(numbers), numbers)


def _parting(predicted: Equations, gold: Equations, numbers: Sequence[Fraction]) -> Cause:
    """Where two sets of equations part."""
    if len(predicted) != len(gold):
        return "number of equations"
    ours, theirs = _ordered(predicted, numbers), _ordered(gold, numbers)
    constants = Counter(symbol.value for symbol in theirs if isinstance(symbol, Number))
    used = Counter(_value(symbol, numbers) for symbol in ours)
    if any(used[value] < count for value, count in constants.items()):
        return "missing constant"
    first = next(((a, b) for a, b in zip(ours, theirs, strict=False) if a != b), None)
    if first is None:  # the very equations of gold, and yet not the answers
        return "root choice"
    return "wrong operator" if any(isinstance(symbol, str) for symbol in first) else "wrong number"


def _ordered(equations: Equations, numbers: Sequence[Fraction]) -> tuple[Symbol, ...]:
    ordered = rename_unknowns(normal_form(equations, numbers, "ordered"))
    return Uet.from_equations(ordered, numbers).symbols


def _value(symbol: Symbol, numbers: Sequence[Fraction]) -> Fraction | None:
    if isinstance(symbol, Slot):
        return numbers[symbol.index]
    return symbol.value if isinstance(symbol, Number) else None
