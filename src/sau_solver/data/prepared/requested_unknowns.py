"""Equations and what a corpus asks for -> equations whose unknowns are exactly what is asked for.

The Dolphin corpora ask for expressions (2*k+1 and 2*k+3 of k) and for some of the unknowns only, while every unknown of
a tree is an answer. An expression asked for becomes an unknown; an unknown that is not asked for is eliminated where an
equation holds it once, or where what is asked for is linear in it: (2*k+1)+(2*k+3)=56 turns into y=x+2; x+y=56.
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

# Factors whose inverse leaves equations that a person might write; 101*a+10*b of two digits has no such.
_FACTORS = frozenset(range(1, 11))
_SHIFTS = frozenset(range(11))  # between numbers that follow each other

_Linear = tuple[Fraction, Fraction]  # the factor of an unknown, and what is added


def over_requested_unknowns(problem: Problem, statements: Statements) -> Equations:
    """The gold equations over what is asked for; as published where that is every unknown, or nobody declares it."""
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
    """The equations with an unknown eliminated, or as they are where no simple way is found."""
    linear = [(place, form) for place, one in enumerate(equations) if (form := _defines_by(name, one))]
    if linear and len({equations[place].left for place, _ in linear}) == len(linear):
        return _by_first_target(name, equations, linear)
    for place, equation in enumerate(equations):
        if len(equations) > 1 and (value := _isolated(name, equation)) is not None:
            others = equations[:place] + equations[place + 1 :]
            return replaced(others, {Unknown(name): value})
    return equations


def _defines_by(name: str, equation: Equation) -> _Linear | None:
    """The factor and the sum of `target = factor * unknown + sum`."""
    if isinstance(equation.left, Unknown) and equation.left.name.startswith("target"):
        form = _linear(name, equation.right)
        return form if form and form[0] in _FACTORS else None
    return None


def _by_first_target(name: str, equations: Equations, linear: Sequence[tuple[int, _Linear]]) -> Equations:
    """Write what is asked for, and all else, with the first expression asked for in place of the unknown."""
    (first, (factor, added)), *others = linear
    base = equations[first].left
    rewritten = dict(enumerate(equations))
    del rewritten[first]
    for place, (own_factor, own_added) in others:
        ratio = own_factor / factor
        rewritten[place] = Equation(equations[place].left, _written(base, ratio, own_added - ratio * added))
    rest = tuple(rewritten.values())
    shifted = {  # 2*k+3 is the first two more where that is 2*k+1
        node: _written(base, Fraction(1), form[1] - added)
        for equation in rest
        for side in (equation.left, equation.right)
        for node in walk(side)
        if (form := _linear(name, node)) and form[0] == factor and abs(form[1] - added) in _SHIFTS
    }
    return replaced(rest, {**shifted, Unknown(name): _written(base, 1 / factor, -added / factor)})


def _written(base: Expression, factor: Fraction, added: Fraction) -> Expression:
    """factor * base + added, in the way that a person writes it."""
    product = base if factor == 1 else Operation("*", Number(factor), base)
    if factor.numerator == 1 < factor.denominator:
        product = Operation("/", base, Number(Fraction(factor.denominator)))
    if added == 0:
        return product
    return Operation("+" if added > 0 else "-", product, Number(abs(added)))


def _linear(name: str, node: Expression) -> _Linear | None:
    """An expression as factor * unknown + sum, or None where it is not linear in this unknown alone."""
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
    """What an unknown equals by an equation that holds it once, outside powers and functions."""
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
    """The value of one operand of an operation that has a given value."""
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
