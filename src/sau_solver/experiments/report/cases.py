"""Stored predictions -> Table 5: the equations of each system for the four problems of the paper's case study.

All four are in the first fold of HMWP. An equation is that of the first solved candidate. It has the numbers of the
text if the corpus is available, and their slots otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sau_solver.data import available, load
from sau_solver.data.labels import statements_of
from sau_solver.data.prepared.examples import TextView, mapped
from sau_solver.equations.expressions import Unknown, to_text
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.experiments.judging import Judged
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.accuracy import COMPARABLE, on_corpus
from sau_solver.experiments.report.merging import Experiment
from sau_solver.experiments.report.rendering import MISSING
from sau_solver.experiments.report.table import Cell, Code, Table
from sau_solver.problem import Problem

_FOLD = 0


def case_table(experiments: Mapping[str, Experiment]) -> Table:
    """Return Table 5: for each case the gold equations, then one row per system with our and the paper's equation."""
    here = on_corpus("hmwp", experiments)
    problems = {problem.id: problem for problem in load("hmwp")} if "hmwp" in available() else {}
    predictions = {name: _first_fold(own) for name, own in here.items()}
    rows: list[tuple[Cell, ...]] = []
    for number, case in enumerate(paper.CASES, start=1):
        problem = problems.get(case.id)
        title = f"{number}: {case.title}"
        rows.append(
            (title, "gold", Code(to_text(statements_of(problem).equations)) if problem else None, None, None, None)
        )
        for system in paper.SYSTEMS:
            if "hmwp" in system.experiments:
                judged = predictions.get(system.name, {}).get(case.id)
                numbers = _numbers(problem, here[system.name]) if problem and system.name in here else None
                ours = (MISSING, None) if judged is None else _ours(judged, numbers)
                equation, right = case.equations.get(system.name, (None, None))
                theirs = (Code(equation), _verdict(right)) if equation else (None, None)
                rows.append((title, system.name, *ours, *theirs))
    notes = ["The first candidate of each system, by the protocol reference."]
    if problems:
        notes += [f"Case {k}: {problems[case.id].text}" for k, case in enumerate(paper.CASES, start=1)]
    else:
        notes.append("HMWP is not available: n0, n1 … are the numbers of the text as each system counts them.")
    columns = ("case", "system", "equation", "verdict", "the paper's equation", "its verdict")
    return Table("cases", "Table 5: case study", columns, tuple(rows), tuple(notes))


def with_slots(tree: Uet) -> str:
    """Return the equations of a tree with n0, n1 … for the numbers of the text."""
    symbols = tuple(Unknown(f"n{one.index}") if isinstance(one, Slot) else one for one in tree.symbols)
    return to_text(Uet(symbols).equations())


def filled(tree: Uet, numbers: Sequence[Fraction]) -> str:
    """Return the equations of a tree with the numbers of the text, or with slots if the text has too few."""
    try:
        return to_text(tree.equations(numbers))
    except NotATreeError:
        return with_slots(tree)


def _numbers(problem: Problem, own: Experiment) -> list[Fraction]:
    view: TextView = own.runs[0].config["text"]
    return [number.value for number in mapped(problem, view).numbers]


def _first_fold(own: Experiment) -> dict[str, Judged]:
    wanted = {case.id for case in paper.CASES}
    run = own.run(_FOLD)
    return {one.id: one for one in own.judged(run) if one.id in wanted} if run else {}


def _ours(judged: Judged, numbers: Sequence[Fraction] | None) -> tuple[Cell, Cell]:
    if not judged.candidates:
        return "nothing", _verdict(False)
    tree = judged.candidates[0].tree
    return Code(with_slots(tree) if numbers is None else filled(tree, numbers)), _verdict(judged.right(COMPARABLE))


def _verdict(right: bool | None) -> str | None:
    return None if right is None else "right" if right else "wrong"
