"""Compare the speed and the solutions of the exact solver with `sympy.solve`, on the gold equations of a corpus.

    SAU_DATA=... python benchmarks/solving.py [--corpus hmwp] [--most N]

Both solve each equation one after the other, so that load on the machine affects both. The time of building SymPy's
equations does not count.
"""

from __future__ import annotations

import argparse
import statistics
import time
from fractions import Fraction
from typing import Any

import sympy

from sau_solver.data import load
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import Equations, Expression, Function, Number, Operation, Unknown, unknowns_of
from sau_solver.errors import SauError
from sau_solver.solving import Outcome, close, decimal_of, solve


def main() -> None:
    """Print percentiles of both solvers, their ratios, and how often the solutions differ."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="hmwp")
    arguments.add_argument("--most", type=int, default=None, help="use about N problems, evenly spread")
    options = arguments.parse_args()
    problems = load(options.corpus).problems
    step = max(1, len(problems) // options.most) if options.most else 1
    ours, theirs, differing = [], [], 0
    for problem in problems[::step]:
        try:
            equations = statements_of(problem).equations
        except SauError:
            continue
        built = build(equations)
        start = time.perf_counter()
        solved = solve(equations)
        middle = time.perf_counter()
        found = sympy_solve(*built)
        end = time.perf_counter()
        ours.append(middle - start)
        theirs.append(end - middle)
        if solved.outcome is Outcome.SOLVED and found is not None:
            mine = sorted(tuple(sorted(decimal_of(v) for v in s.values())) for s in solved.solutions)
            differing += not same(mine, found)
    print(f"{options.corpus}: {len(ours):,} problems, {sum(ours):.2f} s ours, {sum(theirs):.1f} s SymPy")
    print(f"{'percentile':>10} {'ours ms':>9} {'SymPy ms':>9} {'ratio':>8}")
    for percentile in (50, 90, 99, 100):
        one, other = at(ours, percentile), at(theirs, percentile)
        print(f"{percentile:>10} {1e3 * one:9.3f} {1e3 * other:9.2f} {other / one:7.0f}x")
    ratios = [other / one for one, other in zip(ours, theirs, strict=True)]
    print(f"median of the ratios {statistics.median(ratios):.0f}x; smallest {min(ratios):.1f}x")
    print(f"problems whose real solutions differ from SymPy's: {differing}")


def at(times: list[float], percentile: int) -> float:
    """Return a percentile of times."""
    return sorted(times)[min(len(times) - 1, len(times) * percentile // 100)]


def build(equations: Equations) -> tuple[list[Any], list[Any]]:
    """Return the equations and symbols in SymPy's form."""
    symbols = {name: sympy.Symbol(name) for name in unknowns_of(equations)}
    pairs = [(convert(e.left, symbols), convert(e.right, symbols)) for e in equations]
    return [left - right for left, right in pairs], list(symbols.values())


def convert(node: Expression, symbols: dict[str, Any]) -> Any:
    """Return an expression in SymPy's form."""
    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Unknown(name):
            return symbols[name]
        case Function():
            raise SystemExit("This benchmark supports only equations without functions.")
        case Operation(operator, left, right):
            one, other = convert(left, symbols), convert(right, symbols)
            if operator == "+":
                return one + other
            if operator == "-":
                return one - other
            if operator == "*":
                return one * other
            return one / other if operator == "/" else one**other


def sympy_solve(residuals: list[Any], symbols: list[Any]) -> list[tuple[float, ...]] | None:
    """Return the real solutions as floats, or None if SymPy leaves an unknown free."""
    found = sympy.solve(residuals, symbols, dict=True)
    if any(value.free_symbols for solution in found for value in solution.values()):
        return None
    real = [s for s in found if all(abs(sympy.im(v.evalf())) < 1e-9 for v in s.values())]
    return sorted(tuple(sorted(float(sympy.re(v)) for v in s.values())) for s in real)


def same(one: list[tuple[float, ...]], other: list[tuple[float, ...]]) -> bool:
    """Return whether two lists of solutions are equal up to rounding."""
    return len(one) == len(other) and all(
        close_enough(a, b) for row, line in zip(one, other, strict=True) for a, b in zip(row, line, strict=False)
    )


def close_enough(one: float, other: float) -> bool:
    """Return whether two floats are equal up to rounding."""
    return close(Fraction(one), Fraction(other), 1e-9) or abs(one - other) < 1e-9


if __name__ == "__main__":
    main()
