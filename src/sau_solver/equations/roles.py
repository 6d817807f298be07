"""Equations -> the part that each unknown plays in them: the numbers that multiply it, what it is subtracted from.

In 2*x+4*y=86 the factors are 2 for x and 4 for y. In equations of one unknown, expressions such as 30-x and x+2 have
parts of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    numbers_of,
    unknowns_of,
    walk,
    walk_equations,
)
from sau_solver.equations.structure import has_unknown, is_definition, simple_expressions

PERCENT = (Fraction(100), Fraction(1, 100))


@dataclass(frozen=True, slots=True)
class Factor:
    """A number that multiplies a quantity in one of the equations."""

    equation: int
    value: Fraction


@dataclass(slots=True)
class Role:
    """The part that an unknown, or a simple expression with one, plays in the equations."""

    factors: Counter[Factor] = field(default_factory=Counter)
    rates: Counter[Factor] = field(default_factory=Counter)  # numbers that multiply it in an equation a*x=b*y
    totals: dict[int, Fraction] = field(default_factory=dict)  # by equation, the number that one side is
    subtracted: bool = False  # it is taken away somewhere
    divides: bool = False  # it stands below a fraction line


@dataclass(frozen=True, slots=True)
class Roles:
    """The unknowns of equations in order, whether they are one definition x=numbers, and the role of each quantity."""

    names: list[str]
    defined: bool
    of: dict[Expression, Role]  # the unknowns come first


def roles_of(equations: Equations, without: Collection[str] = ()) -> Roles:
    """Return the roles of the unknowns; if there is only one, also of the expressions 30-x and 3*x that use it."""
    names = [name for name in unknowns_of(equations) if name not in without]
    if set(names) <= {"x", "y", "z"}:  # as people list them; other names as they come in the equations
        names.sort()
    found: dict[Expression, Role] = {Unknown(name): Role() for name in names}
    defined = is_definition(equations)
    if len(names) == 1 and not defined:
        for node in simple_expressions(equations, Unknown(names[0])):
            found.setdefault(node, Role())
    for place, equation in enumerate(equations):
        if len(names) > 1 and _is_proportion(equation):
            _attach_rates(equation, place, found)
            continue  # it may be 4*x=2*y because there are 4 y for every 2 x
        if len(names) > 1 and not isinstance(equation.left, Unknown) and not isinstance(equation.right, Unknown):
            _attach_summands(equation, place, found)
        for side in (equation.left, equation.right):
            _attach(side, (), place, found, False)
        own = {node for node in walk_equations((equation,)) if isinstance(node, Unknown)}
        if len(own) == 1 < len(names):  # every number of an equation about one unknown belongs to it
            (unknown,) = own
            if unknown in found:
                found[unknown].factors |= Counter(Factor(place, value) for value in set(numbers_of((equation,))))
    totals = {
        place: side.value
        for place, equation in enumerate(equations)
        for side in (equation.left, equation.right)
        if isinstance(side, Number)
    }
    for role in found.values():
        role.totals = totals
    unknowns = [found[Unknown(name)] for name in names]
    _drop_shared(unknowns)
    for place in range(len(equations)):
        _implied_ones(place, unknowns)
    return Roles(names, defined, found)


def _attach(
    node: Expression, factors: tuple[Fraction, ...], place: int, found: dict[Expression, Role], minus: bool
) -> None:
    if node in found and (
        isinstance(node, Unknown) or (factors and isinstance(node, Operation) and node.operator in "+-")
    ):
        found[node].factors |= Counter(Factor(place, value) for value in factors)
        found[node].subtracted |= minus
        return
    if not isinstance(node, Operation):
        return
    if node.operator in "*/":
        left, right = _numbers(node.left), _numbers(node.right, node.operator == "/")
        if right is not None:
            _attach(node.left, factors + right, place, found, minus)
        elif left is not None and node.operator == "*":
            _attach(node.right, factors + left, place, found, minus)
        else:
            _attach(node.left, factors, place, found, minus)
            _attach(node.right, factors, place, found, minus)
        if right is None and node.operator == "/":
            for own in filter(found.__contains__, walk(node.right)):
                found[own].divides = True
    else:
        _attach(node.left, factors, place, found, minus)
        _attach(node.right, factors, place, found, minus != (node.operator == "-"))


def _numbers(node: Expression, divides: bool = False) -> tuple[Fraction, ...] | None:
    """Return the numbers of an expression without unknowns; None if it has one."""
    nodes = list(walk(node))
    if isinstance(node, Number) and node.value == PERCENT[0] and not divides:
        return (node.value,)  # 100 km/h, not percent
    if any(not isinstance(one, Number | Operation) for one in nodes):
        return None
    values = [one.value for one in nodes if isinstance(one, Number)]
    percents = PERCENT if not set(PERCENT) <= set(values) else PERCENT[1:]  # 100*0.01 is 100 %
    written = tuple(value for value in values if value not in percents)
    return written + tuple(  # 2/3 is one number in the text
        one.left.value / one.right.value
        for one in nodes
        if isinstance(one, Operation)
        and one.operator == "/"
        and isinstance(one.left, Number)
        and isinstance(one.right, Number)
        and one.right.value
        and one.right.value not in PERCENT
    )


def _is_proportion(equation: Equation) -> bool:
    """Return whether an equation is a*x=b*y, or y=a*x."""
    sides = (equation.left, equation.right)
    return all(
        isinstance(side, Unknown) or (isinstance(side, Operation) and side.operator in "*/" and has_unknown(side))
        for side in sides
    )


def _attach_rates(equation: Equation, place: int, found: dict[Expression, Role]) -> None:
    for side in (equation.left, equation.right):
        own = [node for node in walk(side) if isinstance(node, Unknown) and node in found]
        bare = isinstance(equation.left, Unknown) or isinstance(equation.right, Unknown)  # y=0.4*x: 0.4 is about y
        if len(own) == 1 and not bare:
            values = _written(side)
            found[own[0]].rates |= Counter(Factor(place, value) for value in values)


def _written(node: Expression) -> list[Fraction]:
    """Return the numbers of an expression as a text has them: 2/3 is one number, and x/4 is a quarter of x."""
    if isinstance(node, Number):
        return [node.value]
    if not isinstance(node, Operation):
        return []
    if node.operator == "/" and isinstance(node.right, Number) and node.right.value:
        if isinstance(node.left, Number):
            return [node.left.value / node.right.value]
        return [*_written(node.left), node.right.value, 1 / node.right.value]
    return _written(node.left) + _written(node.right)


def _attach_summands(equation: Equation, place: int, found: dict[Expression, Role]) -> None:
    """Give an unknown the number added to it as a factor: in x-20=y+12 the text mentions 20 with x and 12 with y."""
    for side in (equation.left, equation.right):
        if isinstance(side, Operation) and side.operator in "+-":
            for one, other in ((side.left, side.right), (side.right, side.left)):
                if isinstance(one, Unknown) and isinstance(other, Number) and one in found:
                    found[one].factors[Factor(place, other.value)] += 1


def _drop_shared(unknowns: list[Role]) -> None:
    """Drop the factors that all unknowns have in the same equation: they do not distinguish the unknowns."""
    if len(unknowns) > 1:
        shared = unknowns[0].factors.copy()
        for one in unknowns[1:]:
            shared &= one.factors
        for one in unknowns:
            one.factors -= shared


def _implied_ones(place: int, unknowns: list[Role]) -> None:
    """Give an unknown without a factor the factor 1 if another one has a factor in the same equation."""
    without = [one for one in unknowns if not any(factor.equation == place for factor in one.factors)]
    if 0 < len(without) < len(unknowns):
        for one in without:
            one.factors[Factor(place, Fraction(1))] += 1
