"""Measure the rules that turn the solutions of gold equations into answers: which root, and what is asked.

    SAU_DATA=... python benchmarks/root_rules.py

The rules were written with HMWP's labels in sight, and CM17K contains problems of HMWP and near copies of them. So
CM17K is divided: the similarity of a text to every text of HMWP (weighted Jaccard of the words, numbers masked, see
`data/prepared/overlap.py`) is below 0.5, or not. A problem is right if the chosen roots are exactly the annotated
answers; "random" is the chance of a root that is drawn. The second table has all problems with gold equations: it is
the share whose answers a reader would accept if the network made no mistake.
"""

from __future__ import annotations

from collections.abc import Iterable

from sau_solver.answering.protocols import is_accepted, is_annotated
from sau_solver.answering.roots import choose
from sau_solver.data import load
from sau_solver.data.labels import statements_of
from sau_solver.data.prepared.overlap import HeldOutTexts
from sau_solver.equations.expressions import Equations
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, Solved, solve_statements
from sau_solver.text.numbers import map_text
from sau_solver.text.wording import cues_of

SEEN, OTHER = "hmwp", "cm17k-valid"
OTHERS = ("school-zh", "school-en", "math23k", "gsm8k", "mawps", "draw1k", "alg514")
FOLD = 1094  # problems of HMWP's fold 0, its first ones
LEAST = 0.5  # the similarity from which a text is a near copy


def main() -> None:
    """Print the accuracy on HMWP, on near copies of it, and on other problems."""
    seen, other = load(SEEN).problems, load(OTHER).problems
    index = HeldOutTexts(((SEEN, map_text(one.text, one.language)) for one in seen), least=LEAST)
    near: list[Problem] = []
    independent: list[Problem] = []
    for one in other:
        copied = index.find(OTHER, map_text(one.text, one.language)) is not None
        (near if copied else independent).append(one)
    print(f"{'':40} {'problems':>8} {'several roots':>13} {'right':>7} {'random':>7}")
    show(SEEN, seen)
    show(f"{OTHER}, similarity >= {LEAST} to {SEEN}", near)
    show(f"{OTHER}, similarity < {LEAST} to {SEEN}", independent)
    print(f"\n{'all gold equations':40} {'problems':>8} {'accepted':>8}")
    show_accepted(f"{SEEN}, fold 0", seen[:FOLD])
    show_accepted(f"{SEEN}, other folds", seen[FOLD:])
    show_accepted(f"{OTHER}, similarity < {LEAST} to {SEEN}", independent)
    for name in OTHERS:
        show_accepted(f"{name}, without test", [one for one in load(name) if one.split not in ("test", "transfer")])


def show_accepted(title: str, problems: Iterable[Problem]) -> None:
    """Print one line: how often a reader would accept the answers that the rules find in the gold solutions."""
    right = []
    for problem in problems:
        if not problem.answers or not problem.equations:
            continue
        try:
            statements = statements_of(problem)
        except SauError:
            continue
        solved = solve_statements(statements)
        if solved.solutions:
            chosen = choose(solved, statements.equations, cues_of(problem.text, problem.language))
            right.append(is_accepted(problem, chosen.answers))
    print(f"{title:40} {len(right):8,} {100 * sum(right) / max(1, len(right)):8.1f}")


def show(title: str, problems: Iterable[Problem]) -> None:
    """Print one line: how often the chosen roots are the annotated ones, and how often a random root would be."""
    count = 0
    right: list[bool] = []
    every: list[float] = []
    for problem in problems:
        count += 1
        gold = several_roots(problem)
        if gold is None:
            continue
        equations, solved = gold
        chosen = choose(solved, equations, cues_of(problem.text, problem.language))
        right.append(is_annotated(problem, chosen.values))
        roots = [is_annotated(problem, tuple(solution.values())) for solution in solved.solutions]
        every.append(sum(roots) / len(roots))
    shares = (f"{100 * sum(each) / max(1, len(each)):.1f}" for each in (right, every))
    print(f"{title:40} {count:8,} {len(right):13,} {next(shares):>7} {next(shares):>7}")


def several_roots(problem: Problem) -> tuple[Equations, Solved] | None:
    """Return the gold equations and their solutions if there are several; None otherwise, or without answers."""
    if not problem.answers or not problem.equations:
        return None
    try:
        statements = statements_of(problem)
    except SauError:
        return None
    solved = solve_statements(statements)
    return (statements.equations, solved) if solved.outcome is Outcome.SOLVED and len(solved.solutions) > 1 else None


if __name__ == "__main__":
    main()
