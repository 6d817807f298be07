"""Solving is exact, ends in one of four outcomes, and misses no solution that SymPy or a known answer has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equation, Equations, Expression, Function, Number, Operation, Unknown
from sau_solver.equations.parser import parse, parse_statements
from sau_solver.solving import Algebraic, Outcome, Solved, Surd, Value, solve, solve_statements, symbolic
from tests.strategies import arithmetic, equation_lists, times

PATIENCE = 60.0  # seconds for SymPy on a busy machine
SOLVED = {
    "a quadratic": ("x*(50-2*x)=300", "x=10 | x=15"),
    "arithmetic": ("(11-1)*2", "x=20"),
    "a fraction": ("x/5-5=x/7+5", "x=175"),
    "not a whole number": ("3*x=2", "x=2/3"),
    "chickens and rabbits": ("x+y=20; 2*x+4*y=50", "x=15 y=5"),
    "named unknowns": ("212+boys=girls; girls+boys=466", "boys=127 girls=339"),
    "three unknowns": ("x+y+z=137; y=4+2*x; z=3*x-5", "x=23 y=50 z=64"),
    "more equations than unknowns": ("x=5; x=5; 2*x=10", "x=5"),
    "an irrational root": ("x^2=x+1", "x=(1-sqrt(5))/2 | x=(1+sqrt(5))/2"),
    "a surd with a factor": ("x^2=12", "x=-2*sqrt(3) | x=2*sqrt(3)"),
    "a cube root": ("x^3=2", "x=2^(1/3)"),
    "a perfect power": ("x^4=16", "x=-2 | x=2"),
    "a quintic": ("x^5-x-1=0", "x=root(x^5-x-1, 1.167303978)"),
    "a product": ("x*y=300; (x+2)*(y-5)=300", "x=-12 y=-25 | x=10 y=30"),
    "circle and hyperbola": ("x^2+y^2=25; x*y=12", "x=-4 y=-3 | x=-3 y=-4 | x=3 y=4 | x=4 y=3"),
    "two quadratics": ("x^2+y^2=25; x^2-y^2=7", "x=-4 y=-3 | x=-4 y=3 | x=4 y=-3 | x=4 y=3"),
    "two independent surds": (
        "x^2=3; y^2=2",
        "x=-sqrt(3) y=-sqrt(2) | x=-sqrt(3) y=sqrt(2) | x=sqrt(3) y=-sqrt(2) | x=sqrt(3) y=sqrt(2)",
    ),
    "elements of a cubic field": (
        "x^3-x-1=0; y=x^2",
        "x=root(x^3-x-1, 1.324717957) y=root(x^3-2*x^2+x-1, 1.754877666)",
    ),
    "a case where the slope is zero": ("x*y=0; x+y=3", "x=0 y=3 | x=3 y=0"),
    "an extraneous root": ("(x^2-1)/(x-1)=0", "x=-1"),
    "unknowns in denominators": ("x/y=2; x-y=3", "x=6 y=3"),
    "a power of a number": ("1000*(1+x)^2=1210", "x=-21/10 | x=1/10"),
    "a root that is rational": ("x=16^0.5+27^(1/3)", "x=7"),
    "a negative power": ("x^(-2)=4", "x=-1/2 | x=1/2"),
    "unknowns in Chinese": ("速度*3=60", "速度=20"),
    "an exponential": ("2^x=8", "x=3"),
    "decay": ("0.15=0.5^(x/5730)", "x=-5730*ln(3/5)/ln(2) + 11460"),
    "a factorial": ("x=5!/(3!*2!)", "x=10"),
    "a logarithm": ("2^x=5", "x=ln(5)/ln(2)"),
    "a square root of the unknown": ("sqrt(x+1)=x-1", "x=3"),
    "two square roots": ("sqrt(x)+sqrt(x+5)=5", "x=4"),
    "square roots in a system": ("sqrt(x)*sqrt(y)=6; x+y=13", "x=4 y=9 | x=9 y=4"),
    "a square root of a number": ("x^2=(4*2^(1/2))^2", "x=-4*sqrt(2) | x=4*sqrt(2)"),
    "a sum of square roots": ("x=2^0.5+3^0.5", "x=root(x^4-10*x^2+1, 3.14626437)"),
    "a cube root of a negative number": ("x=(0-8)^(1/3)", "x=-2"),
    "a coefficient that is a tangent": (
        "52*tan(38)=b; 52*tan(50)=b+t",
        "b=52*tan(19*pi/90) t=-52*tan(19*pi/90) + 52*tan(5*pi/18)",
    ),
    "a binomial coefficient": ("x=comb(5,2)", "x=10"),
    "degrees": ("x=2*sin(30)", "x=1"),
}


def shown(solved: Solved) -> str:
    return " | ".join(" ".join(f"{name}={value}" for name, value in s.items()) for s in solved.solutions)


@pytest.mark.parametrize(("text", "expected"), SOLVED.values(), ids=SOLVED)
def test_equations_are_solved_exactly(text: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "START_SECONDS", PATIENCE)
    solved = solve(parse(text), PATIENCE)
    assert (solved.outcome, shown(solved)) == (Outcome.SOLVED, expected)


OTHERWISE = [
    ("0=1", Outcome.NONE, "false"),
    ("1/0", Outcome.NONE, "divides by zero"),
    ("0/0", Outcome.NONE, "divides by zero"),
    ("x/0=1", Outcome.NONE, "divides by zero"),
    ("x^2=-4", Outcome.NONE, "no real"),
    ("sqrt(x)=-3", Outcome.NONE, "no real"),
    ("x=sqrt(-4)", Outcome.NONE, "no real"),
    ("x=5; x=6", Outcome.NONE, "false"),
    ("x+y=1; x+y=2", Outcome.NONE, "contradict"),
    ("(x-1)/(x^2-1)=0", Outcome.NONE, "denominator"),
    ("1/x=0", Outcome.NONE, "false"),
    ("x=x", Outcome.INFINITE, "every value"),
    ("1=1", Outcome.INFINITE, "true"),
    ("x+y=5", Outcome.INFINITE, "free"),
    ("x*y=6", Outcome.INFINITE, "free"),
    ("(x+1)^2=x^2+2*x+1", Outcome.INFINITE, "every value"),
    ("9^9^9^9=x", Outcome.TOO_HARD, "thousands of digits"),
    ("x^1001=x+2", Outcome.TOO_HARD, "degree"),
    ("x^61=x+2", Outcome.TOO_HARD, "degree"),
]
SLOWLY = pytest.param("x^x+floor(x)=gcd(12,18)*x+0.3", Outcome.TOO_HARD, "", marks=pytest.mark.slow)


@pytest.mark.parametrize(("text", "outcome", "reason"), [*(pytest.param(*one, id=one[0]) for one in OTHERWISE), SLOWLY])
def test_what_has_no_list_of_solutions_says_so(text: str, outcome: Outcome, reason: str) -> None:
    solved = solve(parse(text))
    assert (solved.outcome, solved.solutions) == (outcome, ())
    assert reason in str(solved.reason)


def test_infinitely_many_solutions_still_tell_what_is_fixed() -> None:
    assert solve(parse("x+y=5; z+1=4")).families == ({"z": Fraction(3)},)
    growth = solve(parse("y*(1+x)^2=y*1.21"))
    assert {"x": Fraction(1, 10)} in growth.families
    assert {"y": Fraction(0)} in growth.families


def test_roots_that_make_a_denominator_zero_are_reported_as_excluded() -> None:
    assert solve(parse("(x^2-1)/(x-1)=0")).excluded == ({"x": Fraction(1)},)


def test_conditions_choose_among_solutions() -> None:
    assert shown(solve_statements(parse_statements("x^2=9; x>0"))) == "x=3"
    assert shown(solve_statements(parse_statements("x*(x+1)=42; x<0"))) == "x=-7"
    assert shown(solve_statements(parse_statements("x^2=5*x-6; is_odd(x)"))) == "x=3"
    assert shown(solve_statements(parse_statements("s=74814; r=s%9"))) == "s=74814 r=6"
    unmet = solve_statements(parse_statements("x^2=9; x>5"))
    assert unmet.outcome is Outcome.NONE
    assert "x>5" in str(unmet.reason)


# --- every returned solution satisfies its equations exactly; SymPy is the judge, not the solver ---


def as_sympy(node: Expression, values: dict[str, Any]) -> Any:
    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Unknown(name):
            return values[name]
        case Operation(operator, left, right):
            one, other = as_sympy(left, values), as_sympy(right, values)
            return {
                "+": lambda: one + other,
                "-": lambda: one - other,
                "*": lambda: one * other,
                "/": lambda: one / other,
                "^": lambda: power(one, other),
            }[operator]()
        case Function():
            raise AssertionError("no functions here")


def power(base: Any, exponent: Any) -> Any:
    """Return a power; an odd root of a negative number is real: (-8)^(1/3) is -2."""
    if base.is_negative and exponent.is_Rational and exponent.q % 2 and exponent.q > 1:
        return (-1) ** (exponent.p % 2) * (-base) ** exponent
    return base**exponent


def exact(value: Value) -> Any:
    match value:
        case Fraction():
            return sympy.Rational(value.numerator, value.denominator)
        case Surd(rational, factor, radicand):
            return exact(rational) + exact(factor) * sympy.sqrt(radicand)
        case Algebraic(polynomial, index, _):
            x = sympy.Symbol("x")
            return sympy.CRootOf(sum(c * x**k for k, c in enumerate(polynomial)), index)
        case _:
            return sympy.sympify(str(value).replace("^", "**"))


def satisfied(equations: Equations, solved: Solved) -> bool:
    for solution in solved.solutions:
        values = {name: exact(value) for name, value in solution.items()}
        for equation in equations:
            residual = as_sympy(equation.left, values) - as_sympy(equation.right, values)
            if all(isinstance(value, Fraction | Surd) for value in solution.values()):
                if sympy.radsimp(sympy.expand(residual)) != 0:
                    return False
            elif abs(sympy.N(residual, 60, maxn=400)) > sympy.Float("1e-40", 60):
                return False
    return True


small = st.integers(-12, 12)
coefficient = small.filter(bool)


@given(st.lists(small, min_size=1, max_size=4), coefficient)
def test_a_polynomial_has_the_roots_it_was_made_from(roots: list[int], leading: int) -> None:
    text = "*".join(f"(x-({root}))" for root in roots)
    solved = solve(parse(f"{leading}*{text}=0"))
    assert [s["x"] for s in solved.solutions] == sorted(map(Fraction, set(roots)))


@given(coefficient, small, small)
def test_quadratic_roots_satisfy_the_equation_and_none_is_missing(a: int, b: int, c: int) -> None:
    equations = parse(f"{a}*x^2+({b})*x+({c})=0")
    solved = solve(equations)
    discriminant = b * b - 4 * a * c
    assert len(solved.solutions) == (0 if discriminant < 0 else 1 if discriminant == 0 else 2)
    assert satisfied(equations, solved)


@pytest.mark.slow
@given(st.lists(small, min_size=4, max_size=6).filter(lambda c: c[-1] != 0))
@times(20)
def test_higher_polynomials_have_as_many_real_roots_as_sympy_counts(coefficients: list[int]) -> None:
    x = sympy.Symbol("x")
    polynomial = sympy.Poly(sum(c * x**k for k, c in enumerate(coefficients)), x)
    equations = parse("+".join(f"({c})*x^{k}" for k, c in enumerate(coefficients)) + "=0")
    solved = solve(equations)
    assert len(solved.solutions) == len(set(polynomial.real_roots()))
    assert satisfied(equations, solved)


@given(st.lists(small, min_size=2, max_size=4), st.data())
def test_a_linear_system_has_the_solution_it_was_made_from(values: list[int], data: st.DataObject) -> None:
    names = "xyzw"[: len(values)]
    rows = [data.draw(st.lists(small, min_size=len(values), max_size=len(values))) for _ in values]
    assume(sympy.Matrix(rows).det() != 0)
    text = "; ".join(
        "+".join(f"({k})*{name}" for k, name in zip(row, names, strict=True))
        + f"={sum(k * v for k, v in zip(row, values, strict=True))}"
        for row in rows
    )
    assert [list(s.values()) for s in solve(parse(text)).solutions] == [
        [Fraction(values[names.index(name)]) for name in solve(parse(text)).solutions[0]]
    ]


@pytest.mark.slow
@given(small, small, st.data())
@times(12)
def test_a_polynomial_system_has_the_solution_it_was_made_from(a: int, b: int, data: st.DataObject) -> None:
    monomials = ("x^2", "y^2", "x*y", "x", "y")
    at = {"x^2": a * a, "y^2": b * b, "x*y": a * b, "x": a, "y": b}
    lines = []
    for _ in range(2):
        row = data.draw(st.lists(st.integers(-4, 4), min_size=5, max_size=5).filter(any))
        left = "+".join(f"({k})*{m}" for k, m in zip(row, monomials, strict=True))
        lines.append(f"{left}={sum(k * at[m] for k, m in zip(row, monomials, strict=True))}")
    equations = parse("; ".join(lines))
    solved = solve(equations)
    assert solved.outcome in (Outcome.SOLVED, Outcome.INFINITE, Outcome.TOO_HARD)
    if solved.outcome is Outcome.SOLVED:
        assert any(s.get("x", a) == a and s.get("y", b) == b for s in solved.solutions)
        assert satisfied(equations, solved)


@pytest.mark.slow
@given(equation_lists(arithmetic))
@times(25)
def test_any_equations_end_in_one_of_the_four_outcomes_and_solutions_hold(equations: Equations) -> None:
    solved = solve(equations, deadline=0.3)
    assert solved.outcome in tuple(Outcome)
    assert bool(solved.solutions) or solved.outcome is not Outcome.SOLVED
    assert not solved.solutions or solved.outcome in (Outcome.SOLVED, Outcome.PARTIAL)
    if solved.solutions and all(
        isinstance(value, Fraction) and abs(value) < 10**6 for s in solved.solutions for value in s.values()
    ):
        assert _rationally_satisfied(equations, solved)


def _rationally_satisfied(equations: Equations, solved: Solved) -> bool:
    for solution in solved.solutions:
        values = {name: exact(value) for name, value in solution.items()}
        for equation in equations:
            difference = as_sympy(equation.left, values) - as_sympy(equation.right, values)
            if difference != 0 and sympy.simplify(difference) != 0:
                return False
    return True


def test_equations_are_plain_values() -> None:
    equation = Equation(Unknown("x"), Number(Fraction(1)))
    assert solve((equation,)) == solve(parse("x=1"))
