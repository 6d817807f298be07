"""Expressions without unknowns -> whether they have a real value, the value and its sign, compared with intervals."""

from __future__ import annotations

from random import Random

from flint import ctx

from fuzzing.certified import PRECISION, Ball, UnclearError, enclosure
from fuzzing.printed_equations import tree_of
from fuzzing.target import Spec, require
from sau_solver.equations.expressions import Equation, Expression, unknowns_of
from sau_solver.solving.budget import DECISION_SECONDS, limited
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import NoValueError, Real, UndecidedError

_CALLS = ("abs", "ln", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")
_ANGLES = (0, 15, 30, 36, 45, 60, 72, 90, 120, 180, 270, -45)
_WIDER = 2_000  # bits, of which few may be lost if a ball is to prove anything


class ConstantValues:
    """Numbers made of roots, logarithms and circular functions."""

    name = "constants"

    def draw(self, random: Random) -> Spec:
        """Return an expression, and now and then one that is exactly 0 in a hidden way."""
        one = self._tree(random, random.randint(1, 4))
        if random.random() < 0.15:
            return random.choice(
                (
                    ["-", ["+", ["^", ["sin", one], [2, 1]], ["^", ["cos", one], [2, 1]]], [1, 1]],
                    ["-", ["^", ["^", one, [1, 2]], [2, 1]], one],
                    ["-", ["*", one, one], ["^", one, [2, 1]]],
                    ["-", ["sin", ["asin", one]], one],
                )
            )
        return one

    def _tree(self, random: Random, depth: int) -> Spec:
        kind = random.random()
        if depth == 0:
            if kind < 0.1:
                return ["pi"]
            whole = random.choice((random.randint(-9, 20), random.choice(_ANGLES), random.randint(0, 2)))
            return [whole * random.choice((1, 1, 1, 10**20)), random.choice((1, 1, 1, 2, 3, 4, 10, 10**20))]
        if kind < 0.4:
            return [random.choice(_CALLS), self._tree(random, depth - 1)]
        if kind < 0.6:
            power = random.choice(([1, 2], [1, 3], [2, 1], [-1, 1], [1, 4], [3, 2], self._tree(random, 0)))
            return ["^", self._tree(random, depth - 1), power]
        return [
            random.choice("++--*/"),
            self._tree(random, depth - 1),
            self._tree(random, random.randint(0, depth - 1)),
        ]

    def check(self, spec: Spec) -> str:
        """Compare value and sign with balls of our own evaluator."""
        node = tree_of(spec)
        if unknowns_of((Equation(node, node),)):
            return "invalid"
        with ctx.workprec(_WIDER):
            try:
                ball = enclosure(node, {})
            except (UnclearError, OverflowError, ValueError):
                return "invalid"
            finite = ball.is_finite() and (ball == 0 or ball.rel_accuracy_bits() > PRECISION)
        with limited(DECISION_SECONDS):
            try:
                value = exact_value(node, {})
            except NoValueError:
                require(not finite, "what has a value is evaluated", f"{node} = {ball}")
                return "no value"
            except UndecidedError:
                return "undecided"
            return self._compared(node, value, ball if finite else None)

    @staticmethod
    def _compared(node: Expression, value: Real, ball: Ball | None) -> str:
        try:
            sign: int | None = value.sign()
        except UndecidedError:
            sign = None
        if ball is None:
            return "unclear"
        own = value.enclosure(PRECISION)
        require(own.overlaps(ball), "values agree", f"{node}: {own}, {ball}")
        if sign is not None:
            right = {1: not (ball < 0 or ball == 0), -1: not ball > 0, 0: ball.contains(0)}[sign]
            require(right, "signs agree", f"{node}: {sign}, {ball}")
        return f"{'rational' if value.rational is not None else 'irrational'} {sign}"
