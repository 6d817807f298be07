"""The protocols differ exactly where they are meant to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.protocols import PROTOCOLS, judge, same_answers
from sau_solver.equations.parser import parse
from sau_solver.problem import Problem
from sau_solver.solving import Surd, solve

QUADRATIC = Problem("1", "长方形的面积是300，求宽是多少？", "zh", ("x*(50-2*x)=300",), (Fraction(10),))
SYSTEM = Problem("2", "鸡和兔各有多少只？", "zh", ("x+y=20", "2*x+4*y=50"), (Fraction(15), Fraction(5)))
EITHER = Problem("3", "Find the number.", "en", ("x^2=16",), (Fraction(4),), ((Fraction(-4), Fraction(4)),))

BOYS = Problem(
    "4", "A class has 466 students. There are 212 more girls than boys. How many boys are in the class?", "en",
    ("212+boys=girls", "girls+boys=466"), (Fraction(127), Fraction(339)), asked=(Fraction(127),),
)  # fmt: skip


def verdict(problem: Problem, predicted: str) -> frozenset[str]:
    equations = parse(predicted)
    gold = solve(parse("; ".join(problem.equations)))
    return judge(problem, equations, solve(equations), gold)


@pytest.mark.parametrize(
    ("problem", "predicted", "reference", "strict", "answer"),
    [
        (QUADRATIC, "x*(50-2*x)=300", True, True, True),
        (QUADRATIC, "2*x^2-50*x+300=0", True, True, True),
        (QUADRATIC, "x=10", True, False, True),  # a missing root passes by reference
        (QUADRATIC, "x=15", True, False, False),
        (QUADRATIC, "x=10.05", True, False, False),  # within 0.1
        (QUADRATIC, "x=10.0001", True, False, True),  # within 1e-4 relative
        (QUADRATIC, "x=10.2", False, False, False),
        (QUADRATIC, "(x-10)*(x-11)=0", False, False, False),
        (QUADRATIC, "x^4=10^4", False, False, True),  # a power above 3 is wrong by reference
        (QUADRATIC, "x=x", False, False, False),
        (QUADRATIC, "x/0=1", False, False, False),
        (SYSTEM, "a+b=20; 4*b+2*a=50", True, True, True),
        (SYSTEM, "x+y=20; 4*x+2*y=50", True, True, True),  # unknowns may change names
        (SYSTEM, "2*x+4*(20-x)=50", True, False, False),
        (EITHER, "x^2=16", True, True, True),
        (EITHER, "x=4", True, False, True),
        (EITHER, "x=-4", True, False, False),
    ],
)
def test_verdicts(problem: Problem, predicted: str, reference: bool, strict: bool, answer: bool) -> None:
    found = verdict(problem, predicted)
    assert [protocol in found for protocol in PROTOCOLS] == [reference, strict, answer, answer]


@pytest.mark.parametrize(
    ("predicted", "answer", "annotated"),
    [
        ("girls=212+boys; girls+boys=466", True, True),
        ("boys=(466-212)/2", True, False),  # only what is asked for
        ("girls=(466+212)/2", False, False),
        ("x=127; y=339", False, True),  # all values, but it is not clear which is asked for
    ],
)
def test_with_a_label_a_reader_accepts_the_value_that_is_asked_for(
    predicted: str, answer: bool, annotated: bool
) -> None:
    found = verdict(BOYS, predicted)
    assert ("answer" in found, "annotated" in found) == (answer, annotated)


def test_an_exact_value_meets_a_rounded_annotation() -> None:
    golden = Surd(Fraction(1, 2), Fraction(1, 2), 5)
    assert same_answers([golden], [Fraction("1.618034")])
    assert not same_answers([golden], [Fraction("1.62")])
    assert not same_answers([], [])
