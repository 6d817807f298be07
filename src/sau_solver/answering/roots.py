"""Solutions -> the answers asked for.

A root is dropped where it makes a quantity impossible: a negative value, a negative difference inside the equations
(more taken away than there is), a bound of the text that is passed, a fraction where things are counted. After that the
words of the question decide: the longer side, the smaller number, the unknown it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk, walk_equations
from sau_solver.problem import Language
from sau_solver.solving import Assignment, Solved, Value, decimal_of
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.text.questions import questions_of
from sau_solver.text.wording import WORDINGS, Wording


@dataclass(frozen=True, slots=True)
class Dropped:
    """A solution that was not chosen, and why: negative, impossible, trivial, bounded, fractional or unwanted."""

    solution: Assignment
    reason: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answers, the solutions they come from, and the solutions dropped on the way."""

    answers: tuple[Value, ...]
    kept: tuple[Assignment, ...]
    dropped: tuple[Dropped, ...] = ()


def choose(solved: Solved, equations: Equations, text: str = "", language: Language = "zh") -> Chosen:
    """The answers that a person who reads the text would give."""
    words = WORDINGS[language]
    question = questions_of(text, language).last_clause
    choice = _Choice(list(solved.solutions or solved.families))
    if not words.may_be_negative(text):
        choice.keep_best("negative", lambda s: sum(decimal_of(value) < 0 for value in s.values()))
        choice.keep_best("impossible", lambda s: negative_differences(equations, s))
        choice.keep_best("trivial", lambda s: sum(value == 0 for value in s.values()))
    if len(choice.kept) > 1:
        choice.keep_lowest("bounded", _bound_violations(choice.kept, equations, text, words))
    if words.counted.search(text):
        choice.keep_best("fractional", lambda s: sum(not _is_integer(value) for value in s.values()))
    if len(choice.kept) == 2 and words.larger.search(question) and not words.smaller.search(question):
        choice.keep_best("unwanted", lambda s: -_size(s))
    elif len(choice.kept) == 2 and words.smaller.search(question):
        choice.keep_best("unwanted", _size)
    elif len(choice.kept) == 2 and words.generous.search(text):
        sign = -1 if words.reduction.search(question) else 1
        choice.keep_best("unwanted", lambda s: sign * _size(s))
    kept = tuple(choice.kept)
    values = [value for solution in kept for value in _asked(solution, question).values()]
    answers = tuple(values) if len(kept) == 1 else tuple(dict.fromkeys(values))
    return Chosen(answers, kept, tuple(choice.dropped))


class _Choice:
    """The solutions still in play."""

    def __init__(self, kept: list[Assignment]) -> None:
        self.kept = kept
        self.dropped: list[Dropped] = []

    def keep_best(self, reason: str, badness: Callable[[Assignment], float]) -> None:
        """Keep the solutions of least badness; with one left there is nothing to choose."""
        if len(self.kept) > 1:
            self.keep_lowest(reason, [badness(solution) for solution in self.kept])

    def keep_lowest(self, reason: str, scores: Sequence[float]) -> None:
        """Keep the solutions whose score, given in their order, is the lowest."""
        lowest = min(scores)
        pairs = list(zip(self.kept, scores, strict=True))
        self.dropped += [Dropped(solution, reason) for solution, score in pairs if score > lowest]
        self.kept = [solution for solution, score in pairs if score == lowest]


def _asked(solution: Assignment, question: str) -> Assignment:
    """The unknowns that the question names, where they have names; else all of them."""
    words = set(re.findall(r"\w+", question.lower()))
    named = {name: value for name, value in solution.items() if len(name) > 1 and _stem(name) & words}
    return named or solution


def _stem(name: str) -> set[str]:
    """The words that a name such as `adult_tickets` may stand for in a question."""
    parts = name.lower().split("_")
    return {name.lower(), parts[0], parts[0].removesuffix("s"), parts[0] + "s"}


def _is_integer(value: Value) -> bool:
    return isinstance(value, Fraction) and value.denominator == 1


def _size(solution: Assignment) -> float:
    return sum(decimal_of(value) for value in solution.values())


def negative_differences(equations: Equations, solution: Assignment) -> int:
    """How many differences in the equations come out negative: more was taken away than there is."""
    differences = (
        node
        for node in walk_equations(equations)
        if isinstance(node, Operation) and node.operator == "-" and node.left != Number(Fraction(0))
    )
    return sum(value < 0 for value in _values(differences, solution))


def _values(nodes: Iterable[Expression], solution: Assignment) -> list[Fraction]:
    values = []
    for node in nodes:
        try:
            values.append(evaluate(node, solution))
        except NotEvaluatedError:
            values.append(Fraction(0))
    return values


def _bound_violations(solutions: list[Assignment], equations: Equations, text: str, words: Wording) -> list[int]:
    """How often each solution passes a bound of the text that another solution keeps.

    A bound speaks of some quantity of the equations: an unknown, or a sum or difference that holds one. Only a quantity
    that keeps the bound in one solution and breaks it in another tells them apart.
    """
    quantities = {
        node
        for node in walk_equations(equations)
        if isinstance(node, Unknown)
        or (isinstance(node, Operation) and node.operator in "+-" and any(isinstance(n, Unknown) for n in walk(node)))
    }
    table = [_values(quantities, solution) for solution in solutions]
    numbers = {node.value for node in walk_equations(equations) if isinstance(node, Number)}
    violations = [0] * len(solutions)
    for upper, pattern in ((True, words.at_most), (False, words.at_least)):
        for match in pattern.finditer(text):
            limit = Fraction(match["number"])
            limits = {number * limit / 100 for number in numbers} if match["percent"] else {limit}
            for bound in limits:
                for column in zip(*table, strict=True):
                    broken = [value > bound if upper else value < bound for value in column]
                    if any(broken) and not all(broken):
                        violations = [count + bad for count, bad in zip(violations, broken, strict=True)]
    return violations
