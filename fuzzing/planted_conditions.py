"""Equations with planted roots under conditions whose truth is known at each root."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

from fuzzing.planted_equations import fraction, line_text, random_fraction
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.parser import parse_statements
from sau_solver.solving import Outcome, solve_statements

_KINDS = (
    "compare", "compare", "square", "absolute", "floor", "integer", "digit", "odd", "even", "prime", "mod",
    "sqrt", "near", "sum",
    "between",
)  # fmt: skip
_SIGNS = ("<", "<=", ">", ">=", "!=")


class Root2:
    """The exact number rational + factor * sqrt(radicand), with comparisons in integers."""

    def __init__(self, rational: Fraction, factor: int = 0, radicand: int = 2) -> None:
        self.rational, self.factor, self.radicand = rational, factor, radicand

    def compared(self, other: Fraction) -> int:
        """Return the sign of the difference to a rational number."""
        rest, signed = other - self.rational, self.factor**2 * self.radicand * (1 if self.factor >= 0 else -1)
        square = rest * rest * (1 if rest >= 0 else -1)
        return (signed > square) - (signed < square)

    def squared(self) -> Root2:
        """Return the square."""
        double = 2 * self.rational * self.factor
        scale = double.denominator
        found = Root2(self.rational**2 + self.factor**2 * self.radicand, 0, self.radicand)
        return found if not double else Root2(found.rational, int(double * scale), self.radicand).over(scale)

    def over(self, scale: int) -> Root2:
        """Return the number whose irrational part is divided by a whole number."""
        return self if scale == 1 else _Scaled(self, scale)

    def whole(self) -> int | None:
        """Return the number if it is whole."""
        return None if self.factor or self.rational.denominator > 1 else int(self.rational)

    def floor(self) -> int:
        """Return the largest whole number that is not above it."""
        near = math.floor(float(self.rational) + self.factor * math.sqrt(self.radicand)) + 2
        while self.compared(Fraction(near)) < 0:
            near -= 1
        return near


class _Scaled(Root2):
    def __init__(self, number: Root2, scale: int) -> None:
        super().__init__(number.rational, number.factor, number.radicand)
        self.scale = scale

    def compared(self, other: Fraction) -> int:
        return Root2(self.rational * self.scale, self.factor, self.radicand).compared(other * self.scale)


class PlantedConditions:
    """Rational roots and square roots under conditions of all kinds."""

    name = "conditions"

    def draw(self, random: Random) -> Spec:
        """Return roots, a radicand and conditions as a kind, a sign and a number."""
        large = 10 ** random.choice((1, 1, 1, 4, 12))
        return {
            "roots": [random_fraction(random, large) for _ in range(random.randint(1, 3))],
            "surd": [random.randint(-9, 9), random.randint(1, 9), random.choice((2, 3, 5, 6, 7, 10, 101))]
            if random.random() < 0.5
            else None,
            "conditions": [
                [random.choice(_KINDS), random.choice(_SIGNS), random_fraction(random, large), random.randint(1, 30)]
                for _ in range(random.randint(1, 3))
            ],
        }

    def check(self, spec: Spec) -> str:
        """Compare the solutions that are kept with the roots at which every condition is true."""
        factors = [line_text(fraction(one)) for one in spec["roots"]]
        roots = [Root2(one) for one in dict.fromkeys(fraction(one) for one in spec["roots"])]
        if spec["surd"] is not None:
            rational, factor, radicand = spec["surd"]
            if math.isqrt(max(radicand, 0)) ** 2 == radicand or radicand < 2 or factor < 1:
                raise InvalidSpecError
            factors.append(f"(x^2-({2 * rational})*x+({rational**2 - factor**2 * radicand}))")
            roots += [Root2(Fraction(rational), sign * factor, radicand) for sign in (1, -1)]
        if not factors or not spec["conditions"]:
            raise InvalidSpecError
        conditions = [stated(kind, sign, at, size, roots) for kind, sign, at, size in spec["conditions"]]
        text = f"{'*'.join(factors)}=0; {'; '.join(condition for condition, _ in conditions)}"
        solved = solve_statements(parse_statements(text))
        kinds = "/".join(sorted({one[0] for one in spec["conditions"]}))
        shown = [str(one["x"]) for one in solved.solutions]
        if solved.outcome is Outcome.TOO_HARD:
            return f"{kinds} too_hard"
        kept = [k for k in range(len(roots)) if all(truths[k] for _, truths in conditions)]
        detail = f"{text}: {solved.outcome} {shown}"
        require(len(solved.solutions) == len(kept), f"roots under {kinds}", detail)
        for k in kept:
            root = roots[k]
            found = any(
                abs(float(one["x"]) - float(root.rational) - root.factor * math.sqrt(root.radicand))
                <= 1e-9 * (abs(root.rational) + abs(root.factor) * root.radicand + 1)
                for one in solved.solutions
            )
            require(found, f"roots under {kinds}", detail)
        require(solved.outcome is (Outcome.SOLVED if kept else Outcome.NONE), f"outcome under {kinds}", detail)
        return f"{kinds if '/' not in kinds else 'several'} {solved.outcome}"


def stated(kind: str, sign: str, number: Spec, size: int, roots: list[Root2]) -> tuple[str, list[bool]]:
    """Return a condition as text, and whether it is true at each root."""
    at = fraction(number)
    if size < 1 or sign not in _SIGNS:
        raise InvalidSpecError

    def holds(difference: int) -> bool:
        return {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}.get(
            sign, difference != 0
        )

    match kind:
        case "compare":
            return f"x{sign}{at}", [holds(root.compared(at)) for root in roots]
        case "near":  # closer to the first root than floats can tell
            near = roots[0].rational + Fraction(roots[0].factor * math.isqrt(roots[0].radicand * 10**60), 10**30)
            near += Fraction(size - 15, 10**28)
            return f"x{sign}({near})", [holds(root.compared(near)) for root in roots]
        case "square":
            own = roots[size % len(roots)].squared()
            at = own.rational if size % 2 else at
            return f"x*x{sign}{at}", [holds(root.squared().compared(at)) for root in roots]
        case "absolute":
            return f"abs(x){sign}{at}", [
                holds(max(root.compared(at), Root2(-root.rational, -root.factor, root.radicand).compared(at)))
                for root in roots
            ]
        case "between":
            return f"{at}<x<={at + size}", [root.compared(at) > 0 and root.compared(at + size) <= 0 for root in roots]
        case "floor":
            return f"floor(x){sign}{at}", [holds((root.floor() > at) - (root.floor() < at)) for root in roots]
        case "sqrt":  # sqrt(x) is defined from 0 on
            least = [root.compared(Fraction(0)) >= 0 for root in roots]
            side = [1 if at < 0 else root.compared(at * at) for root in roots]
            return f"sqrt(x){sign}{at}", [defined and holds(one) for defined, one in zip(least, side, strict=True)]
        case "sum":
            return f"x+x-3{sign}2*x-4", [holds(1) for _ in roots]
        case "mod":
            return f"x%{size}={size // 2}", [not root.factor and root.rational % size == size // 2 for root in roots]
        case "integer":
            return "is_integer(x)", [root.whole() is not None for root in roots]
        case "digit":
            return "is_digit(x)", [(n := root.whole()) is not None and 0 <= n <= 9 for root in roots]
        case "odd" | "even":
            return f"is_{kind}(x)", [(n := root.whole()) is not None and n % 2 == (kind == "odd") for root in roots]
        case "prime":
            return "is_prime(x)", [(n := root.whole()) is not None and _is_prime(n) for root in roots]
    raise InvalidSpecError


def _is_prime(number: int) -> bool:
    """Return whether a number is prime, by the test of Miller and Rabin with bases that suffice below 3 * 10^23."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 and number != base for base in bases):
        return False
    if number in bases:
        return True
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        if all((power := power * power % number) != number - 1 for _ in range(twos - 1)):
            return False
    return True
