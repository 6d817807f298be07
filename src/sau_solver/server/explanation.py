"""A solution -> the fields that `explain` adds: the tree, the attention of the decoder, MathML, LaTeX, step kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sau_solver.equations.drawing import kind_of, label_of, parents_of
from sau_solver.equations.expressions import Equations, Unknown, unknowns_of
from sau_solver.equations.notation import Fills, latex, mathml
from sau_solver.equations.symbols import Slot, symbol_text
from sau_solver.equations.typesetting import root_mathml, sentence_mathml, value_mathml
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.explaining.steps import Step
from sau_solver.explaining.worked import Worked
from sau_solver.solution import Solution

Object = dict[str, Any]
Weights = Sequence[Sequence[float]]
_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")


def explain_solution(solution: Solution, weights: Weights | None) -> Object:
    """Return the additional fields of a solution; `weights` has a row of word weights for each node of the tree."""
    return _explain(solution, solution.tree) | {
        "attention": None if weights is None else _attention(solution, weights),
        "candidates": [
            stated | _mathematics(candidate.equations, {}) | {"answers_mathml": _values(stated["answers"])}
            for stated, candidate in zip(solution.as_json()["candidates"], solution.candidates, strict=True)
        ],
    }


def explain_template(solution: Solution, tree: Uet) -> Object:
    """Return the fields of a problem that was solved again; the equations are shown even if they have no solution."""
    numbers = [number.value for number in solution.text.numbers]
    return _explain(solution, tree) | {
        "equations": [str(equation) for equation in tree.equations(numbers)],
        "attention": None,
        "confidence": None,
        "candidates": [],
    }


def explain_worked(worked: Worked) -> Object:
    """Return the additional fields of equations that were solved."""
    equations, conditions = worked.statements.equations, worked.statements.conditions
    try:
        tree = tree_object(Uet.from_equations(equations), ())
    except NotATreeError:  # a tree has no functions
        tree = None
    roots = [{name: str(value) for name, value in root.items()} for root in worked.solved.solutions]
    return {
        "tree": tree,
        **_mathematics(equations, {}),
        "conditions_mathml": [mathml(condition) for condition in conditions],
        "roots_mathml": [{name: root_mathml(name, value) for name, value in root.items()} for root in roots],
        **_steps(worked.steps, unknowns_of(equations)),
    }


def _explain(solution: Solution, tree: Uet | None) -> Object:
    numbers = [number.value for number in solution.text.numbers]
    template = () if tree is None else _template(tree)
    fills = {f"N{index}": (index, value) for index, value in enumerate(numbers)}
    return {
        "outcome": outcome_of(solution),
        "tree": None if tree is None else tree_object(tree, numbers),
        "template": [str(equation) for equation in template],
        **_mathematics(template, fills),
        "answers_mathml": _values([str(answer) for answer in solution.answers]),
        "asked_mathml": [_shown(asked["display"], solution.kind) for asked in solution.as_json()["asked"]],
        **_steps(solution.steps, unknowns_of(solution.equations)),
    }


def _shown(display: str, kind: str) -> str:
    """Return what is displayed as MathML. Mathematics may have letters, as in (x-2)(x-3); in words they are words."""
    letters = () if kind == "problem" else tuple(dict.fromkeys(_LETTER.findall(display)))
    return sentence_mathml(display, letters)


def outcome_of(solution: Solution) -> str:
    """Return what solving the best candidate gave, or "unread" if there is no candidate."""
    if solution.outcome is not None:
        return str(solution.outcome)
    if solution.answers:
        return "solved"
    return solution.candidates[0].outcome if solution.candidates else "unread"


def tree_object(tree: Uet, numbers: Sequence[Fraction]) -> Object:
    """Return the nodes in prefix order, each with its parent and children."""
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
    """Return the equations with the unknowns N0, N1 … in place of the numbers of the text."""
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


def _values(answers: Sequence[str]) -> list[str]:
    return [value_mathml(answer) for answer in answers]


def _steps(steps: Sequence[Step], unknowns: Sequence[str]) -> Object:
    return {
        "step_kinds": [step.kind for step in steps],
        "steps_mathml": [step.mathml(unknowns) for step in steps],
    }
