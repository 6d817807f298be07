"""Equations in one unknown built from known roots: polynomials, fractions and square roots.

All real roots are known by Sturm's theorem, so that both wrong and missing ones are found.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from fuzzing.certified import check_sign_changes, check_solutions
from fuzzing.sturm import Coefficients, Roots, product, total, trimmed, value
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, Solved, solve


def fraction(pair: Spec) -> Fraction:
    """Return the fraction of a pair of integers."""
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(n, int) for n in pair) or pair[1] < 1:
        raise InvalidSpecError
    return Fraction(*pair)


def random_fraction(random: Random, size: int = 12) -> Spec:
    """Return a pair of integers for a fraction, mostly a whole number."""
    return [random.randint(-size, size), random.choice((1, 1, 1, 2, 3, 4, 5, 10))]


def polynomial_text(polynomial: Coefficients, name: str = "x") -> str:
    """Return a polynomial as text."""
    terms = []
    for power, c in enumerate(polynomial):
        if c:
            size = f"{abs(c)}" if c.denominator == 1 else f"({abs(c)})"
            letter = "" if power == 0 else f"*{name}" if power == 1 else f"*{name}^{power}"
            terms.append(("-" if c < 0 else "+") + size + letter)
    return "".join(reversed(terms)).removeprefix("+") or "0"


def line_text(root: Fraction, name: str = "x") -> str:
    """Return x minus a number as text."""
    return f"({name}-{root})" if root >= 0 and root.denominator == 1 else f"({name}-({root}))"


def compare(text: str, solved: Solved, allowed: list[bool]) -> None:
    """Check that the outcome has exactly the roots that are allowed."""
    count = sum(allowed)
    if solved.outcome is Outcome.TOO_HARD:
        return
    expected = Outcome.SOLVED if count else Outcome.NONE
    shown = [str(one["x"]) for one in solved.solutions]
    require(solved.outcome is expected, f"outcome is {expected}", f"{text}: {solved.outcome} {shown}")
    require(len(solved.solutions) == count, "number of real roots", f"{text}: {count} roots, got {shown}")
    different = {one["x"] for one in solved.solutions}  # each satisfies the equation, so they are all if so many differ
    require(len(different) == count, "solutions differ", f"{text}: {shown}")


class PlantedPolynomials:
    """Polynomial and rational equations with planted roots, in several shapes."""

    name = "polynomials"

    def draw(self, random: Random) -> Spec:
        """Return roots, quadratic factors, divisors and the shape of the equation."""
        large = 10 ** random.choice((1, 1, 1, 3, 6))
        return {
            "roots": [random_fraction(random, large) for _ in range(random.randint(0, 4))],
            "quadratics": [[random.randint(-9, 9) for _ in range(3)] for _ in range(random.choice((0, 0, 1, 1, 2)))],
            "free": [random.randint(-5, 5) for _ in range(random.choice((0, 0, 0, 3, 5, 6)))],
            "divisors": [random_fraction(random) for _ in range(random.choice((0, 0, 0, 1, 2)))],
            "same": random.random() < 0.3,  # a divisor vanishes at a root
            "moved": [random.randint(-9, 9) for _ in range(random.randint(0, 3))],
            "factored": random.random() < 0.5,
        }

    def check(self, spec: Spec) -> str:
        """Solve and compare with the roots that Sturm's theorem counts."""
        linear = [fraction(one) for one in spec["roots"]]
        factors = [[-root, Fraction(1)] for root in linear]
        factors += [trimmed(map(Fraction, one)) for one in (*spec["quadratics"], spec["free"]) if any(one)]
        divisors = [fraction(one) for one in spec["divisors"]]
        if spec["same"] and linear and divisors:
            divisors[0] = linear[0]
        polynomial = product(*factors)
        moved = trimmed(map(Fraction, spec["moved"]))
        if not factors or len(polynomial) < 2:
            raise InvalidSpecError
        left = polynomial_text(total(polynomial, moved))
        if spec["factored"] and not moved:
            left = "*".join(f"({polynomial_text(one)})" for one in factors)
        below = "".join(f"/{line_text(one)}" for one in divisors)
        text = f"({left}){below}=({polynomial_text(moved)}){below}"
        equations = parse(text)
        solved = solve(equations)
        roots = Roots(polynomial)
        allowed = [all(roots.sign([-one, Fraction(1)], place) for one in divisors) for place in range(len(roots))]
        compare(text, solved, allowed)
        check_solutions(equations, solved)
        return f"{solved.outcome} {min(len(polynomial) - 1, 9)}"


class PlantedRadicals:
    """sqrt(P) = Q, and sums of square roots and absolute values, with a planted root."""

    name = "radicals"

    def draw(self, random: Random) -> Spec:
        """Return the shape, coefficients and a root."""
        return {
            "shape": random.choice(("root", "root", "two", "abs", "cube", "fourth")),
            "at": random_fraction(random),
            "one": [random.randint(-9, 9) for _ in range(random.randint(1, 3))],
            "other": [random.randint(-9, 9) for _ in range(random.randint(1, 2))],
        }

    def check(self, spec: Spec) -> str:
        """Solve and check the planted root, all others, and their number."""
        at = fraction(spec["at"])
        one, other = (trimmed(map(Fraction, spec[key])) for key in ("one", "other"))
        if len(one) < 2:
            raise InvalidSpecError
        first, second = polynomial_text(one), polynomial_text(other)
        planted = [at]
        roots = None
        match spec["shape"]:
            case "root":  # sqrt(P + c) = Q with c so that it holds at the root
                wanted = value(other, at)
                if wanted < 0:
                    planted = []
                under = total(one, [wanted**2 - value(one, at)])
                text = f"sqrt({polynomial_text(under)})={second}"
                squared = total(under, product(other, other) if other else [], -1)
                if len(squared) > 1:
                    roots = Roots(squared)
            case "two":
                c, d = value(one, at), value(other, at)
                text = f"sqrt({first}-({c})+4)+sqrt({second}-({d})+9)=5"
            case "abs":
                text = f"abs({first})+abs({second})={abs(value(one, at)) + abs(value(other, at))}"
            case "cube" | "fourth" as shape:
                degree = 3 if shape == "cube" else 4
                text = f"({first}-({value(one, at)})+16)^(1/{degree})={16 if degree == 3 else 2}"
                text = text.replace("+16)", "+4096)") if degree == 3 else text
            case _:
                raise InvalidSpecError
        equations = parse(text)
        solved = solve(equations)
        if solved.outcome in (Outcome.SOLVED, Outcome.NONE):
            found = [one["x"] for one in solved.solutions]
            require(set(planted) <= set(found), "planted root", f"{text}: {planted}, got {list(map(str, found))}")
            if roots is not None:
                compare(text, solved, [roots.sign(other, place) >= 0 for place in range(len(roots))])
        check_solutions(equations, solved)
        points = [at + Fraction(2 * k + 1, 7) for k in range(-12, 12)]
        check_sign_changes(equations[0], "x", solved, points)
        return f"{spec['shape']} {solved.outcome}"
