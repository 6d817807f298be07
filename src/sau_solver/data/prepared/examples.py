"""Turn problems into training and test examples: mapped text, gold statements, gold tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.data.labels import published_text, statements_of
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Statements,
    Unknown,
    unknowns_of,
    walk,
)
from sau_solver.equations.normal_form import Level, normal_form
from sau_solver.equations.parser import parse_expression
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import EquationError, NotATreeError, SauError, TooLargeError
from sau_solver.models.base import Example
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, close, solve
from sau_solver.text.numbers import MappedText, map_text

# published: the published words, if there are any, with numbers by the paper's protocol (digits only);
# raw: the text as a user would type it, with our own number mapping and segmentation.
TextView = Literal["published", "raw"]

# Corpora whose equations all have the form `x = arithmetic`. Their trees leave out `x =`, as in the literature.
ARITHMETIC_CORPORA = frozenset(
    {"math23k", "ape210k-valid", "asdiv-a", "mathqa-valid", "mathqa-train", "gsm8k", "gsm8k-zh", "svamp"}
)


_ASKED = "asked"  # the unknown that stands for an expression that is asked for


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared problem.

    `statements` is None if the equations cannot be parsed. `tree` is the tree of the published equations and `learned`
    the tree of the form that models learn; both are None if the equations cannot be written as a tree. Such a problem
    is tested, but not learned.
    """

    problem: Problem
    text: MappedText
    statements: Statements | None
    tree: Uet | None
    learned: Uet | None

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The values of the numbers of the text, in order."""
        return tuple(number.value for number in self.text.numbers)

    @property
    def example(self) -> Example | None:
        """The training example, or None if there is no tree."""
        return None if self.learned is None else Example(self.problem, self.text, self.learned)


# Returns the equations to learn from a problem, its mapped text and its statements, before `normal_form`.
Form = Callable[[Problem, MappedText, Statements], Equations]


def prepare(
    problem: Problem,
    view: TextView,
    drop_unknown: bool = False,
    level: Level = "published",
    form: Form = lambda _problem, _text, statements: statements.equations,
    asked_first: AskedFirst = "",
) -> Prepared:
    """Map the text of a problem and turn its published equations into a tree over the numbers.

    With `asked_first` the learned tree has the name x for the one unknown that is asked for, wherever it stands;
    `expressions` also adds an equation x=y-z if y-z is asked for.
    """
    text = mapped(problem, view)
    try:
        statements = statements_of(problem)
    except (EquationError, TooLargeError):
        return Prepared(problem, text, None, None, None)
    numbers = [number.value for number in text.numbers]
    try:
        tree = Uet.from_equations(rename_unknowns(statements.equations), numbers, drop_unknown)
        equations = form(problem, text, statements)
        if asked_first == "expressions":
            equations = with_asked_expression(problem, equations)
        first = asked_unknown(problem, equations) if asked_first else None
        formed = rename_unknowns(normal_form(equations, numbers, level, first), first)
        learned = Uet.from_equations(formed, numbers, drop_unknown)
    except NotATreeError:
        return Prepared(problem, text, statements, None, None)
    return Prepared(problem, text, statements, tree, learned)


def asked_unknown(problem: Problem, equations: Equations) -> str | None:
    """Return the unknown of the equations that alone is asked for; None if there are several, or if it is not known.

    The equations have the unknowns of the published ones, or those that were requested (`requested_unknowns`). Only
    labels count: `Problem.asks` of School and of the curriculum, and the checked labels of data/reader_labels. The
    rules of `answering` add nothing here. Where they are sure on unlabeled corpora, they find 19 more problems of
    Dolphin, and all 5 that they find in CM17K are wrong: these problems ask for every unknown.
    """
    names = unknowns_of(equations)
    if len(names) < 2:
        return None
    if _ASKED in names:
        return _ASKED
    if problem.asks:
        return _labeled(problem, names)
    if len(problem.asked) != 1:
        return None
    solved = solve(equations)
    if solved.outcome is not Outcome.SOLVED:
        return None
    (value,) = problem.asked
    found = {name for solution in solved.solutions for name in names if close(solution[name], value)}
    return found.pop() if len(found) == 1 else None


def with_asked_expression(problem: Problem, equations: Equations) -> Equations:
    """Add an equation for what is asked, if it is labeled as one expression of unknowns: asked=y-z."""
    names = unknowns_of(equations)
    asked = _labeled_expression(problem, names)
    if asked is None or isinstance(asked, Unknown) or problem.asks[0].rounding:
        return equations
    used = {node.name for node in walk(asked) if isinstance(node, Unknown)}
    return (*equations, Equation(Unknown(_ASKED), asked)) if used and used.issubset(names) else equations


def _labeled(problem: Problem, names: tuple[str, ...]) -> str | None:
    asked = _labeled_expression(problem, names)
    return asked.name if isinstance(asked, Unknown) and asked.name in names else None


def _labeled_expression(problem: Problem, names: tuple[str, ...]) -> Expression | None:
    if len(problem.asks) != 1:
        return None
    try:
        return parse_expression(problem.asks[0].unknown, names)
    except SauError:
        return None


def prepare_all(
    problems: Iterable[Problem],
    corpus: str,
    view: TextView,
    level: Level = "published",
    asked_first: AskedFirst = "",
) -> list[Prepared]:
    """Prepare every problem of a corpus."""
    arithmetic = corpus in ARITHMETIC_CORPORA
    return [prepare(problem, view, arithmetic, level, asked_first=asked_first) for problem in problems]


def examples_of(prepared: Iterable[Prepared]) -> Iterator[Example]:
    """Yield the training examples of the problems that have a tree."""
    return (example for one in prepared if (example := one.example) is not None)


def mapped(problem: Problem, view: TextView) -> MappedText:
    """Map the text of a problem in one of the two views."""
    return published_text(problem) if view == "published" else map_text(problem.text, problem.language)


def first_slots(tree: Uet, numbers: tuple[Fraction, ...]) -> Uet:
    """Replace each slot by the first slot with the same value, so that equivalent trees are equal."""
    firsts: dict[Fraction, Slot] = {}
    for index, value in enumerate(numbers):
        firsts.setdefault(value, Slot(index))
    return Uet(
        tuple(
            firsts[numbers[symbol.index]] if isinstance(symbol, Slot) and symbol.index < len(numbers) else symbol
            for symbol in tree.symbols
        )
    )
