"""The plan of a stack machine matches a plain stack, and the grammar permits exactly the complete trees."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.uet import Uet
from sau_solver.models.baselines.postfix import ENDING, NOTHING, PostfixGrammar, postfix_order, stack_plan, to_prefix
from sau_solver.models.targets import EQUALS, SEMICOLON, EncodedTree, Targets, encode_tree
from tests.models.cases import TARGETS, random_problem

SEEDS = st.integers(0, 10**6)


def random_encoded(seed: int) -> EncodedTree:
    tree = random_problem(random.Random(seed)).tree
    assert tree is not None
    return tree


def test_the_plan_of_two_equations() -> None:
    plan = stack_plan(encode_tree(Uet.from_text("; = x N0 = y 2"), TARGETS))
    assert plan.written == (2, 3, 1, 5, 6, 4, 0, ENDING)
    assert plan.top == (NOTHING, 2, 3, 1, 5, 6, 4, 0)
    assert plan.below == (NOTHING, NOTHING, 2, NOTHING, 1, 5, 1, NOTHING)


@given(SEEDS)
def test_the_tops_match_a_plain_stack(seed: int) -> None:
    tree = random_encoded(seed)
    plan = stack_plan(tree)
    stack: list[int] = []
    for node, top, below in zip(plan.written, plan.top, plan.below, strict=True):
        assert top == (stack[-1] if stack else NOTHING)
        assert below == (stack[-2] if len(stack) > 1 else NOTHING)
        if node == ENDING:
            break
        if tree.left[node] >= 0:
            assert (stack.pop(), stack.pop()) == (tree.right[node], tree.left[node])
        stack.append(node)
    assert stack == [0]
    assert len(plan.written) == len(tree.symbols) + 1


@given(SEEDS)
def test_postfix_order_converts_back_to_the_tree(seed: int) -> None:
    tree = random_encoded(seed)
    # A rare constant has no id; any leaf can replace it.
    symbols = [symbol if symbol >= 0 else TARGETS.operators for symbol in tree.symbols]
    assert to_prefix([symbols[node] for node in postfix_order(tree)], TARGETS.operators) == symbols


def sequences(targets: Targets, longest: int) -> set[tuple[int, ...]]:
    """Return all sequences that the grammar permits, with one leaf in place of all."""
    grammar, leaf = PostfixGrammar(targets, longest), targets.operators
    complete = set()
    pending: list[tuple[tuple[int, ...], int, int]] = [((), 0, 0)]
    while pending:
        written, statements, expressions = pending.pop()
        held, open_ones, length = (torch.tensor(value) for value in (statements, expressions, len(written)))
        may = grammar.permitted(held, open_ones, length, targets.operators + 1).tolist()
        assert any(may), written  # at least one symbol is always permitted
        if may[0]:
            complete.add(written)
        for symbol in (symbol for symbol in range(leaf + 1) if may[symbol + 1]):
            more = {SEMICOLON: (-1, 0), EQUALS: (1, -2), leaf: (0, 1)}.get(symbol, (0, -1))
            pending.append(((*written, symbol), statements + more[0], expressions + more[1]))
    return complete


def trees(kind: str, length: int) -> list[tuple[int, ...]]:
    """Return all statements or expressions of a length in postfix order."""
    if length == 1:
        return [(TARGETS.operators,)] if kind == "expression" else []
    found = []
    for operator in range(TARGETS.operators):
        inside = "statement" if operator == SEMICOLON else "expression"
        if (operator in (SEMICOLON, EQUALS)) != (kind == "statement"):
            continue
        for left in range(1, length - 1):
            pairs = product(trees(inside, left), trees(inside, length - 1 - left))
            found += [(*one, *other, operator) for one, other in pairs]
    return found


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 7])
@pytest.mark.parametrize(("equations", "expressions"), [(True, False), (False, True), (True, True)])
def test_the_grammar_permits_exactly_the_complete_trees(longest: int, equations: bool, expressions: bool) -> None:
    targets = replace(TARGETS, equations=equations, expressions=expressions)
    kinds = [kind for kind, allowed in (("statement", equations), ("expression", expressions)) if allowed]
    expected = {one for kind in kinds for length in range(1, longest + 1) for one in trees(kind, length)}
    if expected:
        assert sequences(targets, longest) == expected
