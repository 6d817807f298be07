"""A normal form keeps the solutions of the published equations and unifies equivalent notations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    numbers_of,
    to_text,
)
from sau_solver.equations.normal_form import Level, normal_form
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.solving import Outcome, Solved, Value, decimal_of, solve
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from tests.strategies import equation_lists, expressions


def values(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


FOLDED = {
    "a percentage": ("25*0.01*x=3", "1/4 3", "0.25*x=3"),
    "a percentage, the hundredth first": ("0.01*25*x=3", "1/4 3", "0.25*x=3"),
    "a percentage over a hundred": ("x=8*25/100", "8 1/4", "x=8*0.25"),
    "a percentage around an unknown": ("3*x*0.01=7", "3/100 7", "0.03*x=7"),
    "a percentage at the end of a product": ("x=100*24.9*0.01", "100 249/1000", "x=100*0.249"),
    "percentages before a coincidence": ("x=4*50*0.01", "1/2 4 2", "x=4*0.5"),
    "a decimal that is a percentage": ("x=0.25*8", "1/4 8", "x=0.25*8"),
    "a fraction": ("x=1.0/2.0*8", "1/2 8", "x=0.5*8"),
    "a fraction of which the text has a part": ("x=8/(1/2+2)", "8 1/2 2", "x=8/(0.5+2)"),
    "a fraction after an unknown": ("x*2/3=8", "2/3 8", "x*(2/3)=8"),
    "fractions in a row": ("x=1/2*1/4*400", "1/2 1/4 400", "x=0.5*0.25*400"),
    "a mixed number": ("x=2*(3+1/2)", "2 7/2", "x=2*3.5"),
    "a number in millions": ("n*0.44=50.6*10^9", "50600000000 11/25", "n*0.44=50600000000"),
    "a sign as a difference": ("x+(0-4)=1", "-4 1", "x+(-4)=1"),
    "a sign as a product": ("x=7+(-1)*4", "-4 7", "x=7+(-4)"),
    "arithmetic of the text": ("x=2*3+1/4", "2 3 6 1 4 1/4", "x=2*3+1/4"),
    "a step that makes another number of the text": ("(1-2/5)*x=20/2", "2/5 3/5 20 10", "(1-0.4)*x=20/2"),
    "an increase that the text has too": ("x=8*(1+1/5)", "8 1/5 6/5", "x=8*(1+0.2)"),
    "a sign that the text lacks, added": ("x+(-4)=1", "4 1", "x-4=1"),
    "a sign that the text lacks, taken away": ("x-(-4)=1", "4 1", "x+4=1"),
    "a sign that the text lacks, alone": ("x+3=-15", "3 15", "x+3=0-15"),
    "a percent sign that the text lacks": ("0.06*t=0.04*u", "3/50 4", "0.06*t=4*0.01*u"),
    "a nickel and a dime": ("0.05*n+0.1*d=1", "5 10 1", "0.05*n+0.1*d=1"),
    "an increase by a percentage": ("x=37800*1.0375", "37800 3/80", "x=37800*(1+0.0375)"),
    "a decrease by a percentage": ("0.91*x=8", "9/100 8", "(1-0.09)*x=8"),
    "ten thousands": ("x+y=155000", "31/2 2", "x+y=15.5*10000"),
    "thousands": ("x=61000/50000", "50 0 61", "x=61*1000/(50*1000)"),
    "a quotient read as one literal": ("x=33/(55/7)", "7 55 33", "x=33/(55/(7))"),
    "a rate read as one literal": ("x=8/(1/15)", "15 8", "x=8/(1/(15))"),
    "a division by zero": ("x=4/0", "4 1/4", "x=4/0"),
    "an argument": ("x=abs(25*0.01)", "1/4", "x=abs(0.25)"),
}


@pytest.mark.parametrize(("text", "numbers", "expected"), FOLDED.values(), ids=FOLDED)
def test_what_writes_one_number_of_the_text_becomes_that_number(text: str, numbers: str, expected: str) -> None:
    assert to_text(normal_form(parse(text), values(numbers), "folded")) == to_text(parse(expected))


ORDERED = {
    "sums and products": ("20 2 4 50", ["x+y=20; 2*x+4*y=50", "4*y+2*x=50; y+x=20", "20=a+b; 50=b*2+a*4"]),
    "which unknown is meant": ("3 5 7 9", ["3*x+5*y=7; x+y=9", "3*y+5*x=7; x+y=9", "9=b+a; a*5+b*3=7"]),
    "the answer's side": ("90 10", ["90/10=x", "x=90/10"]),
    "differences": ("9 5 3", ["x=9-5+3", "x=9+3-5", "x=3-(5-9)", "x=9-(5-3)"]),
    "a minus sign in front": ("9 5", ["0-x+9=y*5", "9-x=5*y"]),
    "a share": ("12 4", ["x+1/(4)*(x+y)=12", "x+(x+y)/4=12", "(y+x)*1/4+x=12"]),
    "quotients": ("9 5 3 2", ["x=9/5*3/2", "x=9*3/(5*2)", "x=3*(9/(2))/5", "x=3*(9/2)/5"]),
    "brackets": ("2 3 4", ["x=2*(3*4)+(2+(3+4))", "x=2*3*4+2+3+4", "2+3+(4+4*2*3)=x"]),
    "folding first": ("1/4 8", ["x=25*8*0.01", "x=8*25/100", "x=0.25*8"]),
}


@pytest.mark.parametrize(("numbers", "ways"), ORDERED.values(), ids=ORDERED)
def test_equivalent_ways_of_writing_have_one_tree(numbers: str, ways: list[str]) -> None:
    known = values(numbers)
    trees = {str(Uet.from_equations(rename_unknowns(normal_form(parse(way), known, "ordered")), known)) for way in ways}
    assert len(trees) == 1


def test_the_order_follows_the_text() -> None:
    form = normal_form(parse("m=a+b; 4*y+x*2=50; y+x=20; (x+1)^2=5+1"), values("20 2 4 50 5"), "ordered")
    assert to_text(form) == "x+y=20; 2*x+4*y=50; (x+1)^2=1+5; m=a+b"


def test_a_quotient_is_not_divided_by_at_the_price_of_a_root() -> None:
    # 6/(x/y) written 6*y/x would also hold for y=0.
    assert to_text(normal_form(parse("6/(x/y)=3"), values("6 3"), "ordered")) == "6/(x/y)=3"


def test_the_published_level_changes_nothing() -> None:
    equations = parse("3=x+25*0.01; y=1")
    assert normal_form(equations, values("1/4 3"), "published") is equations


# Values that are all related to each other, so that nearly every rewriting happens.
RELATED = values("0 1 2 3 4 -4 -1 5 25 1/4 1/20 21/20 19/20 1/100 100 3/4 7/2 1/2 3/100 3000 1000 50000 -1/2")
related = st.sampled_from(RELATED)
leaves: st.SearchStrategy[Expression] = st.one_of(related.map(Number), st.sampled_from("xyz").map(Unknown))


def combined(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    squared = st.builds(Operation, st.just("^"), children, st.sampled_from([-1, 2]).map(Fraction).map(Number))
    return st.one_of(st.builds(Operation, st.sampled_from("+-*/"), children, children), squared)


systems = equation_lists(st.recursive(leaves, combined, max_leaves=8))
level = st.sampled_from(get_args(Level))


def found(solved: Solved) -> set[tuple[tuple[str, object], ...]]:
    """Return the solutions in an order that does not depend on the names."""
    return {tuple(sorted((name, decimal_of(value)) for name, value in s.items())) for s in solved.solutions}


@given(systems, st.lists(related, max_size=6), level)
def test_the_solutions_stay_the_same(equations: Equations, numbers: Sequence[Fraction], level: Level) -> None:
    before, after = solve(equations), solve(normal_form(equations, numbers, level))
    assume(Outcome.TOO_HARD not in (before.outcome, after.outcome))
    assert (after.outcome, found(after)) == (before.outcome, found(before))


def differences(equations: Equations, point: dict[str, Value]) -> list[Fraction]:
    """Return the distance of the sides of each equation at a point, sorted; -1 if a side has no value."""

    def difference(equation: Equation) -> Fraction:
        try:
            return abs(evaluate(equation.left, point, exact=True) - evaluate(equation.right, point, exact=True))
        except NotEvaluatedError:
            return Fraction(-1)

    return sorted(map(difference, equations))


@given(systems, st.lists(related, max_size=6), level, st.fixed_dictionaries(dict.fromkeys("xyz", related)))
def test_each_equation_says_the_same_at_every_point(
    equations: Equations, numbers: Sequence[Fraction], level: Level, point: dict[str, Value]
) -> None:
    assert differences(normal_form(equations, numbers, level), point) == differences(equations, point)


@given(st.one_of(systems, equation_lists(expressions)), st.lists(related, max_size=6), level)
def test_a_normal_form_is_its_own_normal_form(equations: Equations, numbers: Sequence[Fraction], level: Level) -> None:
    form = normal_form(equations, numbers, level)
    assert normal_form(form, numbers, level) == form


@given(st.one_of(systems, equation_lists(expressions)), st.lists(related, max_size=6), level)
def test_no_more_numbers_are_missing_from_the_text(
    equations: Equations, numbers: Sequence[Fraction], level: Level
) -> None:
    def missing(form: Equations) -> int:
        return sum(value not in numbers for value in numbers_of(form))

    assert missing(normal_form(equations, numbers, level)) <= missing(equations)


def swapped(node: Expression, draw: st.DataObject) -> Expression:
    """Return an expression with some operands of sums and products exchanged."""
    if not isinstance(node, Operation):
        return node
    left, right = swapped(node.left, draw), swapped(node.right, draw)
    if node.operator in "+*" and draw.draw(st.booleans()):
        left, right = right, left
    return Operation(node.operator, left, right)


# A 0 in the text keeps the zero that tying writes for a sign, so that 0+(-1) and (-1)+0 differ; texts have none here.
@given(systems, st.lists(related.filter(bool), max_size=6), st.data())
def test_the_order_of_operands_sides_and_equations_does_not_matter(
    equations: Equations, numbers: Sequence[Fraction], data: st.DataObject
) -> None:
    sides = [data.draw(st.permutations([swapped(e.left, data), swapped(e.right, data)])) for e in equations]
    shuffled = tuple(data.draw(st.permutations([Equation(left, right) for left, right in sides])))
    assert normal_form(shuffled, numbers, "ordered") == normal_form(equations, numbers, "ordered")
