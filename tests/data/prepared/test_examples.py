"""A problem becomes a mapped text with a gold tree over its numbers."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.data.prepared.examples import examples_of, first_slots, prepare, prepare_all
from sau_solver.equations.uet import Uet
from sau_solver.problem import Problem

SEGMENTED = Problem(
    "1",
    "一共三只，又来了2只",
    "zh",
    ("x=3+2",),
    (Fraction(5),),
    words=("1", "共", "3", "只", "，", "又", "来", "了", "2", "只"),
)


def test_published_text_uses_the_published_words_and_raw_text_our_own_mapping() -> None:
    published, raw = prepare(SEGMENTED, "published"), prepare(SEGMENTED, "raw")
    assert published.text.words[:3] == ("NUM", "共", "NUM")
    assert published.numbers == (Fraction(1), Fraction(3), Fraction(2))
    assert raw.text.text == SEGMENTED.text
    assert raw.numbers == (Fraction(3), Fraction(2))


def test_slots_follow_the_text_and_arithmetic_corpora_drop_the_unknown() -> None:
    assert str(prepare(SEGMENTED, "published").tree) == "= x + N1 N2"
    assert str(prepare_all([SEGMENTED], "math23k", "published")[0].tree) == "+ N1 N2"


def test_unknowns_are_renamed_in_order_of_appearance() -> None:
    problem = Problem("1", "6 hens and cows", "en", ("hens+cows=6", "hens=2*cows"))
    assert str(prepare(problem, "published").tree) == "; = + x y N0 = x * 2 y"


def test_a_problem_without_a_tree_is_not_learned_but_keeps_its_text() -> None:
    unread = prepare(Problem("1", "3 hens", "en", ("x=(3",)), "raw")
    no_tree = prepare(Problem("2", "3 hens", "en", ("x=gcd(3,6)",)), "raw")
    assert unread.statements is None
    assert unread.tree is None
    assert no_tree.statements is not None
    assert no_tree.tree is None
    assert list(examples_of([unread, no_tree])) == []
    assert unread.numbers == (Fraction(3),)


def test_slots_of_equal_value_count_as_the_first_of_them() -> None:
    numbers = (Fraction(2), Fraction(3), Fraction(2))
    assert str(first_slots(Uet.from_text("+ N2 * N1 N5"), numbers)) == "+ N0 * N1 N5"
