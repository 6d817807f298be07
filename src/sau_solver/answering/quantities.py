"""Equations -> the quantities they are about: each unknown, and in equations of one unknown also 30-x or x+2.

With each quantity go the numbers that multiply it: in 2*x+4*y=86 these are 2 for x and 4 for y.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
from sau_solver.solving import Assignment, Value
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate

PERCENT = (Fraction(100), Fraction(1, 100))


@dataclass(frozen=True, slots=True)
class Factor:
    """A number that multiplies a quantity in one of the equations."""

    equation: int
    value: Fraction


@dataclass(slots=True)
class Quantity:
    """An unknown or a simple expression with one, and its value."""

    expression: Expression
    value: Value
    factors: Counter[Factor] = field(default_factory=Counter)
    rates: Counter[Factor] = field(default_factory=Counter)  # numbers that multiply it in an equation a*x=b*y
    totals: dict[int, Fraction] = field(default_factory=dict)  # by equation, the number that one side is
    subtracted: bool = False  # it is taken away somewhere
    divides: bool = False  # it stands below a fraction line

    @property
    def text(self) -> str:
        """The quantity as equations write it."""
        return str(self.expression)


def quantities_of(equations: Equations, solution: Assignment) -> list[Quantity]:
    """Return the unknowns in order; if there is only one, also the expressions such as 30-x and 3*x that use it."""
    names = ordered_unknowns(equations, solution)
    found: dict[Expression, Quantity] = {Unknown(name): Quantity(Unknown(name), solution[name]) for name in names}
    if len(names) == 1 and not is_definition(equations):
        for node in _expressions(equations, Unknown(names[0])):
            value = value_of(node, solution)
            if value is not None:
                found.setdefault(node, Quantity(node, value))
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
            numbers = set(numbers_of((equation,)))
            (unknown,) = own
            if unknown in found:
                found[unknown].factors |= Counter(Factor(place, value) for value in numbers)
    totals = {
        place: side.value
        for place, equation in enumerate(equations)
        for side in (equation.left, equation.right)
        if isinstance(side, Number)
    }
    for quantity in found.values():
        quantity.totals = totals
    _drop_shared([found[Unknown(name)] for name in names])
    for place in range(len(equations)):
        _implied_ones(place, [found[Unknown(name)] for name in names])
    return list(found.values())


def ordered_unknowns(equations: Equations, solution: Assignment) -> list[str]:
    """Return the unknowns as people list them: x, y, z whatever comes first in the equations; other names as there."""
    names = [name for name in unknowns_of(equations) if name in solution]
    return sorted(names) if set(names) <= {"x", "y", "z"} else names


def is_definition(equations: Equations) -> bool:
    """Return whether there is one equation and it sets its unknown equal to plain numbers."""
    if len(equations) != 1:
        return False
    equation = equations[0]
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Unknown) and not any(isinstance(node, Unknown) for node in walk(other)):
            return True
    return False


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


def is_complement(first: Equation, second: Equation) -> bool:
    """Return whether the second unknown is the rest of what the first one is a part of: x=360*7/12, y=360-x."""
    whole = first.right if isinstance(first.left, Unknown) else first.left
    if not isinstance(whole, Operation) or whole.operator not in "*/":
        return False
    rest = second.right if isinstance(second.left, Unknown) else second.left
    if not isinstance(rest, Operation) or rest.operator != "-" or not isinstance(rest.right, Unknown):
        return False
    return rest.left in [*walk(first.left), *walk(first.right)]


def value_of(node: Expression, solution: Assignment) -> Value | None:
    """Return the exact value of an expression, or None if it has none."""
    if isinstance(node, Unknown):
        return solution.get(node.name)
    try:
        return evaluate(node, solution, exact=True)
    except NotEvaluatedError:
        return None


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


def _expressions(equations: Equations, unknown: Unknown) -> Iterator[Expression]:
    for equation in equations:
        for side in (equation.left, equation.right):
            for node in walk(side):
                simple = isinstance(node, Operation) and node.operator in "+-*/" and is_simple(node, unknown)
                if isinstance(node, Operation) and simple and node.left != Number(Fraction(1)):
                    yield node  # but not 1-x, which is what a rate leaves


def _attach(
    node: Expression, factors: tuple[Fraction, ...], place: int, found: dict[Expression, Quantity], minus: bool
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
        return (node.value,)  # 100 km/h, not per cent
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
        isinstance(side, Unknown)
        or (isinstance(side, Operation) and side.operator in "*/" and any(isinstance(n, Unknown) for n in walk(side)))
        for side in sides
    )


def _attach_rates(equation: Equation, place: int, found: dict[Expression, Quantity]) -> None:
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


def _attach_summands(equation: Equation, place: int, found: dict[Expression, Quantity]) -> None:
    """In x-20=y+12 the text mentions 20 with x and 12 with y."""
    for side in (equation.left, equation.right):
        if isinstance(side, Operation) and side.operator in "+-":
            for one, other in ((side.left, side.right), (side.right, side.left)):
                if isinstance(one, Unknown) and isinstance(other, Number) and one in found:
                    found[one].factors[Factor(place, other.value)] += 1


def _drop_shared(unknowns: list[Quantity]) -> None:
    """Drop the factors that all unknowns have in the same equation: they tell none from the others."""
    if len(unknowns) > 1:
        shared = unknowns[0].factors.copy()
        for one in unknowns[1:]:
            shared &= one.factors
        for one in unknowns:
            one.factors -= shared


def _implied_ones(place: int, unknowns: list[Quantity]) -> None:
    """Give an unknown without a factor the factor 1 if another one has a factor in the same equation."""
    without = [one for one in unknowns if not any(factor.equation == place for factor in one.factors)]
    if 0 < len(without) < len(unknowns):
        for one in without:
            one.factors[Factor(place, Fraction(1))] += 1
