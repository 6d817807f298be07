"""Equations with powers, logarithms, circular functions and their inverses, with a planted solution.

The other side is the value at the planted number, as an expression. Every solution must satisfy the equation, the
planted one must be among them if the outcome says that they are all, and so must one for each change of the sign.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import ctx

from fuzzing.certified import (
    PRECISION,
    UnclearError,
    ball_of,
    check_sign_changes,
    check_solutions,
    residual,
    value_ball,
)
from fuzzing.planted_equations import fraction, random_fraction
from fuzzing.printed_equations import tree_of
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.expressions import (
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    replaced,
    unknowns_of,
)
from sau_solver.solving import Outcome, Solved, solve

_ONE_ARGUMENT = ("ln", "exp", "sin", "atan", "abs", "log")
_BASES = (2, 3, 10)


class FunctionEquations:
    """One unknown in powers, logarithms and circular functions."""

    name = "functions"

    def draw(self, random: Random) -> Spec:
        """Return an expression in x as a nested list, and the planted number."""
        at = [random.choice((0, 1, 2, 3, 4, 30, 45, random.randint(-9, 9))), random.choice((1, 1, 1, 1, 2, 3))]
        return {"left": self._expression(random, random.randint(1, 3)), "at": at, "swapped": random.random() < 0.3}

    def _expression(self, random: Random, depth: int) -> Spec:
        kind = random.random()
        if depth == 0:
            a, b = random_fraction(random, 4), random_fraction(random, 9)
            return random.choice(("x", "x", ["+", ["*", a, "x"], b], ["^", "x", [2, 1]]))
        inner = self._expression(random, depth - 1)
        if kind < 0.3:
            return ["^", [random.choice(_BASES), 1], inner]
        if kind < 0.65:
            return [random.choice(_ONE_ARGUMENT), inner]
        sign = random.choice("++-*/")
        other = random.choice((random_fraction(random), "x", self._expression(random, depth - 1)))
        return [sign, inner, other] if random.random() < 0.7 else [sign, other, inner]

    def check(self, spec: Spec) -> str:
        """Solve, and check solutions, the planted one and the changes of the sign."""
        at = fraction(spec["at"])
        left = tree_of(spec["left"])
        if unknowns_of((Equation(left, left),)) != ("x",):
            raise InvalidSpecError
        right = value_at(left, at)
        equation = Equation(right, left) if spec["swapped"] else Equation(left, right)
        with ctx.workprec(PRECISION):
            try:
                defined = residual(equation, {"x": ball_of(at)}).is_finite()
            except UnclearError:
                defined = False
        solved = solve((equation,))
        check_solutions((equation,), solved)
        self._planted(equation, at, solved, defined)
        points = [at + Fraction(2 * k + 1, 3) for k in range(-9, 9)]
        check_sign_changes(equation, "x", solved, points)
        return f"{solved.outcome} {'defined' if defined else 'undefined'}"

    @staticmethod
    def _planted(equation: Equation, at: Fraction, solved: Solved, defined: bool) -> None:
        if not defined or solved.outcome not in (Outcome.SOLVED, Outcome.NONE):
            return
        shown = [str(one["x"]) for one in solved.solutions]
        with ctx.workprec(PRECISION):
            try:
                near = any(value_ball(text).overlaps(ball_of(at)) for text in shown)
            except UnclearError:
                return
        require(near, "planted solution", f"{equation} at {at}: {solved.outcome} {shown}")


def value_at(node: Expression, at: Fraction) -> Expression:
    """Return the expression with a number in place of x; rational operations are carried out."""
    (equation,) = replaced((Equation(node, node),), {Unknown("x"): Number(at)})
    return _folded(equation.left)


def _folded(node: Expression) -> Expression:
    match node:
        case Operation(sign, left, right):
            one, other = _folded(left), _folded(right)
            if isinstance(one, Number) and isinstance(other, Number):
                if sign in "+-*":
                    return Number(
                        {"+": one.value + other.value, "-": one.value - other.value}.get(sign, one.value * other.value)
                    )
                if sign == "/" and other.value:
                    return Number(one.value / other.value)
                if sign == "^" and other.value.denominator == 1 and 0 <= other.value <= 60:
                    return Number(one.value ** int(other.value))
            return Operation(sign, one, other)
        case Function(name, arguments):
            return Function(name, tuple(map(_folded, arguments)))
    return node
