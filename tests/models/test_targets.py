"""Symbols and ids translate into each other; an encoded tree has the right children, depths and heights."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equations, Number, Unknown
from sau_solver.equations.symbols import OPERATORS, Slot, Symbol, symbol_text
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.models.options import SauOptions
from sau_solver.models.targets import (
    EQUALS,
    RARE,
    SEMICOLON,
    EncodedTree,
    Targets,
    encode_text,
    encode_tree,
)
from sau_solver.text.numbers import map_text, map_words
from sau_solver.text.tokens import UNKNOWN_WORD, Vocabulary
from tests.strategies import arithmetic, equation_lists

TARGETS = Targets(("x", "y"), (Fraction(2), Fraction(1, 3)))
some_targets = st.builds(
    Targets,
    st.lists(st.sampled_from("xyzuvw"), unique=True).map(tuple),
    st.lists(st.fractions(), unique=True, max_size=5).map(tuple),
    padding=st.integers(0, 2),
)


@given(some_targets, st.integers(0, 40))
def test_an_id_is_the_symbol_that_it_came_from(targets: Targets, slot: int) -> None:
    for index in chain(range(targets.generated - targets.padding), range(targets.generated, targets.generated + 5)):
        assert targets.id_of(targets.symbol_of(index)) == index
    assert targets.symbol_of(targets.id_of(Slot(slot))) == Slot(slot)
    leaves: list[Symbol] = [*map(Unknown, targets.unknowns), *map(Number, targets.constants)]
    for symbol in (*OPERATORS, *leaves):
        assert targets.symbol_of(targets.id_of(symbol)) == symbol


def test_the_vocabulary_keeps_frequent_constants() -> None:
    trees = [Uet.from_text("= x + 2 157/50")] * 5 + [Uet.from_text("= y 7")]
    assert Targets.build(trees, 5) == Targets(("x", "y"), (Fraction(2), Fraction(157, 50)))


def test_operators_come_first_then_unknowns_constants_and_slots() -> None:
    symbols = [symbol_text(TARGETS.symbol_of(index)) for index in range(TARGETS.generated + 2)]
    assert symbols == [*OPERATORS, "x", "y", "2", "1/3", "N0", "N1"]
    assert (TARGETS.operators, TARGETS.leaves, TARGETS.generated) == (7, 4, 11)
    assert (TARGETS.symbol_of(SEMICOLON), TARGETS.symbol_of(EQUALS)) == (";", "=")


def test_symbols_outside_the_training_trees_have_no_id() -> None:
    assert TARGETS.id_of(Number(Fraction(99))) == RARE
    assert TARGETS.id_of(Unknown("z")) == RARE


def test_targets_are_the_frequent_symbols_of_training_trees() -> None:
    trees = [Uet.from_text(text) for text in ("= + y 2 3", "= y * 2 N0", "= x 3", "= y 7")]
    targets = Targets.build(trees, 2)
    assert targets.unknowns == ("y", "x")
    assert targets.constants == (Fraction(2), Fraction(3))
    assert Targets.build(trees, 1).constants == (Fraction(2), Fraction(3), Fraction(7))
    assert Targets.build(trees, 3).constants == ()


@pytest.mark.parametrize(
    ("trees", "equations", "expressions"),
    [(["= x 1", "; = x 1 = y 2"], True, False), (["+ N0 1", "N0"], False, True), (["= x 1", "+ 1 2"], True, True)],
)
def test_roots_are_restricted_to_those_of_training_trees(trees: list[str], equations: bool, expressions: bool) -> None:
    targets = Targets.build([Uet.from_text(tree) for tree in trees], 1)
    assert (targets.equations, targets.expressions) == (equations, expressions)


def test_targets_need_a_tree() -> None:
    with pytest.raises(InputError, match="at least one problem"):
        Targets.build([], 5)


def test_a_tree_in_ids() -> None:
    tree = encode_tree(Uet.from_text("; = x N1 = + y 99 2"), TARGETS)
    assert tree.symbols == (0, 1, 7, 12, 1, 2, 8, RARE, 9)
    assert tree.left == (1, 2, -1, -1, 5, 6, -1, -1, -1)
    assert tree.right == (4, 3, -1, -1, 8, 7, -1, -1, -1)
    assert tree.depth == (0, 1, 2, 2, 1, 2, 3, 3, 2)
    assert tree.height == (3, 1, 0, 0, 2, 1, 0, 0, 0)
    assert tree.operators() == [0, 1, 4, 5]
    assert tree.leaves() == [2, 3, 6, 7, 8]


def test_a_tree_of_one_leaf() -> None:
    assert encode_tree(Uet.from_text("N0"), TARGETS) == EncodedTree((11,), (-1,), (-1,), (0,), (0,))


def walked(tree: EncodedTree, node: int, depth: int) -> tuple[int, int]:
    """Check a subtree recursively; return its height and the position after it."""
    assert tree.depth[node] == depth
    if tree.left[node] < 0:
        assert tree.right[node] < 0
        assert tree.height[node] == 0
        return 0, node + 1
    assert tree.left[node] == node + 1
    left, after = walked(tree, tree.left[node], depth + 1)
    assert tree.right[node] == after
    right, after = walked(tree, tree.right[node], depth + 1)
    assert tree.height[node] == 1 + max(left, right)
    return tree.height[node], after


@given(equation_lists(arithmetic), st.integers(1, 3))
def test_children_depths_and_heights_are_those_of_a_walk_through_the_tree(equations: Equations, least: int) -> None:
    uet = Uet.from_equations(equations)
    targets = Targets.build([uet], least)
    tree = encode_tree(uet, targets)
    assert walked(tree, 0, 0)[1] == len(uet) == len(tree.symbols)
    assert sorted(tree.operators() + tree.leaves()) == list(range(len(uet)))
    for symbol, index in zip(uet.symbols, tree.symbols, strict=True):
        assert index == RARE or targets.symbol_of(index) == symbol
        assert index != RARE or isinstance(symbol, Number)


def test_an_encoded_text_has_the_positions_of_its_numbers_and_knows_equal_ones() -> None:
    words = Vocabulary(("apples", "has"))
    found = encode_text(map_text("Tom has 3 apples, 1/2 of 3, 0.5 of a pie", "en"), words)
    assert len(found.places) == 4
    assert found.same == (0, 1, 0, 1)
    assert all(found.words[place] == words.ids(["NUM"])[0] for place in found.places)
    assert found.words[1] == words.ids(["has"])[0]
    assert found.tree is None


def test_a_text_without_words_is_one_unknown_word() -> None:
    found = encode_text(map_words([], "en"), Vocabulary(()))
    assert (found.words, found.places, found.same) == ((UNKNOWN_WORD,), (), ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden": 0},
        {"embedding": -1},
        {"longest_tree": 0},
        {"dropout": 1.0},
        {"dropout": -0.1},
        {"ssar": -1},
        {"operator_size": "embedding", "operator_score": "additive"},
    ],
)
def test_impossible_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"\[sau\]"):
        SauOptions(**wrong)  # type: ignore[arg-type]
