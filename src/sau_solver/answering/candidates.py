"""A model's trees -> candidates with equations, exact solutions and the answers a reader would take from them.

There is one candidate type. The model creates it, `evaluate_candidates` solves it, and ranking, evaluation and
calibration all read the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.plausibility import doubt_about
from sau_solver.answering.roots import Chosen, choose
from sau_solver.equations.expressions import Equations, differences_in
from sau_solver.equations.roles import roles_of
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet, fill
from sau_solver.solving import DEADLINE_SECONDS, Outcome, Reason, Solved, Value, solve_each
from sau_solver.solving.symbolic import SymbolicAnswer, SymbolicWorker
from sau_solver.text.numbers import MappedText
from sau_solver.text.wording import cues_of

NOT_FILLED = "not_filled"  # outcome of a tree with a slot that the text has no number for
UNREADABLE = "unreadable"  # outcome of a model output that is not a tree
UNFILLABLE = Uet((Slot(999_999),))  # stands in for the tree of an unreadable output


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tree that a model proposes for a text, and everything that is found out about it.

    The model sets the first four fields. `evaluate_candidates` adds the solution, and an experiment adds `right`.
    """

    tree: Uet
    log_probability: float
    unreadable: str = ""  # the model's output, if it is not a tree; `tree` is then UNFILLABLE
    verified: float = 0.0  # the verifier's score, high if tree and text fit together; 0 without a verifier
    equations: Equations = ()
    outcome: str = ""  # solved, none, infinite, too_hard, not_filled or unreadable; empty before solving
    solved: Solved | None = None
    chosen: Chosen | None = None
    doubt: str = ""  # what makes the answers implausible, see plausibility.DOUBTS
    right: frozenset[str] = frozenset()  # the protocols that count it as correct

    @property
    def answers(self) -> tuple[Value, ...]:
        """The values asked for; empty unless the equations were solved."""
        return self.chosen.answers if self.chosen is not None and self.outcome == Outcome.SOLVED else ()

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of all unknowns; empty unless the equations were solved."""
        return self.chosen.values if self.chosen is not None and self.outcome == Outcome.SOLVED else ()


@dataclass(frozen=True, slots=True)
class SymbolicLimits:
    """How much time the candidates of one problem may spend in the symbolic solver."""

    seconds: float  # per candidate
    candidates: int | None  # how many candidates may use it; None for all


SERVING = SymbolicLimits(seconds=1.0, candidates=2)
EXPERIMENT = SymbolicLimits(seconds=DEADLINE_SECONDS, candidates=None)


def evaluate_candidates(
    text: MappedText,
    candidates: Sequence[Candidate],
    limits: SymbolicLimits = SERVING,
    wording: str = "",
    asked_first: AskedFirst = "",
) -> tuple[Candidate, ...]:
    """Solve every candidate and choose its answers; equal equations are solved once.

    Pass `wording` if the words that decide which root is asked for are not those of `text`, as in experiments on
    published, already tokenized texts. `asked_first` is what the network calls x.
    """
    cues = cues_of(wording or text.text, text.language)
    filled = fill([candidate.tree for candidate in candidates], [number.value for number in text.numbers])
    worker = None if limits.candidates is None else _LimitedWorker(limits.candidates)
    every = list(dict.fromkeys(equations for equations in filled if equations is not None))
    solved = dict(zip(every, solve_each(every, limits.seconds, worker), strict=True))
    differences = dict(zip(every, map(differences_in, every), strict=True))
    roles = dict(zip(every, map(roles_of, every), strict=True))
    chosen = {one: choose(solved[one], one, cues, roles[one], asked_first) for one in every}
    doubts = {equations: doubt_about(chosen[equations], differences[equations], cues) for equations in every}
    return tuple(
        replace(candidate, outcome=UNREADABLE if candidate.unreadable else NOT_FILLED)
        if equations is None
        else replace(
            candidate,
            equations=equations,
            outcome=str(solved[equations].outcome),
            solved=solved[equations],
            chosen=chosen[equations],
            doubt=doubts[equations],
        )
        for candidate, equations in zip(candidates, filled, strict=True)
    )


class _LimitedWorker:
    """The shared symbolic worker, for at most a given number of requests."""

    def __init__(self, requests: int) -> None:
        self.left = requests

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        if self.left <= 0:
            return SymbolicAnswer(None, Reason("rationed"))
        self.left -= 1
        return SymbolicWorker.shared().solve(equations, names, deadline)
