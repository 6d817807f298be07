"""Infix words match the printed equations and parse back to the same tree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.expressions import Unknown, to_text
from sau_solver.equations.symbols import Slot, Symbol, read_symbol
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.models.baselines.infix import CLOSE, OPEN, infix, infix_text, read_infix
from tests.models.cases import TARGETS, random_problem

TREES = st.integers(0, 10**6).map(lambda seed: random_tree(random.Random(seed)))


def random_tree(draw: random.Random) -> Uet:
    tree = random_problem(draw).tree
    assert tree is not None
    return Uet(tuple(TARGETS.symbol_of(symbol) if symbol >= 0 else Slot(9) for symbol in tree.symbols))


def words(text: str) -> list[Symbol]:
    return [word if word in (OPEN, CLOSE) else read_symbol(word) for word in text.split()]


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ("; = + x y N0 = + * 2 x * 4 y N1", "x + y = N0 ; 2 * x + 4 * y = N1"),
        ("- N0 - N1 N2", "N0 - ( N1 - N2 )"),
        ("- - N0 N1 N2", "N0 - N1 - N2"),
        ("* + N0 N1 N2", "( N0 + N1 ) * N2"),
        ("^ ^ x 2 3", "( x ^ 2 ) ^ 3"),
        ("^ x ^ 2 3", "x ^ 2 ^ 3"),
        ("; ; = x 1 = y 2 = x y", "x = 1 ; y = 2 ; x = y"),
        ("N0", "N0"),
    ],
)
def test_infix_order_has_as_few_brackets_as_possible(tree: str, text: str) -> None:
    assert infix_text(infix(Uet.from_text(tree))) == text
    assert read_infix(words(text)) == Uet.from_text(tree)


@given(TREES)
def test_the_words_of_a_tree_parse_back_to_it(tree: Uet) -> None:
    assert read_infix(infix(tree)) == tree


@given(TREES)
def test_words_match_the_printed_equations(tree: Uet) -> None:
    named = Uet(tuple(s if isinstance(s, str) else Unknown(f"a{i}") for i, s in enumerate(tree.symbols)))
    printed = to_text(named.equations())
    if tree.symbols[0] not in (";", "="):
        printed = printed.removeprefix("x=")
    assert infix_text(infix(named)).replace(" ", "") == printed.replace(" ", "")


@pytest.mark.parametrize(
    "text", ["", "x =", "( N0", "N0 )", "N0 N1", "+ N0", "N0 + ;", "x = 1 ; N0", "x = 1 = 2", "( x = 1 )"]
)
def test_words_that_form_no_equation_are_refused(text: str) -> None:
    with pytest.raises(NotATreeError):
        read_infix(words(text))
