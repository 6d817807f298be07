"""Systems of equations built around a known solution, linear and not, with independent counts of their solutions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import sympy

from fuzzing.certified import check_solutions
from fuzzing.planted_equations import fraction, random_fraction
from fuzzing.real_counts import TooManyError, count_real
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve

NAMES = "xyzuvw"


def rank(rows: list[list[Fraction]]) -> int:
    """Return the rank of a matrix by elimination."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows[found:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(found, pivot)
        for other in rows[found + 1 :]:
            factor = other[column] / pivot[column]
            other[:] = [a - factor * b for a, b in zip(other, pivot, strict=True)]
        found += 1
    return found


class LinearSystems:
    """Linear systems, also with too few or contradicting equations."""

    name = "linear systems"

    def draw(self, random: Random) -> Spec:
        """Return a matrix, a solution and what is added to the right sides."""
        unknowns = random.randint(1, 5)
        count = max(1, unknowns + random.choice((-1, 0, 0, 0, 1)))
        return {
            "at": [random_fraction(random, 40) for _ in range(unknowns)],
            "rows": [[random.choice((0, 1, random.randint(-9, 9))) for _ in range(unknowns)] for _ in range(count)],
            "below": [random.choice((1, 1, 1, 2, 3, 7)) for _ in range(count)],
            "added": [random.choice((0, 0, 0, 0, 1)) for _ in range(count)],
        }

    def check(self, spec: Spec) -> str:
        """Compare with ranks from an elimination of our own."""
        at = [fraction(one) for one in spec["at"]]
        rows = [[Fraction(c) for c in row] for row in spec["rows"]]
        if not at or not rows or any(len(row) != len(at) for row in rows) or len(spec["added"]) != len(rows):
            raise InvalidSpecError
        right = [
            sum((a * b for a, b in zip(row, at, strict=True)), Fraction(0)) + more
            for row, more in zip(rows, spec["added"], strict=True)
        ]
        used = [name for k, name in enumerate(NAMES[: len(at)]) if any(row[k] for row in rows)]
        if len(used) < len(at) or len(spec["below"]) != len(rows) or 0 in spec["below"]:
            raise InvalidSpecError
        texts = []
        for row, value, below in zip(rows, right, spec["below"], strict=True):
            left = "+".join(f"({c})*{name}" for c, name in zip(row, NAMES, strict=False)) or "0"
            texts.append(f"({left})/{below}={value / below}")
        equations = parse("; ".join(texts))
        solved = solve(equations)
        plain, extended = rank(rows), rank([[*row, value] for row, value in zip(rows, right, strict=True)])
        expected = Outcome.NONE if extended > plain else Outcome.SOLVED if plain == len(at) else Outcome.INFINITE
        require(solved.outcome is expected, f"outcome is {expected}", f"{'; '.join(texts)}: {solved.outcome}")
        if expected is Outcome.SOLVED:
            for equation_text, row, value in zip(texts, rows, right, strict=True):
                found = [solved.solutions[0][name] for name in NAMES[: len(at)]]
                total = sum((a * b for a, b in zip(row, found, strict=True)), Fraction(0))  # type: ignore[operator]
                require(total == value, "solution satisfies its equation", equation_text)
        return f"{expected} {len(at)}"


class PolynomialSystems:
    """Systems of two or three polynomial equations, each of which holds at a planted point."""

    name = "polynomial systems"

    def draw(self, random: Random) -> Spec:
        """Return a point, and polynomials as lists of a coefficient and exponents."""
        unknowns = random.choice((2, 2, 2, 3))
        degree = random.choice((1, 2, 2, 2, 3)) if unknowns == 2 else random.choice((1, 1, 2))

        def polynomial() -> Spec:
            terms = []
            for _ in range(random.randint(1, 4)):
                exponents = [0] * unknowns
                for _ in range(random.randint(1, degree)):
                    exponents[random.randrange(unknowns)] += 1
                terms.append([random.choice((1, 1, -1, random.randint(-6, 6))), exponents])
            return terms

        return {
            "at": [random_fraction(random, 8) for _ in range(unknowns)],
            "equations": [polynomial() for _ in range(unknowns)],
            "divisor": random.randint(-5, 5) if random.random() < 0.15 else None,
        }

    def check(self, spec: Spec) -> str:
        """Check the planted point, all solutions, and their number."""
        at = [fraction(one) for one in spec["at"]]
        texts, polynomials = [], []
        symbols = list(sympy.symbols(list(NAMES[: len(at)])))
        for terms in spec["equations"]:
            value, parts, built = Fraction(0), [], sympy.S.Zero
            for c, exponents in terms:
                if len(exponents) != len(at) or min(exponents) < 0:
                    raise InvalidSpecError
                term = Fraction(c)
                for number, power in zip(at, exponents, strict=True):
                    term *= number**power
                value += term
                parts.append("*".join([f"({c})", *(f"{n}^{p}" for n, p in zip(NAMES, exponents, strict=False) if p)]))
                built += c * sympy.prod(s**p for s, p in zip(symbols, exponents, strict=True))
            texts.append(f"{'+'.join(parts)}={value}")
            polynomials.append(built - sympy.Rational(value.numerator, value.denominator))
        divisor = spec["divisor"]
        if divisor is not None and texts:
            left, _, right = texts[0].partition("=")
            texts[0] = f"({left})/(x-({divisor}))=({right})/(x-({divisor}))"
        text = "; ".join(texts)
        if not texts or not at or any(name not in text for name in NAMES[: len(at)]):
            raise InvalidSpecError
        equations = parse(text)
        solved = solve(equations)
        balls = check_solutions(equations, solved)
        excluded = divisor is not None and at[0] == divisor
        if solved.outcome is Outcome.NONE:
            require(excluded, "planted point", f"{text}: none")
        if solved.outcome is Outcome.SOLVED:
            planted = dict(zip(NAMES, at, strict=False))
            found = any(dict(one) == planted for one in solved.solutions)
            require(
                found != excluded,
                "planted point",
                f"{text}: {[{n: str(v) for n, v in s.items()} for s in solved.solutions]}",
            )
            if divisor is None and len(balls) == len(solved.solutions):
                self._count(text, polynomials, symbols, len(solved.solutions))
        return f"{len(at)} {solved.outcome}"

    @staticmethod
    def _count(text: str, polynomials: list[sympy.Expr], symbols: list[sympy.Symbol], found: int) -> None:
        try:
            count = count_real(polynomials, symbols)
        except TooManyError:
            return
        require(found == count, "number of real solutions", f"{text}: {count}, got {found}")
