"""An equation -> the parts of it that a question may ask for: x and x+2 in x+(x+2)=36, 68*6 in x=500-68*6."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from sau_solver.answering.asked.quantities import value_of
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.structure import has_unknown, is_definition, is_simple, operands
from sau_solver.solving import Assignment, decimal_of

_ENDS = re.compile(
    r"\b(?:smallest|lowest|first)\b.*\b(?:largest|highest|last)\b|最大.*最小|最小.*最大|一头一尾|首尾"
    r"|\blowest and (?:the )?highest\b",
    re.IGNORECASE,
)


def steps_of(equations: Equations, total: bool = False) -> list[Expression]:
    """Return the calculations that the only equation combines last: of x=500-68*6 this is 68*6.

    With `total`, all that is taken away from a number is one step: of x=50-3*5-8 it is 3*5+8.
    """
    if not is_definition(equations):
        return []
    equation = equations[0]
    side = equation.right if isinstance(equation.left, Unknown) else equation.left
    if not isinstance(side, Operation):
        return []
    (whole, _), *taken = operands(side, "+-")
    if total and isinstance(whole, Number) and len(taken) > 1 and all(subtracted for _, subtracted in taken):
        return [reduce(lambda joined, part: Operation("+", joined, part), [part for part, _ in taken])]
    terms = _summands(side) if side.operator in "+-" else [side.left, side.right]
    found: list[Expression] = [node for node in terms if isinstance(node, Operation)]
    ones = [one == Number(Fraction(1)) for node in found for one in walk(node)]
    return [] if any(ones) else found  # 1-0.85 is a share, not an answer


def _summands(node: Expression) -> list[Expression]:
    if isinstance(node, Operation) and node.operator in "+-":
        return [*_summands(node.left), node.right]
    return [node]


def parts_of(equations: Equations, name: str) -> list[Expression]:
    """Return the terms or factors of a sum or product that all contain the only unknown: x, x+2, x+4."""
    unknown = Unknown(name)
    for equation in equations:
        for side in (equation.left, equation.right):
            node = side
            while isinstance(node, Operation) and node.operator == "*" and isinstance(node.left, Number):
                node = node.right  # 2*(x+x+5)
            if isinstance(node, Operation) and node.operator in ("+", "*"):
                terms = _joined(list(map(_base, _flat(node, node.operator, unknown))), node.operator)
                if len(terms) > 1 and len(set(terms)) == len(terms) and all(_is_part(t, unknown) for t in terms):
                    return terms
    return []


def _is_part(term: Expression, unknown: Unknown) -> bool:
    """Return whether a term is simple, or the unknown and a calculation with numbers: 24/2-x."""
    if isinstance(term, Operation) and term.operator in "+-" and unknown in (term.left, term.right):
        return not has_unknown(term.left) or not has_unknown(term.right)
    return is_simple(term, unknown)


def are_exchanged(solutions: Sequence[Assignment], equations: Equations) -> bool:
    """Return whether two solutions are the same two parts in another order: 5 and 7 or 7 and 5 in x*(12-x)=35."""
    if len(solutions) != 2 or any(len(solution) != 1 for solution in solutions):
        return False
    parts = parts_of(equations, next(iter(solutions[0])))
    first, second = ([value_of(part, solution) for part in parts] for solution in solutions)
    return len(parts) == 2 and first == second[::-1] and first != second


def _joined(terms: list[Expression], operator: str) -> list[Expression]:
    """Join the numbers of x+x+1+x+2 with the unknowns before them: x, x+1, x+2."""
    found: list[Expression] = []
    for term in terms:
        if operator == "+" and isinstance(term, Number) and found and isinstance(found[-1], Unknown):
            found[-1] = Operation("+", found[-1], term)
        else:
            found.append(term)
    return found


def _flat(node: Expression, operator: str, unknown: Unknown) -> list[Expression]:
    """Return the operands of nested sums or products; x+2 stays one term if it is on the right or in a product."""
    if not isinstance(node, Operation) or node.operator != operator:
        return [node]
    if isinstance(node.right, Number) and node.left == unknown:
        return [node]
    right = [node.right] if operator == "+" else _flat(node.right, operator, unknown)
    return [*_flat(node.left, operator, unknown), *right]


def _base(node: Expression) -> Expression:
    return node.left if isinstance(node, Operation) and node.operator == "^" else node


def is_sum(node: Expression) -> bool:
    """Return whether an expression adds or subtracts."""
    return isinstance(node, Operation) and node.operator in "+-"


def is_moved(node: Expression) -> bool:
    """Return whether an expression is an unknown, or an unknown and a number: x+2, x-1."""
    return isinstance(node, Unknown) or (
        isinstance(node, Operation)
        and node.operator in "+-"
        and isinstance(node.left, Unknown)
        and isinstance(node.right, Number)
    )


def ends_named(question: str) -> bool:
    """Return whether a question names the smallest and the largest part."""
    return _ENDS.search(question) is not None


def sum_of_parts(
    ordered: Sequence[Expression], question: str, equations: Equations, solution: Assignment
) -> Expression | None:
    """Return the sum of all parts, or of the ends if the question names them; None if an equation gives it."""
    if len(ordered) < 2:
        return None
    ends = len(ordered) > 2 and _ENDS.search(question)
    total = sum((decimal_of(value_of(part, solution) or Fraction(0)) for part in ordered), 0.0)
    sides = [side for equation in equations for side in (equation.left, equation.right)]
    if not ends and any(isinstance(side, Number) and float(side.value) == total for side in sides):
        return None
    first, *others = (ordered[0], ordered[-1]) if ends else ordered
    return reduce(lambda joined, part: Operation("+", joined, part), others, first)
