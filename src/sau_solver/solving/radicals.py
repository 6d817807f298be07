"""Equations with roots -> polynomial equations: sqrt(x+1) becomes an unknown r with r^2 = x+1 and r >= 0.

The same elimination then solves them exactly, whether the roots are of unknowns or of numbers. abs(x) is sqrt(x^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    unknowns_of,
    walk_equations,
)
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate

MAX_ROOT = 12
MAX_RADICALS = 4


@dataclass(frozen=True, slots=True)
class Radical:
    """An unknown that stands for base^(1/degree)."""

    name: str
    base: Expression
    degree: int

    @property
    def equation(self) -> Equation:
        """The equation name^degree = base."""
        return Equation(Operation("^", Unknown(self.name), Number(Fraction(self.degree))), self.base)


def without_radicals(equations: Equations) -> tuple[Equations, tuple[Radical, ...]]:
    """Return the equations with every root replaced by an unknown, and what the new unknowns stand for."""
    if not any(_may_have_root(node) for node in walk_equations(equations)):
        return equations, ()
    replacer = _Replacer(set(unknowns_of(equations)))
    replaced = tuple(Equation(replacer.replace(e.left), replacer.replace(e.right)) for e in equations)
    radicals = tuple(replacer.radicals.values())
    if not radicals or len(radicals) > MAX_RADICALS:
        return equations, ()
    return replaced + tuple(radical.equation for radical in radicals), radicals


def _may_have_root(node: Expression) -> bool:
    return node.operator == "^" if isinstance(node, Operation) else isinstance(node, Function) and node.name == "abs"


class _Replacer:
    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.radicals: dict[tuple[Expression, int], Radical] = {}

    def replace(self, node: Expression) -> Expression:
        match node:
            case Operation(operator, left, right):
                base, exponent = self.replace(left), _constant(right) if operator == "^" else None
                if exponent is not None and 1 < exponent.denominator <= MAX_ROOT >= abs(exponent.numerator):
                    root = self.radical(base, exponent.denominator)
                    return Operation("^", Unknown(root.name), Number(Fraction(exponent.numerator)))
                return Operation(operator, base, self.replace(right))
            case Function("abs", (argument,)):  # the square root of the square
                square = Operation("^", self.replace(argument), Number(Fraction(2)))
                return Unknown(self.radical(square, 2).name)
            case Function(name, arguments):
                return Function(name, tuple(map(self.replace, arguments)))
        return node

    def radical(self, base: Expression, degree: int) -> Radical:
        if (base, degree) not in self.radicals:
            name = next(f"r{k}" for k in range(1, len(self.taken) + 2) if f"r{k}" not in self.taken)
            self.taken.add(name)
            self.radicals[base, degree] = Radical(name, base, degree)
        return self.radicals[base, degree]


def _constant(node: Expression) -> Fraction | None:
    """Return the value of an exponent without unknowns, or None."""
    try:
        return evaluate(node, {})
    except NotEvaluatedError:
        return None
