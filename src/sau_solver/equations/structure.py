"""What equations look like: definitions, steps that build on each other, simple expressions with an unknown."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    replaced,
    unknowns_of,
    walk,
)


def is_definition(equations: Equations) -> bool:
    """Return whether there is one equation and it sets its unknown equal to plain numbers."""
    if len(equations) != 1:
        return False
    equation = equations[0]
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Unknown) and not has_unknown(other):
            return True
    return False


def has_unknown(expression: Expression) -> bool:
    """Return whether an expression contains an unknown."""
    return any(isinstance(node, Unknown) for node in walk(expression))


def defined_in_turn(equations: Equations) -> list[str]:
    """Return the unknowns in order if each equation adds one to those before, or if the last one defines a new one.

    The last unknown is then what is worked out: 10*x=15; y=25*x.
    """
    used = [set(unknowns_of((equation,))) for equation in equations]
    known: list[str] = []
    for names in used:
        new = names - set(known)
        if len(new) != 1:
            break
        known += new
    else:
        return known if len(used[-1]) > 1 or all(map(_is_calculation, equations)) else []
    *others, last = equations
    before = set().union(*used[:-1])
    defined = [side.name for side in (last.left, last.right) if isinstance(side, Unknown) and side.name not in before]
    return [*sorted(before), *defined] if others and defined and used[-1] - set(defined) <= before else []


def _is_calculation(equation: Equation) -> bool:
    return is_definition((equation,))


def are_cases(equations: Equations) -> bool:
    """Return whether two equations are cases of one unknown: 70*x+50*x=1100-20; 70*y+50*y=1100+20."""
    used = [unknowns_of((equation,)) for equation in equations]
    if len(equations) != 2 or any(len(names) != 1 for names in used) or used[0] == used[1]:
        return False
    if any(map(_is_calculation, equations)):
        return False
    first, (second,) = equations[0], replaced(equations[1:], {Unknown(used[1][0]): Unknown(used[0][0])})
    return first.left == second.left or first.right == second.right


def is_complement(first: Equation, second: Equation) -> bool:
    """Return whether the second unknown is the rest of what the first one is a part of: x=360*7/12, y=360-x."""
    whole = first.right if isinstance(first.left, Unknown) else first.left
    if not isinstance(whole, Operation) or whole.operator not in "*/":
        return False
    rest = second.right if isinstance(second.left, Unknown) else second.left
    if not isinstance(rest, Operation) or rest.operator != "-" or not isinstance(rest.right, Unknown):
        return False
    return rest.left in [*walk(first.left), *walk(first.right)]


def operands(node: Expression, operators: Literal["+-", "*/"]) -> list[tuple[Expression, bool]]:
    """Return the operands of nested sums or products in order, each with whether it is subtracted or divides.

    An expression that is no such operation is its only operand.
    """
    if not isinstance(node, Operation) or node.operator not in operators:
        return [(node, False)]
    turns = node.operator in "-/"
    return [
        *operands(node.left, operators),
        *((operand, inverse != turns) for operand, inverse in operands(node.right, operators)),
    ]


def is_simple(node: Expression, unknown: Unknown) -> bool:
    """Return whether an expression is the unknown, or the unknown and a number: x, 30-x, 3*x."""
    if node == unknown:
        return True
    if not isinstance(node, Operation):
        return False
    pair = (node.left, node.right)
    if (
        unknown not in pair
        or node.left == node.right
        or not all(part == unknown or isinstance(part, Number) for part in pair)
    ):
        return False
    return node.operator in "+-*" or (node.operator == "/" and node.left == unknown)


def simple_expressions(equations: Equations, unknown: Unknown) -> Iterator[Expression]:
    """Yield the expressions of one unknown and a number that the equations contain: 30-x, 3*x."""
    for equation in equations:
        for side in (equation.left, equation.right):
            for node in walk(side):
                simple = isinstance(node, Operation) and node.operator in "+-*/" and is_simple(node, unknown)
                if isinstance(node, Operation) and simple and node.left != Number(Fraction(1)):
                    yield node  # but not 1-x, which is what a rate leaves
