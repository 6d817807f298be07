"""Equations whose solutions fill curves through planted points, under conditions that a planted point meets.

A planted point on each curve is known, so an answer may neither say that nothing solves the equations, nor list
finitely many solutions without a planted point that meets all conditions. Conditions that contradict each other leave
no solution, so no answer may list one or say that there are infinitely many.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from fuzzing.planted_equations import fraction, random_fraction
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.parser import parse_statements
from sau_solver.solving import Outcome, solve_statements

_CURVES = ("line", "same", "vertical", "horizontal", "parabola", "hyperbola", "circle", "point")
_CONTRADICTIONS = ("bounds", "square", "sum")
_SIGNS = ("<", "<=", ">", ">=", "!=")


class PlantedCurves:
    """Products and quotients of curves through known points."""

    name = "curves"

    def draw(self, random: Random) -> Spec:
        """Return two to three curves with a point each, and conditions."""
        size = random.choice((4, 9, 9, 40))
        curves: list[tuple[str, Spec, Spec]] = [
            (random.choice(_CURVES), random_fraction(random, size), random_fraction(random, size))
            for _ in range(random.randint(1, 3))
        ]

        def condition() -> tuple[str, str, Spec, bool]:
            """Return a condition; half of them exclude a planted point and any axis-parallel line through it."""
            if random.random() < 0.5:
                kind, *point = random.choice(curves)
                name = "y" if kind == "horizontal" else "x"
                return name, random.choice("<>"), point[name == "y"], True
            return random.choice("xy"), random.choice(_SIGNS), random_fraction(random, size), random.random() < 0.8

        return {
            "curves": curves,
            "powers": [random.choice((1, 1, 1, 2)) for _ in range(3)],
            "twice": random.random() < 0.3,
            "third": random.random() < 0.2,
            "met": random.randint(0, 2),
            "conditions": [condition() for _ in range(random.randint(1, 3))],
            "contradiction": (random.choice(_CONTRADICTIONS), random_fraction(random, size), random.randint(0, 9))
            if random.random() < 0.3
            else None,
        }

    def check(self, spec: Spec) -> str:
        """Compare the outcome with the planted points that meet all conditions."""
        curves = [(kind, fraction(x), fraction(y)) for kind, x, y in spec["curves"]]
        if not curves or not spec["conditions"]:
            raise InvalidSpecError
        points = [(x, x if kind == "same" else y) for kind, x, y in curves]
        met = points[spec["met"] % len(points)]
        factors = [
            f"({_curve(kind, *point)}){f'^{power}' if power == 2 else ''}"
            for (kind, _, _), point, power in zip(curves, points, [*spec["powers"], 1, 1], strict=False)
        ]
        equations = [f"{'*'.join(factors)}=0"]
        if spec["twice"]:  # a second equation with the same curves: x*(x-y)=0; y*(x-y)=0
            equations.append(f"(x+{2 - met[0]})*{'*'.join(factors)}=0")
        if spec["third"]:
            equations.append("z=x+1")
        conditions = [_condition(name, sign, fraction(at), made, met) for name, sign, at, made in spec["conditions"]]
        against = _contradiction(*spec["contradiction"]) if spec.get("contradiction") else []
        text = "; ".join([*equations, *(shown for shown, _ in conditions), *against])
        good = [point for point in points if not against and all(_holds(one, point) for _, one in conditions)]
        solved = solve_statements(parse_statements(text))
        kind = "contradiction" if against else "met" if good else "open"
        detail = f"{text}: {solved.outcome} {[{k: str(v) for k, v in one.items()} for one in solved.solutions]}"
        if against:
            allowed = (Outcome.NONE, Outcome.TOO_HARD)
            require(solved.outcome in allowed, "contradictory conditions are met", detail)
        if good:
            require(solved.outcome is not Outcome.NONE, "planted point denied", detail)
        if solved.outcome is Outcome.SOLVED:
            listed = [(one.get("x"), one.get("y")) for one in solved.solutions]
            found = all(any(_is_at(pair, point) for pair in listed) for point in good)
            require(found, "planted point left out", detail)
            require(all(_holds(one, point) for _, one in conditions for point in listed), "condition not met", detail)
        return f"{kind} {solved.outcome}"


def _curve(kind: str, x: Fraction, y: Fraction) -> str:
    """Return a polynomial that is zero at the point."""
    match kind:
        case "line":
            return f"2*x-3*y+({3 * y - 2 * x})"
        case "same":
            return "x-y"
        case "vertical":
            return f"x+({-x})"
        case "horizontal":
            return f"y+({-y})"
        case "parabola":
            return f"x^2-y+({y - x * x})"
        case "hyperbola":
            return f"x*y+({-x * y})"
        case "circle":
            return f"x^2+y^2+({-x * x - y * y})"
        case "point":
            return f"(x+({-x}))^2+(y+({-y}))^2"
    raise InvalidSpecError


def _contradiction(kind: str, number: Spec, size: int) -> list[str]:
    """Return conditions that no point meets."""
    at = fraction(number)
    if size < 0:
        raise InvalidSpecError
    match kind:
        case "bounds":
            return [f"x>({at})", f"x<({at - size})"]
        case "square":
            return [f"(x-({at}))*(x-({at}))<{-size}"]
        case "sum":
            return [f"x+y>=({at})", f"x+y<({at - size})"]
    raise InvalidSpecError


Judged = tuple[str, str, Fraction]


def _condition(name: str, sign: str, at: Fraction, made: bool, point: tuple[Fraction, Fraction]) -> tuple[str, Judged]:
    """Return a condition as text and to judge; with `made`, its bound is moved until the point meets it."""
    if sign not in _SIGNS or name not in "xy":
        raise InvalidSpecError
    value = point[name == "y"]
    if made and not _holds((name, sign, at), point):
        at = value + (1 if sign[0] in "<!" else -1)
    return f"{name}{sign}({at})", (name, sign, at)


def _is_at(solution: tuple[object, object], point: tuple[Fraction, Fraction]) -> bool:
    """Return whether a solution is a point; an unknown that is not in the equations has no value."""
    return all(own is None or own == other for own, other in zip(solution, point, strict=True))


def _holds(condition: Judged, point: tuple[object, object]) -> bool:
    name, sign, at = condition
    value = point[name == "y"]
    if not isinstance(value, Fraction):
        return True  # an irrational coordinate is judged by the target "conditions"
    return {"<": value < at, "<=": value <= at, ">": value > at, ">=": value >= at}.get(sign, value != at)
