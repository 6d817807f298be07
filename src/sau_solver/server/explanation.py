"""A solution -> what a page shows besides: the tree, where the decoder looked, mathematics, and the kinds of steps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sau_solver.equations.drawing import kind_of, label_of, parents_of
from sau_solver.equations.expressions import Equations, Unknown
from sau_solver.equations.notation import Fills, latex, mathml
from sau_solver.equations.symbols import Slot, symbol_text
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.explaining.step_kinds import step_kind
from sau_solver.explaining.worked import Worked
from sau_solver.problem import Language
from sau_solver.solution import Solution

Object = dict[str, Any]
Weights = Sequence[Sequence[float]]


def explain_solution(solution: Solution, weights: Weights | None) -> Object:
    """The further fields of a solution; `weights` are those of the words, for each node."""
    numbers = [number.value for number in solution.text.numbers]
    template = () if solution.tree is None else _template(solution.tree)
    fills = {f"N{index}": (index, value) for index, value in enumerate(numbers)}
    return {
        "tree": None if solution.tree is None else tree_object(solution.tree, numbers),
        "attention": None if weights is None else _attention(solution, weights),
        "template": [str(equation) for equation in template],
        **_mathematics(template, fills),
        "step_kinds": _kinds(solution.steps, solution.text.language),
    }


def explain_worked(worked: Worked, language: Language) -> Object:
    """The further fields of equations that were solved."""
    equations = worked.statements.equations
    try:
        tree = tree_object(Uet.from_equations(equations), ())
    except NotATreeError:  # functions have no place in a tree
        tree = None
    return {"tree": tree, **_mathematics(equations, {}), "step_kinds": _kinds(worked.steps, language)}


def tree_object(tree: Uet, numbers: Sequence[Fraction]) -> Object:
    """The nodes in prefix order, each with its place in the tree."""
    parents = parents_of(tree)
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent is not None:
            children[parent].append(node)
    nodes = [
        {
            "symbol": symbol_text(symbol),
            "label": label_of(symbol, numbers),
            "kind": kind_of(symbol),
            "number": symbol.index if isinstance(symbol, Slot) else None,
            "parent": parents[node],
            "children": children[node],
        }
        for node, symbol in enumerate(tree.symbols)
    ]
    return {"prefix": str(tree), "nodes": nodes}


def _template(tree: Uet) -> Equations:
    """The equations with an unknown N0, N1 … for each number of the text."""
    return Uet(tuple(Unknown(str(s)) if isinstance(s, Slot) else s for s in tree.symbols)).equations()


def _mathematics(equations: Equations, fills: Fills) -> Object:
    return {
        "mathml": [mathml(equation, fills) for equation in equations],
        "latex": [latex(equation, fills) for equation in equations],
    }


def _attention(solution: Solution, weights: Weights) -> Object:
    text = solution.text
    words = [{"text": text.text[start:end], "start": start, "end": end} for start, end in text.spans]
    return {"words": words, "weights": [[round(weight, 4) for weight in row] for row in weights]}


def _kinds(steps: Sequence[str], language: Language) -> list[str]:
    return [step_kind(step, language) for step in steps]
