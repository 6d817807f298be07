"""Wrong predictions -> the first of these causes that applies.

label wrong           the gold equations cannot be read or do not give the annotated answers; or they do so only up to
                      rounding, and the prediction has the solutions of the gold equations
unsolvable            no candidate could be solved, or there is no candidate
root choice           the annotated answers are among the solutions, but others were given, or not the one asked for
number of equations   there are more or fewer equations than in gold
missing constant      a number that gold uses and that is not in the text is not used
wrong operator        the first symbol that differs from gold is another operator, or an operator instead of a leaf
wrong number          the first symbol that differs from gold is another number or unknown

Trees are compared in normal form, from the root down, as a network writes them.
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
    """A wrong prediction: the problem, the candidate that was chosen, None if there is none, and the cause."""

    prepared: Prepared
    chosen: Candidate | None
    cause: Cause

    @property
    def problem(self) -> Problem:
        """Return the problem."""
        return self.prepared.problem

    @property
    def predicted(self) -> str:
        """Return the equations of the candidate, or its symbols if the text has too few numbers for them."""
        if self.chosen is None:
            return ""
        try:
            return to_text(self.chosen.tree.equations(self.prepared.numbers))
        except NotATreeError:
            return str(self.chosen.tree)

    @property
    def given(self) -> tuple[str, ...]:
        """Return the answers that a user would have seen; empty if nothing was solved."""
        if self.chosen is None or self.chosen.outcome != Outcome.SOLVED:
            return ()
        problem, equations = self.prepared.problem, self.chosen.tree.equations(self.prepared.numbers)
        return tuple(map(str, choose(solve(equations), equations, cues_of(problem.text, problem.language)).answers))


def mistakes(pairs: Iterable[tuple[Prepared, Judged]], protocol: str) -> list[Mistake]:
    """Return every prediction that a protocol counts as wrong, with its cause."""
    wrong = [(prepared, judged) for prepared, judged in pairs if not judged.right(protocol)]
    labels = label_faults({prepared.problem for prepared, _ in wrong})
    return [
        Mistake(prepared, chosen, cause_of(prepared, chosen, labels.get(prepared.problem.id)))
        for prepared, judged in wrong
        for chosen in [judged.chosen()]
    ]


def label_faults(problems: Collection[Problem]) -> Mapping[str, str]:
    """Return by id why labels do not fit together: `rounded`, a kind of `Disagreement`, or `unanswered`."""
    checked = check(Corpus("", tuple(problems), (), ()))
    unanswered = {problem.id: "unanswered" for problem in problems if not problem.answers}
    return unanswered | {one.id: one.kind for one in checked.disagreements}


def cause_of(prepared: Prepared, chosen: Candidate | None, fault: str | None = None) -> Cause:
    """Return why a prediction is wrong; `fault` is what is wrong with the labels of the problem."""
    same_as_gold = chosen is not None and "strict" in chosen.right
    if prepared.statements is None or (fault is not None and (fault != "rounded" or same_as_gold)):
        return "label wrong"
    if chosen is None or chosen.outcome != Outcome.SOLVED:
        return "unsolvable"
    if same_as_gold or tree_agrees(prepared.problem, chosen.tree, prepared.numbers):
        return "root choice"
    if prepared.tree is None:  # gold has a function, which trees cannot express
        return "wrong operator"
    numbers = prepared.numbers
    return _parting(chosen.tree.equations(numbers), prepared.tree.equations(numbers), numbers)


def _parting(predicted: Equations, gold: Equations, numbers: Sequence[Fraction]) -> Cause:
    """Return the cause that follows from the first difference between two sets of equations."""
    if len(predicted) != len(gold):
        return "number of equations"
    ours, theirs = _ordered(predicted, numbers), _ordered(gold, numbers)
    constants = Counter(symbol.value for symbol in theirs if isinstance(symbol, Number))
    used = Counter(_value(symbol, numbers) for symbol in ours)
    if any(used[value] < count for value, count in constants.items()):
        return "missing constant"
    first = next(((a, b) for a, b in zip(ours, theirs, strict=False) if a != b), None)
    if first is None:  # equal to the gold equations, but with other answers
        return "root choice"
    return "wrong operator" if any(isinstance(symbol, str) for symbol in first) else "wrong number"


def _ordered(equations: Equations, numbers: Sequence[Fraction]) -> tuple[Symbol, ...]:
    ordered = rename_unknowns(normal_form(equations, numbers, "ordered"))
    return Uet.from_equations(ordered, numbers).symbols


def _value(symbol: Symbol, numbers: Sequence[Fraction]) -> Fraction | None:
    if isinstance(symbol, Slot):
        return numbers[symbol.index]
    return symbol.value if isinstance(symbol, Number) else None
