"""The beam search in tensors finds the same trees as a search one hypothesis at a time, and only complete ones."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.node_by_node import oracle_search
from sau_solver.equations.uet import Uet
from sau_solver.models.network import Found
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import EncodedProblem, Targets
from tests.models.cases import (
    FEW,
    TARGETS,
    VARIANTS,
    network,
    problem,
    random_problem,
    random_problems,
    small_problems,
    sweep,
)

ARITHMETIC = replace(TARGETS, equations=False)
EQUATIONS = replace(TARGETS, expressions=False)
KINDS = {"mixed": TARGETS, "arithmetic": ARITHMETIC, "equations": EQUATIONS}
NOTHING = Targets((), (), equations=True, expressions=True)


def some_problems(count: int = 6) -> list[EncodedProblem]:
    draw = random.Random(7)
    return [*small_problems().values(), *(random_problem(draw) for _ in range(count))]


def variant(number: int, longest: int) -> SauOptions:
    return replace(VARIANTS[number], longest_tree=longest)


def assert_same(found: Found, expected: list[tuple[list[int], float]]) -> None:
    assert found.symbols == [symbols for symbols, _ in expected]
    assert found.log_probabilities == pytest.approx([score for _, score in expected], rel=1e-9, abs=1e-9)


def assert_as_the_oracle(made: SauNetwork, problems: Sequence[EncodedProblem], beam: int) -> list[Found]:
    found = made.search(collate_texts(problems), beam)
    for one, mine in zip(problems, found, strict=True):
        assert_same(mine, oracle_search(made, one, beam))
    return found


def trees(found: Found, targets: Targets) -> list[Uet]:
    return [Uet(tuple(map(targets.symbol_of, symbols))) for symbols in found.symbols]


@pytest.mark.parametrize("beam", [1, 2, 5])
@pytest.mark.parametrize("longest", [5, *(pytest.param(longest, marks=pytest.mark.slow) for longest in (7, 9, 45))])
@pytest.mark.parametrize("kind", KINDS)
def test_the_search_finds_what_the_oracle_finds(kind: str, longest: int, beam: int) -> None:
    seed = 10 * longest + beam
    made = network(variant(seed % len(VARIANTS), longest), seed, 3, KINDS[kind])
    assert_as_the_oracle(made, some_problems(2)[seed % 5 :: 3], beam)


@pytest.mark.parametrize("options", sweep(15))
def test_every_variant_is_searched_as_it_is_trained(options: SauOptions) -> None:
    made = network(replace(options, longest_tree=15), seed=3, scale=4)
    assert_as_the_oracle(made, some_problems(1)[::2], 3)


@FEW
@given(random_problems, st.sampled_from(VARIANTS), st.integers(1, 13), st.integers(1, 6), st.integers(0, 99))
def test_random_networks_and_problems(
    problems: list[EncodedProblem], options: SauOptions, longest: int, beam: int, seed: int
) -> None:
    targets = list(KINDS.values())[seed % 3]
    made = network(replace(options, longest_tree=longest), seed, 1 + seed % 5, targets)
    assert_as_the_oracle(made, problems, beam)


@pytest.mark.slow
def test_random_networks_write_trees_of_many_kinds() -> None:
    """The comparisons above cover one leaf, one equation and several, short trees and the longest ones."""
    written = set()
    for seed in range(12):
        made = network(variant(seed, 13), seed, 4)
        for found in made.search(collate_texts(some_problems()), 5):
            written |= set(trees(found, TARGETS))
    assert {1, 3, 5, 7, 9, 11, 13} == {len(tree) for tree in written}
    assert {len(tree.equations([Fraction(2)] * 9)) for tree in written} >= {1, 2}
    assert len(written) > 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("longest", [1, 2, 3, 4, 6, *(pytest.param(n, marks=pytest.mark.slow) for n in (8, 21))])
def test_found_trees_are_complete_well_formed_and_not_too_long(kind: str, longest: int) -> None:
    targets = KINDS[kind]
    problems = some_problems()
    for seed in range(3):
        made = network(variant(seed, longest), seed, 5, targets)
        for one, found in zip(problems, made.search(collate_texts(problems), 5), strict=True):
            written = trees(found, targets)
            assert written or (kind == "equations" and longest < 3)
            assert len(set(written)) == len(written) <= 5
            assert found.log_probabilities == sorted(found.log_probabilities, reverse=True)
            assert all(log <= 0 for log in found.log_probabilities)
            for tree in written:
                assert len(tree) <= longest
                assert tree.slots() <= set(one.same)  # existing slots, each the first of its value
                assert (tree.symbols[0] in (";", "=")) if kind == "equations" else True
                assert kind != "arithmetic" or not {";", "="} & set(tree.symbols)


def test_the_only_tree_of_an_equation_that_fits_three_symbols() -> None:
    """If all symbols are equally probable, only the grammar restricts the search."""
    made = network(variant(0, 3), targets=EQUATIONS)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.zero_()
    (found,) = made.search(collate_texts([problem("3 =8 4", "= x N0")]), 100)
    leaves = EQUATIONS.leaves + 1
    assert len(found.symbols) == leaves**2
    assert all(tree.symbols[0] == "=" for tree in trees(found, EQUATIONS))
    expected = -3 * math.log(EQUATIONS.generated + 1)
    assert found.log_probabilities == pytest.approx([expected] * leaves**2)


@pytest.mark.parametrize("seed", range(3))
def test_other_problems_of_a_batch_do_not_matter(seed: int) -> None:
    problems = some_problems(10)
    made = network(variant(4 * seed, 21), seed, 4)
    together = made.search(collate_texts(problems), 4)
    order = list(range(len(problems)))
    random.Random(seed).shuffle(order)
    for chosen in (order, order[:3], order[-1:]):
        for number, found in zip(chosen, made.search(collate_texts([problems[i] for i in chosen]), 4), strict=True):
            assert_same(found, list(zip(together[number].symbols, together[number].log_probabilities, strict=True)))


def test_slots_of_equal_value_are_one_symbol() -> None:
    made = network(variant(0, 3))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.zero_()
    (found,) = made.search(collate_texts([problem("=7 3 =8 4 =8 5 =8", "N0")]), 2)
    assert str(trees(found, TARGETS)[0]) == "N1"
    assert found.log_probabilities[0] == pytest.approx(math.log(3 / (TARGETS.generated + 4)))


def test_a_problem_without_numbers_is_searched() -> None:
    one = problem("3 4 5", "= x 2")
    for number in range(4):
        made = network(variant(number, 9), number, 4)
        (found,) = assert_as_the_oracle(made, [one], 5)
        assert len(found.symbols) == 5
        assert not any(tree.slots() for tree in trees(found, TARGETS))


@pytest.mark.parametrize("number", [0, 4])
def test_without_a_possible_leaf_nothing_is_found(number: int) -> None:
    """The other problems of the batch still get their trees."""
    made = network(variant(number, 9), targets=NOTHING, scale=3)
    one, other = problem("3 4 5", "99", NOTHING), problem("3 =4 5", "N0", NOTHING)
    assert made.search(collate_texts([one]), 5) == [Found([], [])]
    first, second, third = assert_as_the_oracle(made, [one, other, one], 5)
    assert first == third == Found([], [])
    assert len(second.symbols) == 5


def test_a_very_sure_network_still_finds_a_complete_tree() -> None:
    """In float32 e^-150 is 0; the network is sure of `+` until the length limit forces leaves."""
    made = network(replace(variant(2, 9), operator_score="linear"))
    assert made.decoder.score_operators is not None
    with torch.no_grad():
        made.decoder.score_operators.bias[2] = 150
    (expected,) = assert_as_the_oracle(made, [problem("3 =4 5 =4", "N0")], 3)
    (found,) = made.float().search(collate_texts([problem("3 =4 5 =4", "N0")]), 3)
    assert len(found.symbols) == 3
    assert found.log_probabilities == pytest.approx(expected.log_probabilities, rel=1e-5)


def test_a_search_leaves_no_graph_and_changes_nothing() -> None:
    made = network(variant(0, 9), scale=3)
    before = {name: value.clone() for name, value in made.state_dict().items()}
    texts = collate_texts(some_problems())
    first, second = made.search(texts, 3), made.search(texts, 3)
    assert first == second
    assert all(torch.equal(before[name], value) for name, value in made.state_dict().items())
    assert all(parameter.grad is None for parameter in made.parameters())
