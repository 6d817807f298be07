"""Lines of the school's way: every equation that is printed has the solutions among its own."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sau_solver.equations.parser import parse
from sau_solver.equations.readable import FRACTIONS, readable
from sau_solver.explaining.derivation import explain
from sau_solver.explaining.school import derive, holds, is_true
from sau_solver.explaining.steps import StepWriter
from sau_solver.explaining.work import equations_in
from sau_solver.phrases import Phrase
from sau_solver.solving import Outcome, solve
from tests.strategies import times

# The intermediate equations of each system, in order.
LINES = {
    "x+y=30; 2*x+4*y=86": [
        "x = 30 − y", "2(30 − y) + 4y = 86", "60 − 2y + 4y = 86", "60 + 2y = 86", "2y = 26", "y = 13", "x = 30 − 13",
    ],
    "x-y=3; x+y=15": ["2x = 18", "x = 9", "9 − y = 3", "3 + y = 9", "y = 6"],
    "2*x+3*y=12; 3*x-2*y=5": ["6x + 9y = 36", "6x − 4y = 10", "13y = 26", "y = 2", "2x + 3 × 2 = 12", "x = 3"],
    "y=x+18; 2*x+18=96": ["2x = 78", "x = 39", "y = 39 + 18"],
    "x/5-5=x/7+5": ["7x − 175 = 5x + 175", "2x − 175 = 175", "2x = 350", "x = 175"],
    "x/4+x/6=1/8": ["6x + 4x = 3", "10x = 3", "x = 3/10"],
    "(x+3)/4-x/6=2": ["3(x + 3) − 2x = 24", "3x + 9 − 2x = 24", "x + 9 = 24", "x = 15"],
    "60/x-60/(x+5)=1": ["60(x + 5) − 60x = x(x + 5)", "x² + 5x − 300 = 0", "(x − 15)(x + 20) = 0"],
    "x^2+5*x+6=0": ["(x + 2)(x + 3) = 0", "x = −2"],
    "200*(1-x)^2=162": ["(1 − x)² = 81/100", "1 − x = 9/10", "x = 1/10"],
    "x^2-2*x-1=0": ["x = (2 − √8)/2", "x = 1 − √2"],
    "x+y=7; x*y=12": ["x = 7 − y", "(7 − y)y = 12", "y² − 7y + 12 = 0", "(y − 3)(y − 4) = 0", "x = 7 − 3"],
    "x+y+z=6; 2*x-y+z=3; x+2*y-z=2": ["x = 6 − y − z", "3y + z = 9", "y − 2z = −4", "7z = 21", "z = 3"],
}  # fmt: skip


def lines(text: str) -> list[str]:
    equations = parse(text)
    derived = derive(equations, solve(equations), StepWriter("en", FRACTIONS))
    assert derived is not None
    return [
        readable(one, FRACTIONS) for step in derived.steps[1:] for found in equations_in(step.phrase) for one in found
    ]


@pytest.mark.parametrize(("text", "expected"), LINES.items(), ids=LINES)
def test_the_lines_of_a_school_book_are_shown_in_order(text: str, expected: list[str]) -> None:
    shown = iter(lines(text))
    assert all(line in shown for line in expected)


@pytest.mark.parametrize("text", ["x^3-6*x^2+11*x-6=0", "2^x=8", "x^2+y^2=25; x*y=12", "x+y=5", "x+y=1; x+y=2"])
def test_other_equations_are_left_to_the_moves_of_the_solver(text: str) -> None:
    equations = parse(text)
    assert derive(equations, solve(equations), StepWriter("en")) is None
    assert len(explain(equations, solve(equations))) >= 2


def test_a_line_that_does_not_hold_is_found() -> None:
    (right, wrong) = (parse(text)[0] for text in ("x+2=5", "x+2=6"))
    solutions = [{"x": Fraction(3)}]
    assert holds(Phrase.of("combine", equation=right), solutions)
    assert not holds(Phrase.of("combine", equation=wrong), solutions)
    assert holds(Phrase.of("so", equation=Phrase.of("either", one=wrong, other=right)), solutions)


small = st.integers(-9, 9)
signed = small.map(lambda number: f"({number})")


def linear(data: st.DataObject, name: str) -> str:
    a, b, c, d, e = (data.draw(signed) for _ in range(5))
    p, q = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    form = data.draw(st.sampled_from([
        "{a}*{n}+{b}={c}*{n}+{d}", "{a}*({n}+{b})-{c}*({d}-{n})={e}", "{n}/{p}+{b}={n}/{q}+{d}",
        "({n}+{a})/{p}-({b}*{n}-{c})/{q}={d}", "{a}*({n}/{p}-1/{q})={c}", "0.5*{n}+{a}=0.2*{n}+{b}/10",
    ]))  # fmt: skip
    return form.format(a=a, b=b, c=c, d=d, e=e, p=p, q=q, n=name)


def rational(data: st.DataObject) -> str:
    a, b, c = (data.draw(signed) for _ in range(3))
    p = data.draw(st.integers(1, 6))
    form = data.draw(st.sampled_from([
        "{a}/x+1/{p}={b}", "{a}/(x+{b})={c}/(x+{p})", "{a}/x-{b}/(x+{p})={c}", "(x+{a})/(x+{b})={c}/{p}",
        "{a}/({p}*x)={b}/x+{c}",
    ]))  # fmt: skip
    return form.format(a=a, b=b, c=c, p=p)


def quadratic(data: st.DataObject) -> str:
    a, b, c, d = (data.draw(signed) for _ in range(4))
    p = data.draw(st.integers(1, 6))
    form = data.draw(st.sampled_from([
        "{a}*x^2+{b}*x+{c}={d}", "x*({a}-{p}*x)={c}", "(x+{a})*({p}*x+{b})={c}", "{p}*(x+{a})^2={c}",
        "x^2/{p}={a}*x+{b}",
        "(x+{a})*(x+{b})=0", "{a}*x^2+{b}={c}", "x^2=(x+{a})*(x+{b})", "{p}*(1-x)^2=({a})^2",
    ]))  # fmt: skip
    return form.format(a=a, b=b, c=c, d=d, p=p)


def system(data: st.DataObject, names: str) -> str:
    values = [data.draw(small) for _ in names]
    rows = []
    for _ in names:
        row = [data.draw(small) for _ in names]
        total = sum(k * v for k, v in zip(row, values, strict=True))
        left = "+".join(f"({k})*{name}" for k, name in zip(row, names, strict=True))
        rows.append(data.draw(st.sampled_from([f"{left}={total}", f"({left})/2={total}/2", f"{left}-{total}=0"])))
    return "; ".join(rows)


KINDS = {
    "linear": lambda data: linear(data, "x"),
    "rational": rational,
    "quadratic": quadratic,
    "two unknowns": lambda data: system(data, "xy"),
    "three unknowns": lambda data: system(data, "xyz"),
}


@pytest.mark.parametrize("kind", KINDS)
@times(150)
@given(data=st.data())
def test_every_line_has_the_solutions_among_its_solutions(kind: str, data: st.DataObject) -> None:
    equations = parse(KINDS[kind](data))  # type: ignore[no-untyped-call]
    solved = solve(equations)
    assume(solved.outcome is Outcome.SOLVED)
    derived = derive(equations, solved, StepWriter("en", FRACTIONS))
    if derived is None:  # only a system may have too few equations
        assert len(equations) > 1
        return
    for step in derived.steps:
        for alternatives in equations_in(step.phrase):
            true = [any(is_true(one, root) for one in alternatives) for root in derived.roots]
            assert any(true) if step.phrase.code == "back" else all(true), str(step)
    texts = [str(step) for step in derived.steps]
    assert len(set(texts)) == len(texts), "no line is repeated"
