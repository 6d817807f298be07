"""A solved problem can be solved again with other numbers: its text and its answer follow."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError, NotATreeError
from sau_solver.solver import Solver
from sau_solver.text.numbers import map_text
from sau_solver.text.renumbering import renumbered

APPLES = map_text("Tom has 3 apples and buys twenty-five more. How many apples does he have?")
GARDEN = map_text("A garden is 5 meters longer than wide, and its area is 84 square meters. How wide is it?")
SUM, AREA = Uet.from_text("+ N0 N1"), Uet.from_text("= * x + x N0 N1")
values = st.fractions(min_value=-1_000, max_value=1_000, max_denominator=40)


@given(st.lists(values, min_size=2, max_size=2))
def test_every_word_and_number_stands_where_its_span_says(new: list[Fraction]) -> None:
    changed = renumbered(APPLES, new)
    assert [number.value for number in changed.numbers] == new
    assert all(changed.text[number.start : number.end] == number.text for number in changed.numbers)
    words = [w for k, w in enumerate(APPLES.words) if k not in APPLES.positions]
    spans = [s for k, s in enumerate(changed.spans) if k not in changed.positions]
    assert [changed.text[a:b].lower() for a, b in spans] == [word.lower() for word in words]


def test_a_number_that_stays_is_written_as_before() -> None:
    assert renumbered(APPLES, [Fraction(4), Fraction(25)]).text == APPLES.text.replace("3", "4")


def test_the_answer_and_its_steps_follow() -> None:
    solution = Solver.solve_again(APPLES, SUM, [Fraction(7, 2), Fraction(25)])
    assert solution.answers == (Fraction(57, 2),)
    assert solution.problem.startswith("Tom has 3.5 apples and buys twenty-five more.")
    assert any("“3.5 apples”" in step.text and "3.5 + 25 = 28.5" in step.text for step in solution.steps)


def test_the_root_is_chosen_anew() -> None:
    assert Solver.solve_again(GARDEN, AREA, [Fraction(4), Fraction(96)]).answers == (Fraction(8),)


def test_what_the_network_calls_x_is_the_answer_where_words_do_not_settle_it() -> None:
    text = map_text("Two things add up to 30, twice the first is 9 more than the other. How big is the blue?", "en")
    changed = [Fraction(33) if number.value == 30 else number.value for number in text.numbers]
    total, more = (place for place, number in enumerate(text.numbers) if number.value in (30, 9))
    tree = Uet.from_text(f"; = + x y N{total} = * 2 x + y N{more}")
    assert Solver.solve_again(text, tree, changed, asked_first="unknowns").answers == (Fraction(14),)
    assert Solver.solve_again(text, tree, changed).answers == (Fraction(14), Fraction(19))


def test_numbers_without_an_answer_are_told() -> None:
    solution = Solver.solve_again(GARDEN, AREA, [Fraction(4), Fraction(-100)])
    assert (solution.answers, solution.abstained) == ((), True)
    assert solution.reason == "With these numbers, the equations have no solution that could be the answer."


def test_too_few_numbers_and_a_tree_of_another_text_are_refused() -> None:
    with pytest.raises(InputError, match="has 2 numbers, but 1 values were given"):
        Solver.solve_again(APPLES, SUM, [Fraction(1)])
    with pytest.raises(NotATreeError, match="uses N7"):
        Solver.solve_again(APPLES, Uet.from_text("+ N0 N7"), [Fraction(1), Fraction(2)])
