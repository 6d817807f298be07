"""Rewrite gold equations so that their unknowns are exactly the quantities that a problem asks for.

The Dolphin corpora ask for expressions (2*k+1 and 2*k+3), or for only some of the unknowns, but every unknown of a tree
is an answer. A requested expression becomes an unknown. An unknown that is not requested is eliminated if an equation
contains it once, or if a requested expression is linear in it: (2*k+1)+(2*k+3)=56 becomes y=x+2; x+y=56.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.data.labels import asked_for
from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Statements,
    Unknown,
    replaced,
    unknowns_of,
    walk,
)
from sau_solver.problem import Problem

# Factors that can be inverted without odd equations; 101*a+10*b of two digits, for example, cannot.
_FACTORS = frozenset(range(1, 11))
_SHIFTS = frozenset(range(11))  # differences between consecutive numbers

_Linear = tuple[Fraction, Fraction]  # factor and summand of factor * unknown + summand


def over_requested_unknowns(problem: Problem, statements: Statements) -> Equations:
    """Return the gold equations over the requested quantities; unchanged if all or no unknowns are declared."""
    equations = statements.equations
    if not problem.unknowns:
        return equations
    asked = asked_for(problem, statements)
    targets = {
        Unknown(f"target{k}"): expression
        for k, expression in enumerate((one for one in asked if not isinstance(one, Unknown)), start=1)
    }
    wanted = {one.name for one in asked if isinstance(one, Unknown)}
    if not targets and wanted.issuperset(unknowns_of(equations)):
        return equations
    equations = replaced(equations, {expression: target for target, expression in targets.items()})
    equations += tuple(Equation(target, expression) for target, expression in targets.items())
    wanted |= {target.name for target in targets}
    for name in unknowns_of(equations):
        if wanted and name not in wanted:
            equations = _without(name, equations)
    return equations


def _without(name: str, equations: Equations) -> Equations:
    """Eliminate an unknown, or return the equations unchanged if there is no simple way."""
    linear = [(place, form) for place, one in enumerate(equations) if (form := _defines_by(name, one))]
    if linear and len({equations[place].left for place, _ in linear}) == len(linear):
        return _by_first_target(name, equations, linear)
    for place, equation in enumerate(equations):
        if len(equations) > 1 and (value := _isolated(name, equation)) is not None:
            others = equations[:place] + equations[place + 1 :]
            return replaced(others, {Unknown(name): value})
    return equations


def _defines_by(name: str, equation: Equation) -> _Linear | None:
    """Return the factor and the summand of `target = factor * unknown + summand`."""
    if isinstance(equation.left, Unknown) and equation.left.name.startswith("target"):
        form = _linear(name, equation.right)
        return form if form and form[0] in _FACTORS else None
    return None


def _by_first_target(name: str, equations: Equations, linear: Sequence[tuple[int, _Linear]]) -> Equations:
    """Replace an unknown by the first requested expression that is linear in it."""
    (first, (factor, added)), *others = linear
    base = equations[first].left
    rewritten = dict(enumerate(equations))
    del rewritten[first]
    for place, (own_factor, own_added) in others:
        ratio = own_factor / factor
        rewritten[place] = Equation(equations[place].left, _written(base, ratio, own_added - ratio * added))
    rest = tuple(rewritten.values())
    shifted = {  # if the first is 2*k+1, then 2*k+3 is two more than it
        node: _written(base, Fraction(1), form[1] - added)
        for equation in rest
        for side in (equation.left, equation.right)
        for node in walk(side)
        if (form := _linear(name, node)) and form[0] == factor and abs(form[1] - added) in _SHIFTS
    }
    return replaced(rest, {**shifted, Unknown(name): _written(base, 1 / factor, -added / factor)})


def _written(base: Expression, factor: Fraction, added: Fraction) -> Expression:
    """Return factor * base + added, written as a person would write it."""
    product = base if factor == 1 else Operation("*", Number(factor), base)
    if factor.numerator == 1 < factor.denominator:
        product = Operation("/", base, Number(Fraction(factor.denominator)))
    if added == 0:
        return product
    return Operation("+" if added > 0 else "-", product, Number(abs(added)))


def _linear(name: str, node: Expression) -> _Linear | None:
    """Return factor and summand of an expression, or None if it is not linear in this unknown alone."""
    match node:
        case Number(value):
            return Fraction(0), value
        case Unknown(other):
            return (Fraction(1), Fraction(0)) if other == name else None
        case Operation(operator, left, right):
            one, two = _linear(name, left), _linear(name, right)
            if one is None or two is None:
                return None
            if operator in "+-":
                sign = 1 if operator == "+" else -1
                return one[0] + sign * two[0], one[1] + sign * two[1]
            if operator == "*" and not (one[0] and two[0]):
                return one[0] * two[1] + two[0] * one[1], one[1] * two[1]
            if operator == "/" and not two[0] and two[1]:
                return one[0] / two[1], one[1] / two[1]
    return None


def _isolated(name: str, equation: Equation) -> Expression | None:
    """Solve an equation for an unknown that it contains once, outside powers and functions; otherwise return None."""
    unknown = Unknown(name)
    if [node for side in (equation.left, equation.right) for node in walk(side)].count(unknown) != 1:
        return None
    side, other = equation.left, equation.right
    if unknown not in walk(side):
        side, other = other, side
    while side != unknown:
        if not isinstance(side, Operation) or side.operator == "^":
            return None
        inside = side.left if unknown in walk(side.left) else side.right
        other = _undone(side, inside is side.left, other)
        side = inside
    return other


def _undone(node: Operation, in_left: bool, value: Expression) -> Expression:
    """Return one operand of an operation, given its value and the other operand."""
    operand = node.right if in_left else node.left
    match node.operator:
        case "+":
            return Operation("-", value, operand)
        case "-":
            return Operation("+", value, operand) if in_left else Operation("-", operand, value)
        case "*":
            return Operation("/", value, operand)
        case _:
            return Operation("*", value, operand) if in_left else Operation("/", operand, value)
