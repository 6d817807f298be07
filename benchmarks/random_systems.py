"""Solve random hostile systems of equations with the exact solver; print the outcomes and the slowest systems.

    python benchmarks/random_systems.py [--seconds 90] [--seed 1]

Systems that need SymPy are given up, so the times are those of the part that runs without a time limit.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse
from sau_solver.errors import SauError
from sau_solver.solving import Reason, solve
from sau_solver.solving.symbolic import SymbolicAnswer, SymbolicWorker

EXPONENTS = ("2", "2", "3", "5", "7", "12", "30", "0.5", "1.5", "2.75", "(1/3)")


class _NoSymbolic(SymbolicWorker):
    """A symbolic worker that gives up at once."""

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        return SymbolicAnswer(None, Reason("rationed"))


def main() -> None:
    """Solve systems until the time is over and print the outcomes."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=90)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    draw = random.Random(options.seed)
    outcomes: Counter[str] = Counter()
    slowest: list[tuple[float, str, str]] = []
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        text = system(draw)
        try:
            equations = parse(text)
        except SauError:
            continue
        start = time.perf_counter()
        solved = solve(equations, worker=_NoSymbolic())
        slowest = sorted([*slowest, (time.perf_counter() - start, str(solved.outcome), text)], reverse=True)[:5]
        outcomes[str(solved.outcome)] += 1
    print(f"{sum(outcomes.values()):,} systems: {dict(outcomes)}")
    for seconds, outcome, text in slowest:
        print(f"{seconds:6.2f} s  {outcome:9} {text[:100]}")


def system(draw: random.Random) -> str:
    """Return a random system with about as many equations as unknowns."""
    count = draw.choice((1, 1, 2, 2, 3, 4, 6, 10))
    names = [f"v{k}" for k in range(count)]
    equations = draw.choice((count, count, count, max(1, count - 1), count + 1))
    return "; ".join(
        f"{expression(draw, draw.randint(1, 4), names)}={expression(draw, draw.randint(0, 3), names)}"
        for _ in range(equations)
    )


def expression(draw: random.Random, depth: int, names: list[str]) -> str:
    """Return a random expression of at most a depth."""
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(names) if draw.random() < 0.6 else number(draw)
    operator = draw.choice("+-*/+-*^")
    if operator == "^":
        return f"({expression(draw, depth - 1, names)})^{draw.choice(EXPONENTS)}"
    return f"({expression(draw, depth - 1, names)}){operator}({expression(draw, depth - 1, names)})"


def number(draw: random.Random) -> str:
    """Return a random number, usually small, sometimes with sixty digits."""
    kind = draw.random()
    if kind < 0.5:
        return str(draw.randint(0, 20))
    if kind < 0.7:
        return str(draw.randint(0, 10 ** draw.randint(1, 12)))
    if kind < 0.9:
        return f"{draw.randint(0, 99)}.{draw.randint(0, 999)}"
    return str(draw.randint(10**50, 10**60))


if __name__ == "__main__":
    main()
