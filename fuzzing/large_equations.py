"""Equations that are small as text and large in one direction: long numbers, many unknowns, equations or conditions.

They must be answered or refused within the limits of time and memory, with valid JSON, steps included.
"""

from __future__ import annotations

import json
from collections.abc import Callable
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
        """Return a text that is large in one direction."""
        text: str = random.choice(self._shapes())(random)
        return text[:20_000]

    def _shapes(self) -> tuple[Callable[[Random], str], ...]:
        return (
            self._product, self._reciprocals, self._whole, self._power, self._rows, self._constant, self._one_call,
            self._two_sums, self._linear_system, self._repeated_value, self._chain, self._conditions, self._fractions,
            self._many_equations, self._divisors, self._roots, self._absolute_values, self._curves,
        )  # fmt: skip

    def _product(self, random: Random) -> str:
        return self._repeated(random, "*", lambda k: f"(x+{self._number(random)})") + "=0"

    def _reciprocals(self, random: Random) -> str:
        return "x=" + self._repeated(random, "+", lambda k: f"1/({self._number(random)}+{k})")

    def _whole(self, random: Random) -> str:
        added, asked = random.choice(("-1", "+1", "")), random.choice(("prime", "odd", "integer"))
        if random.random() < 0.5:
            return f"x={self._number(random)}*{self._number(random)}{added}; is_{asked}(x)"
        called = random.choice(("gcd", "lcm", "comb", "perm", "factorial"))

        def part(k: int) -> str:
            if called in ("gcd", "lcm"):
                return f"{called}({','.join(self._power_of(random, 4_600) for _ in range(random.randint(2, 20)))})"
            return f"{called}({999 - k % 10})" if called == "factorial" else f"{called}({1_000 - k % 10},{500 + k})"

        return f"x={self._repeated(random, random.choice('+*'), part)}"

    def _power(self, random: Random) -> str:
        middle = random.choice(("=", "+x=", "-x^2=", "+x^3*3="))
        return f"x^{int(10 ** random.uniform(0.3, 3.5))}{middle}{self._number(random)}"

    def _rows(self, random: Random) -> str:
        return "; ".join(self._row(random, "xyzuvw"[: random.randint(2, 6)]) for _ in range(random.randint(2, 6)))

    def _constant(self, random: Random) -> str:
        return f"x={self._nested(random, random.randint(1, 12))}"

    def _one_call(self, random: Random) -> str:
        return f"{self._nested(random, random.randint(1, 5), 'x')}={self._number(random)}"

    def _two_sums(self, random: Random) -> str:
        return "=".join(self._sum(random) for _ in range(2))

    def _linear_system(self, random: Random) -> str:
        """Return linear equations in many unknowns, with long coefficients."""
        size, most = random.randint(2, 40), int(10 ** random.uniform(0, 3.4))
        share, count = random.choice((0.1, 0.5, 1.0)), size + random.randint(-1, 2)

        def row() -> str:
            used = [k for k in range(size) if random.random() < share] or [0]
            return "+".join(f"{self._power_of(random, most)}*x{k}" for k in used) + f"={random.randrange(100)}"

        return "; ".join(row() for _ in range(count))

    def _repeated_value(self, random: Random) -> str:
        """Return a long number that is put into a long product, quotient or sum."""
        side = random.choice("*+-/").join("x" * int(10 ** random.uniform(0, 2.35)))
        other = random.choice((side, "y", "x"))
        return f"x={self._power_of(random, 4_600)}; {side}={other}"

    def _chain(self, random: Random) -> str:
        """Return definitions of which each uses the one before."""
        step = random.choice(("{}^2", "{}^2+1", "{}*{}-{}", "{}^3/7", "1/{}+2", "sqrt({}+1)", "{}^2-3*{}"))
        rows = [f"x0={random.choice(('2', '1/3', 'y^2+1', 'sqrt(2)', '0.999'))}"]
        rows += [f"x{k}={step.replace('{}', f'x{k - 1}')}" for k in range(1, random.randint(3, 30))]
        if random.random() < 0.3:
            random.shuffle(rows)
        return "; ".join(rows)

    def _conditions(self, random: Random) -> str:
        """Return many conditions on one value."""
        tests = ("x*x*x>{}", "x!={}/3", "floor(x)!={}", "mod(x,{}+1)>=0", "x+sqrt({})>0", "is_odd(x+{})", "1/x<{}",
                 "gcd(x,{})>0", "x^{}>0", "is_prime(x+{})", "ln(x)*{}>=0")  # fmt: skip
        value = random.choice((f"x={self._number(random)}", f"x^{random.randint(2, 30)}={random.randrange(10**9)}+x"))
        return "; ".join([value, *(random.choice(tests).replace("{}", str(k)) for k in range(random.randint(1, 900)))])

    def _fractions(self, random: Random) -> str:
        """Return a continued fraction, or a long sum of fractions with unknowns below."""
        if random.random() < 0.5:
            text = "x"
            for _ in range(random.randint(1, 60)):
                text = f"{self._number(random, 100)}+1/({text})"
            return f"{text}=x"
        below = random.choice(("(x+{})", "({}*x+y)", "(x^2+{})"))
        side = self._repeated(random, "+", lambda k: f"{k}/{below.replace('{}', str(k + 1))}")
        return f"{side}={random.randrange(9)}; x+y=3" if "y" in below else f"{side}={random.randrange(9)}"

    def _many_equations(self, random: Random) -> str:
        names, values = "xyzuvw"[: random.randint(1, 6)], [self._number(random) for _ in range(6)]
        rows = [f"{name}={value}" for name, value in zip(names, values, strict=False)]
        for k in range(int(10 ** random.uniform(0, 2.9))):
            one = random.randrange(len(names))
            rows.append(f"{names[one]}^{1 + k % 3}*{k}={values[one]}^{1 + k % 3}*{k}")
        return "; ".join(rows)

    def _divisors(self, random: Random) -> str:
        value, power = self._power_of(random, 4_600), random.randint(1, 999)
        return random.choice((f"(x-{value})/(x^{power}+1)=0", f"x={value}; x+1/(x^{power}-2)=y"))

    def _roots(self, random: Random) -> str:
        if random.random() < 0.5:
            degree = random.choice((2, 3, 12, 999))
            return "x=" + self._repeated(random, random.choice("+*"), lambda k: f"{k + 2}^(1/{degree})")
        text = "x"
        for _ in range(random.randint(1, 60)):
            text = f"sqrt({text}+{random.randrange(100)})"
        return f"{text}={random.randrange(20)}"

    def _absolute_values(self, random: Random) -> str:
        return (
            self._repeated(random, "+", lambda k: f"abs(x-{self._number(random, 9)})") + f"={self._number(random, 20)}"
        )

    def _curves(self, random: Random) -> str:
        """Return equations in two unknowns with long coefficients, that may share a factor."""
        degree, size = random.randint(1, 6), random.choice((1, 20, 90, 290))

        def sum_of(terms: int) -> str:
            parts = [
                f"{random.randrange(1, 10**size)}*x^{random.randrange(degree + 1)}*y^{random.randrange(degree + 1)}"
                for _ in range(terms)
            ]
            return "+".join(parts)

        shared = f"({sum_of(3)}+1)*" if random.random() < 0.4 else ""
        return "; ".join(f"{shared}({sum_of(random.randint(2, 12))}-1)=0" for _ in range(random.randint(1, 3)))

    @staticmethod
    def _power_of(random: Random, most: int) -> str:
        """Return a power that is at most as long as 7^most."""
        return f"{random.choice((2, 3, 5, 7))}^{random.randrange(1, most + 1)}"

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
