"""Equations that are small as text and large as numbers: towers of powers, long products and sums, primes, factorials.

They must be answered or refused within the limits of time and memory, with valid JSON, steps included.
"""

from __future__ import annotations

import json
from random import Random

from fuzzing.certified import check_solutions
from fuzzing.target import Spec, require
from sau_solver.errors import SauError
from sau_solver.explaining.worked import work

_CALLS = ("sqrt", "ln", "exp", "sin", "tan", "atan", "asin", "abs", "floor", "factorial", "log", "round")
_JOINTS = ("+", "-", "*", "/", "^")


class LargeEquations:
    """Texts from a grammar of large numbers."""

    name = "large equations"

    def draw(self, random: Random) -> Spec:
        """Return a text."""
        shape = random.randrange(8)
        number = self._number
        if shape == 0:
            text = self._repeated(random, "*", lambda k: f"(x+{number(random)})") + "=0"
        elif shape == 1:
            text = "x=" + self._repeated(random, "+", lambda k: f"1/({number(random)}+{k})")
        elif shape == 2:
            added, asked = random.choice(("-1", "+1", "")), random.choice(("prime", "odd", "integer"))
            text = f"x={number(random)}*{number(random)}{added}; is_{asked}(x)"
        elif shape == 3:
            middle = random.choice(("=", "+x=", "-x^2=", "+x^3*3="))
            text = f"x^{int(10 ** random.uniform(0.3, 3.5))}{middle}{number(random)}"
        elif shape == 4:
            text = "; ".join(self._row(random, "xyzuvw"[: random.randint(2, 6)]) for _ in range(random.randint(2, 6)))
        elif shape == 5:
            text = f"x={self._nested(random, random.randint(1, 12))}"
        elif shape == 6:
            text = f"{self._nested(random, random.randint(1, 5), 'x')}={number(random)}"
        else:
            text = "=".join(self._sum(random) for _ in range(2))
        return text[:20_000]

    @staticmethod
    def _number(random: Random, most: int = 5_000) -> str:
        kind = random.random()
        if kind < 0.4:
            return str(random.randrange(10 ** random.randint(1, 6)))
        if kind < 0.6:
            return str(random.randrange(10 ** random.randint(1, min(most, 190))))
        if kind < 0.7:
            return f"(1/{random.randrange(1, 10 ** random.randint(1, 40))})"
        return f"{random.choice((2, 3, 7, 10, 0.5, 1.001))}^{int(10 ** random.uniform(0, 3.7 if most > 1_000 else 2))}"

    def _row(self, random: Random, names: str) -> str:
        powers = ("", "", "^2", "^3", f"*{names[0]}")
        left = "+".join(f"{self._number(random, 60)}*{name}{random.choice(powers)}" for name in names)
        return f"{left}={self._number(random, 60)}"

    @staticmethod
    def _repeated(random: Random, joint: str, part: object) -> str:
        assert callable(part)
        return joint.join(part(k) for k in range(int(10 ** random.uniform(0, 2.9))))

    def _nested(self, random: Random, depth: int, leaf: str = "") -> str:
        text = leaf or self._number(random, 100)
        for _ in range(depth):
            if random.random() < 0.5:
                text = f"{random.choice(_CALLS)}({text})"
            else:
                sides = [text, self._number(random, 300)]
                random.shuffle(sides)
                text = f"({sides[0]}){random.choice(_JOINTS)}({sides[1]})"
        return text

    def _sum(self, random: Random) -> str:
        powers = [random.randrange(int(10 ** random.uniform(0.5, 3))) for _ in range(random.randint(1, 30))]
        return random.choice("+-").join(f"{self._number(random, 200)}*x^{power}" for power in powers)

    def check(self, spec: Spec) -> str:
        """Solve, explain and print."""
        try:
            worked = work(spec)
        except SauError as error:
            require(str(error), "errors have a message", spec)
            return type(error).__name__
        json.dumps(worked.as_json(), allow_nan=False)
        if len(worked.solved.solutions) <= 3 and not worked.statements.conditions and len(spec) < 300:
            check_solutions(worked.statements.equations, worked.solved)
        return f"{worked.solved.outcome} {worked.solved.reason.code if worked.solved.reason else ''}"
