"""Check a corpus: how many of its labels can be parsed and solved, and which do not give the annotated answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

from sau_solver.answering.asked.final_unknown import FIRST
from sau_solver.answering.protocols import is_accepted, is_annotated, same_solutions
from sau_solver.answering.roots import choose
from sau_solver.data.asked_values import gives_what_is_asked
from sau_solver.data.corpus import Corpus
from sau_solver.data.labels import asked_for, statements_of, with_targets
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Statements,
    numbers_of,
    to_text,
    unknowns_of,
)
from sau_solver.equations.parser import parse
from sau_solver.equations.symbols import UNKNOWN_NAMES
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import NotATreeError, SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, Solved, Value, close, decimal_of, solve, solve_statements
from sau_solver.text.numbers import map_text
from sau_solver.text.wording import cues_of

MAX_ROUNDED_DECIMALS = 6
WHOLE_TOLERANCE = 0.02  # relative; 5.8875 truckloads are 6, and 3.2 is not 3
MAX_PERMUTED = 3


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A problem whose labels contradict each other. `kind` is a key of KINDS."""

    id: str
    kind: str
    equations: str
    found: str
    annotated: str


@dataclass(slots=True)
class Check:
    """Counts over one corpus.

    labelled      the problem has equations and a numeric answer
    agreeing      every annotated answer is the value of an unknown in a solution, within 1e-4 relative
    undetermined  agreeing, but there are infinitely many solutions, the annotated one among them
    rounded       the answers agree only after our value is rounded to the decimals of the annotation
    chosen        the answers that we would give for the gold equations are exactly the annotated ones, or exactly what
                  is asked if the problem labels it; this is the upper bound of any model under the protocol `answer`
    """

    name: str
    problems: int = 0
    labelled: int = 0
    parsed: int = 0
    round_tripped: int = 0
    solved: int = 0
    agreeing: int = 0
    undetermined: int = 0
    rounded: int = 0
    chosen: int = 0
    numbers: int = 0
    numbers_found: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def ids_by_kind(self) -> dict[str, list[str]]:
        """Return the ids of the disagreeing problems by kind."""
        kinds: dict[str, list[str]] = {}
        for disagreement in self.disagreements:
            kinds.setdefault(disagreement.kind, []).append(disagreement.id)
        return kinds


def check(corpus: Corpus, on_progress: Callable[[int], None] | None = None) -> Check:
    """Parse, print, solve and compare the labels of every problem of a corpus."""
    result = Check(corpus.name)
    for problem in corpus.problems:
        _check_problem(problem, result)
        if on_progress is not None:
            on_progress(result.problems)
    return result


def _check_problem(problem: Problem, result: Check) -> None:
    result.problems += 1
    if not problem.equations:
        return
    result.labelled += bool(problem.answers)
    try:
        statements = statements_of(problem)
    except SauError as error:
        found = str(error).splitlines()[0]
        result.disagreements.append(_disagreement(problem, "unparsed", found))
        return
    result.parsed += 1
    result.round_tripped += _round_trips(statements.equations)
    in_text = {number.value for number in map_text(problem.text, problem.language).numbers}
    used = numbers_of(statements.equations)
    result.numbers += len(used)
    result.numbers_found += sum(value in in_text for value in used)
    asked = asked_for(problem, statements)
    solved = solve_statements(with_targets(statements, asked))
    result.solved += solved.outcome is Outcome.SOLVED
    if not problem.answers:
        return
    result.chosen += _is_chosen(problem, statements)
    if agrees(problem, solved, close):
        result.agreeing += 1
    elif solved.outcome is Outcome.INFINITE and admits(problem, statements, asked):
        result.agreeing += 1
        result.undetermined += 1
    elif agrees(problem, solved, after_rounding):
        result.rounded += 1
        result.disagreements.append(_disagreement(problem, "rounded", _found(solved)))
    else:
        kind = "other" if solved.outcome is Outcome.SOLVED else str(solved.outcome)
        result.disagreements.append(_disagreement(problem, kind, _found(solved)))


def _is_chosen(problem: Problem, statements: Statements) -> bool:
    """Return whether the answers we would give are the annotated ones, whatever the unknowns are called."""
    equations = statements.equations
    if not statements.conditions and len(unknowns_of(equations)) <= len(UNKNOWN_NAMES):
        equations = rename_unknowns(equations)  # so that the names of unknowns do not influence the choice
    solved = solve_statements(Statements(equations, statements.conditions))
    chosen = choose(solved, equations, cues_of(problem.text, problem.language))
    if problem.asks:  # the answers are exactly what is asked
        return is_accepted(problem, chosen.answers)
    return is_annotated(problem, chosen.values)


def _round_trips(equations: Equations) -> bool:
    """Return whether both the printed text and the tree give back the same equations."""
    if not equations:
        return False
    try:
        numbers = numbers_of(equations)
        return parse(to_text(equations)) == equations == Uet.from_equations(equations, numbers).equations(numbers)
    except NotATreeError:  # a tree cannot contain functions
        return False


def agrees(problem: Problem, solved: Solved, equal: Callable[[Value, Fraction], bool]) -> bool:
    """Return whether every annotated answer, or those of one alternative, is a value of some unknown.

    If the problem labels how its answers follow from the unknowns, they must follow exactly.
    """
    if problem.asks:
        return gives_what_is_asked(problem, solved)
    values = [value for solution in solved.solutions + solved.families for value in solution.values()]
    return any(
        all(any(equal(value, answer) for value in values) for answer in accepted)
        for accepted in (problem.answers, *problem.alternatives)
    )


def tree_agrees(problem: Problem, tree: Uet, numbers: Sequence[Fraction]) -> bool:
    """Return whether a tree over the numbers of a problem's text gives its annotated answers.

    It does if the answers are those we would give, those of one solution, or those of all solutions together: a
    quadratic equation is right even if the text does not say which root it asks for. An answer may be rounded. If the
    problem labels how its answers follow from the unknowns, a tree with the solutions of the gold equations is right.
    """
    equations = tree.equations(numbers)
    solved = solve(equations)
    solutions = [tuple(solution.values()) for solution in solved.solutions]
    together = tuple(dict.fromkeys(value for solution in solutions for value in solution))
    accepted = (problem.answers, *problem.alternatives)
    if any(_same_values(values, annotated) for values in (*solutions, together) for annotated in accepted):
        return True
    if problem.asks and _has_gold_solutions(problem, solved):
        return True
    chosen = choose(solved, equations, cues_of(problem.text, problem.language)).values
    return any(_same_values(chosen, annotated) for annotated in accepted)


def _has_gold_solutions(problem: Problem, solved: Solved) -> bool:
    """Return whether the solutions are those of the gold equations, and these give what is asked.

    A tree for a network that calls an expression x when it is asked for (`asked_expressions`) has one unknown more.
    """
    try:
        gold = solve_statements(statements_of(problem))
    except SauError:
        return False
    if not gives_what_is_asked(problem, gold):
        return False
    others = [{name: value for name, value in own.items() if name != FIRST.name} for own in solved.solutions]
    return same_solutions(solved, gold) or same_solutions(replace(solved, solutions=tuple(others)), gold)


def _same_values(values: Sequence[Value], annotated: Sequence[Fraction]) -> bool:
    """Return whether both have the same values in any order, and at least one."""
    if not values or len(values) != len(annotated):
        return False
    pairs = zip(sorted(values, key=decimal_of), sorted(annotated), strict=True)
    return all(close(value, answer) or after_rounding(value, answer) for value, answer in pairs)


def admits(problem: Problem, statements: Statements, asked: tuple[Expression, ...]) -> bool:
    """Return whether one of infinitely many solutions gives the requested quantities the annotated answers."""
    for accepted in (problem.answers, *problem.alternatives):
        if len(accepted) != len(asked) or len(accepted) > MAX_PERMUTED:
            continue
        for order in permutations(accepted):
            fixed = tuple(Equation(e, Number(value)) for e, value in zip(asked, order, strict=True))
            outcome = solve_statements(Statements(statements.equations + fixed, statements.conditions)).outcome
            if outcome in (Outcome.SOLVED, Outcome.INFINITE):
                return True
    return False


def after_rounding(value: Value, answer: Fraction) -> bool:
    """Return whether a value equals an answer after rounding it, in either direction, to the decimals of the answer.

    Decimals show that an answer may be rounded. A whole number is mostly exact: 5 does not stand for 38/7. It must also
    be within WHOLE_TOLERANCE.
    """
    decimals = next((d for d in range(MAX_ROUNDED_DECIMALS) if (answer * 10**d).denominator == 1), None)
    if decimals is None:
        return False
    difference = abs(decimal_of(value) - decimal_of(answer))
    most = 0.5000001 / 10.0**decimals
    return difference <= (most if decimals else min(most, WHOLE_TOLERANCE * abs(decimal_of(answer))))


def _disagreement(problem: Problem, kind: str, found: str) -> Disagreement:
    annotated = ", ".join(map(str, problem.answers))
    return Disagreement(problem.id, kind, "; ".join(problem.equations), found, annotated)


def _found(solved: Solved) -> str:
    solutions = solved.solutions or solved.families
    shown = " | ".join(", ".join(f"{name}={value}" for name, value in s.items()) for s in solutions)
    return shown or str(solved.reason or "")


# --- The report docs/labels.md ---------------------------------------------------------------------------------------

LISTED = (
    "hmwp", "math23k", "alg514", "draw1k", "mawps", "dolphin1878", "dolphin18k-manual", "cm17k-valid", "ape210k-valid",
)  # fmt: skip

KINDS = {
    "other": "The equations have solutions, but none is the annotated answer. One of the two labels is wrong.",
    "rounded": "The annotated answer is our value, rounded. The relative difference is more than 1e-4.",
    "unparsed": "The equation cannot be parsed.",
    "none": "The equations contradict each other, or have no real solution.",
    "infinite": "The equations do not determine the unknowns, and no solution gives the annotated answer.",
    "partial": "The solver found solutions, but perhaps not all; none is the annotated answer.",
    "too_hard": "The solver found no solution; the label may be right.",
}
MAX_CELL = 60

_HEAD = """# Labels that contradict each other

This page is generated by `make figures` (`sau data check --report docs/labels.md`). Do not edit it.

A problem is listed if the exact solution of its published equations differs from its annotated answer by a relative
error of more than 1e-4. Both values are shown; only the text of the problem tells which label is wrong. The corpora are
not part of this repository. The ids are those of `sau data convert`.

Typical causes:

- **HMWP**: mistakes of the annotators (a rate of 20 % annotated as 20, a second point in time that one equation cannot
  have, a misplaced bracket), and rates rounded as the text asks.
- **MAWPS**: many of these answers are rounded; the other problems have the equation of another problem or a wrong sum.
- **Dolphin**: many problems ask for integers or digits, which the equations alone do not determine, or for rounded
  values.
"""


def label_report(checks: Iterable[Check]) -> str:
    """Return the Markdown page: a section for each corpus, a table for each kind of disagreement."""
    parts = [_HEAD]
    for check in checks:
        if check.name not in LISTED:
            continue
        share = 100 * check.agreeing / max(1, check.problems)
        parts.append(f"## {check.name}\n\n{check.agreeing:,} of {check.problems:,} problems agree ({share:.2f} %).\n")
        for kind, meaning in KINDS.items():
            rows = [d for d in check.disagreements if d.kind == kind]
            if rows:
                lines = [f"| {d.id} | {_cell(d.found)} | {_cell(d.annotated)} |" for d in rows]
                table = "\n".join(["| id | from the equations | annotated |", "|---|---|---|", *lines])
                parts.append(f"**{kind}** ({len(rows)}). {meaning}\n\n{table}\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    plain = text.replace("|", "or").replace("\n", " ")
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"
