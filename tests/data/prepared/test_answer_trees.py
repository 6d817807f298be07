"""The search over a text's numbers finds exactly the trees within its bounds that give the answer, simplest first."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.prepared.answer_trees import AnswerTree, Bounds, answer_trees, shadow_numbers, simplest
from sau_solver.equations.expressions import Equation, Number, Operation, Unknown
from sau_solver.equations.normal_form import normal_form
from sau_solver.equations.uet import Uet
from sau_solver.solving import solve
from tests.strategies import times

Leaf = tuple[Fraction, Fraction, bool]  # value, shadow, and whether it may be added
Made = tuple[Fraction, Fraction]  # value and shadow


def fractions(*texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts]


def texts(found: list[AnswerTree]) -> list[str]:
    return [str(one.tree) for one in found]


def value_of(tree: Uet, numbers: list[Fraction]) -> Fraction:
    (solution,) = solve(tree.equations(numbers)).solutions
    (value,) = solution.values()
    assert isinstance(value, Fraction)
    return value


def every_tree(leaves: list[Leaf]) -> Iterator[Made]:
    """Yield every tree over all the leaves, in every order and shape, that has only positive values inside."""
    if len(leaves) == 1:
        yield leaves[0][:2]
        return
    for chosen in range(1, 2 ** len(leaves) - 1):
        left = [leaf for place, leaf in enumerate(leaves) if chosen >> place & 1]
        right = [leaf for place, leaf in enumerate(leaves) if not chosen >> place & 1]
        only_factor = any(len(side) == 1 and not side[0][2] for side in (left, right))
        for a, s in every_tree(left):
            for b, t in every_tree(right):
                yield a * b, s * t
                yield a / b, s / t
                if not only_factor:
                    yield a + b, s + t
                    if a > b:
                        yield a - b, s - t


def brute_force(numbers: list[Fraction], answer: Fraction, constants: list[Fraction], leaves: int) -> set[Fraction]:
    """Return the meanings of all trees that give the answer."""
    shadows = dict(zip(numbers, shadow_numbers(numbers), strict=True))
    own: list[Leaf] = [(number, shadows[number], True) for number in numbers]
    extras: list[Leaf] = [(value, value, value == 1) for value in constants if value not in shadows]
    extras += [(value, shadow, True) for value, shadow in shadows.items()]
    found = set()
    for chosen in range(1, 2 ** len(own)):
        used = [leaf for place, leaf in enumerate(own) if chosen >> place & 1]
        for extra in ([], *([one] for one in extras)):
            if 2 <= len(used) + len(extra) <= leaves:
                found |= {shadow for value, shadow in every_tree([*used, *extra]) if value == answer}
    return found - {shadow for _, shadow, _ in (*own, *extras)}


class TestAgainstBruteForce:
    @pytest.mark.parametrize("answer", ["24", "3/4"])
    @pytest.mark.parametrize(
        "numbers", [("12", "2"), ("3", "8", "25"), ("5", "5", "2"), ("1", "6", "4"), ("0.3", "20", "4")]
    )
    def test_the_same_meanings_are_found(self, numbers: tuple[str, ...], answer: str) -> None:
        given_numbers, constants = fractions(*numbers), fractions("1", "10")
        found = answer_trees(given_numbers, Fraction(answer), constants, Bounds(rounded_operators=0, trees=10_000))
        meanings = {value_of(one.tree, shadow_numbers(given_numbers)) for one in found}
        assert meanings == brute_force(given_numbers, Fraction(answer), constants, leaves=4)
        assert len(meanings) == len(found)

    @pytest.mark.slow
    def test_four_operators_over_numbers_of_the_text_alone(self) -> None:
        numbers = fractions("2", "3", "7", "11", "30")
        found = answer_trees(numbers, Fraction(5), [], Bounds(operators=1, trees=10_000))
        shadows = shadow_numbers(numbers)
        plain = {value_of(one.tree, shadows) for one in found if not one.extra and one.operators == 4}
        every = {shadow for value, shadow in every_tree(list(zip(numbers, shadows, [True] * 5))) if value == 5}  # noqa: B905
        assert plain == every

    def test_numbers_of_equal_value_can_each_be_used(self) -> None:
        found = answer_trees(fractions("5", "5", "3", "9"), Fraction(112), [])  # (5+3)*(5+9)
        assert "* + N0 N2 + N0 N3" in texts(found)


@times(12)
@given(
    st.lists(st.sampled_from(fractions("1", "2", "3", "8", "15", "1/4", "0.6", "40")), min_size=2, max_size=5),
    st.sampled_from(fractions("1/2", "6", "7.5", "10", "46", "120")),
)
def test_every_tree_gives_the_answer_and_is_in_normal_form(numbers: list[Fraction], answer: Fraction) -> None:
    found = answer_trees(numbers, answer)
    assert [one.rank for one in found] == sorted(one.rank for one in found)
    assert len({one.tree for one in found}) == len(found)
    for one in found:
        value = value_of(one.tree, numbers)
        assert (value == answer) == one.exact
        assert abs(value - answer) <= answer / 99
        equations = one.tree.equations(numbers)
        assert Uet.from_equations(normal_form(equations, numbers, "ordered"), numbers, drop_unknown=True) == one.tree


class TestRounding:
    def test_an_answer_with_decimals_may_be_rounded(self) -> None:
        (first, *_) = answer_trees(fractions("10", "3"), Fraction("3.33"))
        assert (str(first.tree), first.exact) == ("/ N0 N1", False)

    def test_a_whole_answer_is_not_a_fraction_that_is_far_from_it(self) -> None:
        assert answer_trees(fractions("38", "7"), Fraction(5), []) == []

    def test_a_small_answer_must_be_nearly_exact(self) -> None:
        brief = Bounds(operators=1, plain_operators=1, rounded_operators=1)
        assert answer_trees(fractions("4900", "150"), Fraction("0.03"), [], brief) == []  # 150/4900 is 0.0306
        assert answer_trees(fractions("4900", "148"), Fraction("0.03"), [], brief) != []  # 148/4900 is 0.0302

    def test_an_exact_tree_goes_before_all_rounded_ones(self) -> None:
        found = answer_trees(fractions("10", "3", "333"), Fraction("3.33"))
        assert all(one.exact for one in found)
        assert "/ N2 100" in texts(found)


class TestBounds:
    def test_a_constant_is_not_added_to_a_quantity(self) -> None:
        assert answer_trees(fractions("40", "7"), Fraction(100), fractions("60")) == []
        assert texts(answer_trees(fractions("2", "7"), Fraction(120), fractions("60"))) == ["* 60 N0"]

    def test_texts_with_many_numbers_are_not_searched(self) -> None:
        numbers = list(map(Fraction, range(2, 11)))
        assert answer_trees(numbers, Fraction(5), bounds=Bounds(numbers=8)) == []
        assert answer_trees(numbers[:8], Fraction(5), bounds=Bounds(numbers=8))

    def test_the_simplest_trees_are_kept_if_there_are_too_many(self) -> None:
        numbers = fractions("2", "3", "4", "6")
        every, some = (answer_trees(numbers, Fraction(12), bounds=Bounds(trees=trees)) for trees in (10_000, 7))
        assert len(every) > 100
        assert texts(some) == texts(every)[:7]

    def test_a_full_table_ends_the_search_and_not_the_program(self) -> None:
        numbers = fractions("2", "3", "4", "6", "12", "48")
        assert len(answer_trees(numbers, Fraction(24), bounds=Bounds(entries=50))) > 0

    @pytest.mark.parametrize(("numbers", "answer"), [([], "3"), (["4"], "0"), (["4", "5"], "-1"), (["0", "-2"], "4")])
    def test_nothing_is_found_where_nothing_can_be(self, numbers: list[str], answer: str) -> None:
        assert answer_trees(fractions(*numbers), Fraction(answer)) == []


class TestSimplest:
    def test_the_only_simplest_tree_is_unambiguous(self) -> None:
        found = simplest(answer_trees(fractions("12", "4"), Fraction(48)))
        assert found is not None
        assert str(found.tree) == "* N0 N1"

    @pytest.mark.parametrize(
        ("numbers", "answer"),
        [(("2", "2"), "4"), (("4", "2"), "2"), (("3", "8"), "6"), (("10", "3"), "3.33"), (("1", "1"), "9")],
        ids=["sum or product", "difference or quotient", "needs a constant", "rounded", "none"],
    )
    def test_otherwise_there_is_none(self, numbers: tuple[str, ...], answer: str) -> None:
        assert simplest(answer_trees(fractions(*numbers), Fraction(answer))) is None


def test_a_one_is_the_whole_in_every_meaning() -> None:
    numbers = fractions("1", "0.4", "30")
    shadows = shadow_numbers(numbers)
    assert shadows[0] == 1
    assert len(set(shadows)) == 3
    rest = Operation("-", Number(Fraction(1)), Number(shadows[1]))
    whole = Equation(Unknown("x"), Operation("*", Number(shadows[2]), rest))
    (first, *_) = answer_trees(numbers, Fraction(18))
    assert value_of(first.tree, shadows) == value_of(Uet.from_equations((whole,)), [])
