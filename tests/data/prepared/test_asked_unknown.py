"""With `asked_first` what is asked for is x in the learned tree, and otherwise nothing changes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.candidates import Candidate
from sau_solver.data.checking import tree_agrees
from sau_solver.data.prepared.common_form import common_form
from sau_solver.data.prepared.examples import Prepared, asked_unknown, prepare
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.experiments.judging import judge_problem
from sau_solver.problem import AskedFor, Problem

TEXT = "A farm has 35 heads and 94 legs, of hens with 2 and of cows with 4. How many {} are there?"
FARM = ("h+c=35", "2*h+4*c=94")
HENS, COWS = Fraction(23), Fraction(12)


def farm(thing: str = "cows", **labels: object) -> Problem:
    return Problem("p", TEXT.format(thing), "en", FARM, (HENS, COWS), **labels)  # type: ignore[arg-type]


def by_author(*asked: str) -> Problem:
    return farm(asks=tuple(AskedFor(unknown, COWS) for unknown in asked))


def prepared(problem: Problem, asked_first: AskedFirst = "unknowns") -> Prepared:
    return prepare(problem, "raw", True, "ordered", common_form, asked_first)


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (by_author("c"), "c"),
        (by_author("h"), "h"),
        (by_author("c", "h"), None),  # both are asked
        (by_author("h-c"), None),  # neither
        (farm(asked=(COWS,)), "c"),
        (farm(asked=(HENS,)), "h"),
        (farm(asked=(HENS, COWS)), None),
        (farm(asked=(HENS - COWS,)), None),
        (farm(), None),
    ],
)
def test_labels_say_which_unknown_is_asked_for(problem: Problem, expected: str | None) -> None:
    assert asked_unknown(problem, parse("; ".join(FARM), "hc")) == expected


def test_a_value_that_two_unknowns_have_does_not_say_which_is_asked_for() -> None:
    problem = Problem("p", "", "en", ("x+y=4", "x-y=0"), asked=(Fraction(2),))
    assert asked_unknown(problem, parse("x+y=4; x-y=0")) is None


@pytest.mark.parametrize(
    ("problem", "tree"),
    [
        (farm(asked=(COWS,)), "; = + x y N0 = + * N2 y * N3 x N1"),
        (farm(asked=(HENS,)), "; = + x y N0 = + * N2 x * N3 y N1"),
        (farm(), "; = + x y N0 = + * N2 x * N3 y N1"),
    ],
)
def test_the_tree_calls_it_x_and_follows_the_numbers(problem: Problem, tree: str) -> None:
    assert str(prepared(problem).learned) == tree


def test_the_order_of_equations_and_the_published_names_do_not_matter() -> None:
    other = Problem("p", TEXT.format("cows"), "en", ("94=4*a+b*2", "35=a+b"), (COWS, HENS), asked=(COWS,))
    assert prepared(other).learned == prepared(farm(asked=(COWS,))).learned


def test_unknowns_that_only_their_names_tell_apart_have_one_form() -> None:
    text = "The sum of two numbers is 5, their product is 6. Find the larger one."
    trees = {
        prepared(Problem("p", text, "en", ("x+y=5", "x*y=6"), asks=(AskedFor(asked, Fraction(3)),))).learned
        for asked in "xy"
    }
    assert {str(tree) for tree in trees} == {"; = + x y N1 = * x y N2"}


def test_an_asked_unknown_is_x_even_if_another_one_is_written_first() -> None:
    text = "A piece of 3 m is cut from a rope of 9 m. How long is the other piece?"
    problem = Problem("p", text, "en", ("a=3", "b=9-a"), asks=(AskedFor("b", Fraction(6)),))
    assert str(prepared(problem).learned) == "; = y N0 = x - N1 y"


def test_without_the_option_trees_stay_as_they_are() -> None:
    plain = prepared(farm(asked=(COWS,)), asked_first="")
    assert str(plain.learned) == str(plain.tree)
    single = Problem("p", "Ann has 5 pens and buys 7.", "en", ("x=5+7",), (Fraction(12),), asked=(Fraction(12),))
    assert prepared(single).learned == prepared(single, asked_first="").learned


def test_both_the_published_and_the_learned_tree_count_as_the_gold_equations() -> None:
    one = prepared(farm(asked=(COWS,)))
    assert one.tree
    assert one.learned
    judged = judge_problem(one, [Candidate(one.tree, -1.0), Candidate(one.learned, -2.0)])
    for candidate in judged.candidates:
        assert {"equation", "strict", "reference", "annotated"} <= candidate.right


@pytest.mark.parametrize(
    ("asked", "tree"),
    [
        ("c-h", "; ; = + y z N0 = + * N2 y * N3 z N1 = x - z y"),
        ("4*c", "; ; = + y z N0 = + * N2 y * N3 z N1 = x * N3 z"),
        ("c", "; = + x y N0 = + * N2 y * N3 x N1"),
    ],
)
def test_an_expression_that_is_asked_for_gets_an_equation(asked: str, tree: str) -> None:
    one = prepared(farm("more cows than hens", asks=(AskedFor(asked, HENS - COWS),)), "expressions")
    assert str(one.learned) == tree


def test_a_tree_with_an_equation_for_what_is_asked_agrees_with_the_labels() -> None:
    wanted = AskedFor("h-c", HENS - COWS)
    problem = replace(farm("more hens than cows", asks=(wanted,)), answers=(wanted.answer,))
    one = prepared(problem, "expressions")
    assert one.learned
    assert "- " in str(one.learned)
    assert tree_agrees(one.problem, one.learned, one.numbers)
    other = Uet.from_text("; ; = + y z N1 = + * N2 y * N3 z N0 = x - y z")
    assert not tree_agrees(one.problem, other, one.numbers)


def test_a_rounded_quotient_and_several_questions_get_no_equation() -> None:
    text = "A van holds 8 of 70 guests. How many vans are needed?"
    rounded = Problem("p", text, "en", ("x=70/8",), asks=(AskedFor("70/8", Fraction(9), rounding="up"),))
    several = farm(asks=(AskedFor("h", HENS), AskedFor("h-c", HENS - COWS)))
    for problem in (rounded, several):
        assert prepared(problem, "expressions").learned == prepared(problem).learned
