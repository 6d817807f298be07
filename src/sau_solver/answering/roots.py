"""Solutions of the equations -> the answers that the question asks for.

A root is dropped if it makes a quantity impossible: a negative value, a negative difference inside the equations (more
is taken away than there is), a value beyond a bound of the text, a fraction where things are counted. Then the words of
the question decide: the longer side, the smaller number. `asked` then finds the value that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.answering.asked.entries import Asked, ask
from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.asked.parts import are_exchanged
from sau_solver.answering.bounds import broken_bounds, values_at
from sau_solver.answering.wanted_roots import extreme_asked, unwanted
from sau_solver.equations.expressions import Equations, Operation, differences_in
from sau_solver.equations.roles import Roles
from sau_solver.solving import Assignment, Solved, Value, decimal_of
from sau_solver.text.wording import Cues

NO_CUES = Cues()
SIGNED_UNITS = ("degrees", "度", "摄氏度", "℃", "°C")  # temperatures may be below zero
MAX_KEPT = 8  # solutions that are read for what is asked


@dataclass(frozen=True, slots=True)
class Dropped:
    """A solution that was not chosen, and why: negative, impossible, trivial, bounded, fractional or unwanted."""

    solution: Assignment
    reason: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answers, the solutions they come from, and the solutions that were dropped.

    `answers` has one value for each thing asked; `values` has every unknown of the kept solutions.
    """

    answers: tuple[Value, ...]
    kept: tuple[Assignment, ...]
    dropped: tuple[Dropped, ...] = ()
    values: tuple[Value, ...] = ()
    asked: tuple[Asked, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether it is clear which unknowns are asked for, and every question for a quantity has an answer."""
        return all(one.certain for one in self.asked)


def choose(
    solved: Solved,
    equations: Equations,
    cues: Cues = NO_CUES,
    roles: Roles | None = None,
    asked_first: AskedFirst = "",
) -> Chosen:
    """Choose the answers that a reader of the text would give; without cues, every solution that is possible.

    `roles` are those of the equations, if they are known already. `asked_first` is what the network that wrote them
    calls x.
    """
    choice = _Choice(list(solved.solutions or solved.determined))
    if not cues.may_be_negative or _asks_for_amounts(cues):
        choice.keep_best("negative", lambda s: sum(is_negative(value) for value in s.values()))
        if not cues.both_ways:
            choice.keep_best("impossible", lambda s: count_negative(differences_in(equations), s))
        choice.keep_best("trivial", lambda s: sum(value == 0 for value in s.values()))
    if len(choice.kept) > 1:
        choice.keep_lowest("bounded", broken_bounds(choice.kept, equations, cues))
    if cues.reading is not None:
        for wish in cues.wishes:
            if len(choice.kept) == 2:
                choice.keep_lowest("unwanted", unwanted(choice.kept, equations, cues.reading, wish))
        if len(choice.kept) == 2 and (sizes := extreme_asked(choice.kept, cues.reading)) is not None:
            choice.keep_lowest("unwanted", sizes)
    if cues.counted:
        choice.keep_best("fractional", lambda s: sum(not is_integer(value) for value in s.values()))
    if len(choice.kept) == 2 and cues.larger and not cues.smaller:
        choice.keep_best("unwanted", lambda s: -_size(s))
    elif len(choice.kept) == 2 and cues.smaller and not cues.larger:
        choice.keep_best("unwanted", _size)
    elif len(choice.kept) == 2 and cues.generous:
        sign = -1 if cues.reduction else 1
        choice.keep_best("unwanted", lambda s: sign * _size(s))
    kept = tuple(choice.kept)
    every = [value for solution in kept for value in solution.values()]
    values = tuple(every) if len(kept) == 1 else tuple(dict.fromkeys(every))
    asked = _asked(kept, equations, cues, roles, asked_first) if solved.solutions else ()
    answers = tuple(one.answer for one in asked if one.answer is not None) if asked else values
    return Chosen(answers, kept, tuple(choice.dropped), values, asked)


def _asks_for_amounts(cues: Cues) -> bool:
    """Return whether the questions ask for numbers of things or for measures, which are never negative."""
    things = cues.reading.things if cues.reading else ()
    return any(thing.counted or thing.unit for thing in things) and not any(t.unit in SIGNED_UNITS for t in things)


def _asked(
    kept: Sequence[Assignment], equations: Equations, cues: Cues, roles: Roles | None, asked_first: AskedFirst
) -> tuple[Asked, ...]:
    """Return what is asked for in each solution that was kept; solutions with equal answers count once."""
    if cues.reading is None:
        return ()
    if len(kept) == 1:
        return tuple(dict.fromkeys(ask(cues.reading, equations, kept[0], roles, asked_first=asked_first)))
    found: list[tuple[Asked, ...]] = []
    seen: list[list[float]] = []
    numeric = [thing for thing in cues.reading.things if thing.relation != "none"]
    both = len(numeric) > 1 and are_exchanged(kept, equations)
    every = any(thing.relation == "every" for thing in numeric)
    answered = [ask(cues.reading, equations, one, roles, both or every, asked_first) for one in kept[:MAX_KEPT]]
    for entries in sorted(answered, key=_is_wider_than_long):
        sizes = sorted(decimal_of(one.answer) for one in entries if one.answer is not None)
        if sizes not in seen:
            seen.append(sizes)
            found.append(entries)
    return tuple(dict.fromkeys(entry for entries in found for entry in entries))


def _is_wider_than_long(entries: Sequence[Asked]) -> bool:
    """Return whether the answers for the length and the width of a rectangle are exchanged."""
    sizes = {one.quantity: decimal_of(one.answer) for one in entries if one.answer is not None}
    return any(sizes.get(length, 0) < sizes.get(width, 0) for length, width in (("length", "width"), ("长", "宽")))


class _Choice:
    def __init__(self, kept: list[Assignment]) -> None:
        self.kept = kept
        self.dropped: list[Dropped] = []

    def keep_best(self, reason: str, badness: Callable[[Assignment], float]) -> None:
        """Keep the solutions with the lowest badness, if there is more than one."""
        if len(self.kept) > 1:
            self.keep_lowest(reason, [badness(solution) for solution in self.kept])

    def keep_lowest(self, reason: str, scores: Sequence[float]) -> None:
        """Keep the solutions with the lowest score; the scores are in the order of the solutions."""
        lowest = min(scores)
        pairs = list(zip(self.kept, scores, strict=True))
        self.dropped += [Dropped(solution, reason) for solution, score in pairs if score > lowest]
        self.kept = [solution for solution, score in pairs if score == lowest]


def is_integer(value: Value) -> bool:
    """Tell whether an exact value is a whole number."""
    return isinstance(value, Fraction) and value.denominator == 1


def _size(solution: Assignment) -> float:
    return sum(decimal_of(value) for value in solution.values())


def is_negative(value: Value) -> bool:
    """Tell whether an exact value is below zero."""
    return value < 0 if isinstance(value, Fraction) else decimal_of(value) < 0


def count_negative(differences: Sequence[Operation], solution: Assignment) -> int:
    """Count the differences that come out negative: more is taken away than there is."""
    return sum(value < 0 for value in values_at(differences, [solution]))
