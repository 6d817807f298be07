"""An epoch contains every problem of every network once, in batches of similar shape that depend on seeds and epoch."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.models.targets import EncodedProblem, EncodedTree
from sau_solver.training.buckets import Buckets, Step


def problem(words: int, depth: int) -> EncodedProblem:
    """Return a problem with the two properties that buckets use: length of the text and depth of the tree."""
    nothing = (0,) * (depth + 1)
    tree = EncodedTree(nothing, nothing, nothing, tuple(range(depth + 1)), nothing)
    return EncodedProblem((3,) * words, (), (), tree)


def corpus(count: int, seed: int = 0) -> list[EncodedProblem]:
    draw = random.Random(seed)
    return [problem(draw.randint(5, 80), min(draw.randint(1, 6), draw.randint(1, 12))) for _ in range(count)]


def batches_of(steps: list[Step], network: int) -> list[tuple[int, ...]]:
    return [step.problems[network] for step in steps]


corpora = st.lists(st.builds(problem, st.integers(1, 60), st.integers(0, 9)), max_size=150)


@given(corpora, st.integers(1, 12), st.integers(0, 5), st.integers(0, 5))
def test_every_problem_is_in_exactly_one_batch_of_an_epoch(
    problems: list[EncodedProblem], batch: int, seed: int, epoch: int
) -> None:
    buckets = Buckets.build([problems], batch)
    everything = list(range(len(problems)))
    assert sorted(chain.from_iterable(own for (own,) in buckets.members)) == everything
    steps = buckets.epoch([seed], epoch)
    assert sorted(chain.from_iterable(batches_of(steps, 0))) == everything
    for step in steps:
        (numbers,), (members,) = step.problems, buckets.members[step.bucket]
        assert set(numbers) <= set(members)
        assert 1 <= len(numbers) <= buckets.size(step.bucket) <= batch
        assert len(numbers) >= min(batch / 2, len(members))  # tiny only in a small bucket


@given(st.lists(corpora, min_size=1, max_size=3), st.integers(1, 12), st.integers(0, 5))
def test_stacked_networks_share_steps_that_contain_all_their_problems(
    networks: list[list[EncodedProblem]], batch: int, epoch: int
) -> None:
    buckets = Buckets.build(networks, batch)
    steps = buckets.epoch(range(len(networks)), epoch)
    for network, problems in enumerate(networks):
        assert sorted(chain.from_iterable(batches_of(steps, network))) == list(range(len(problems)))
    for bucket in range(len(buckets.members)):
        mine = [step for step in steps if step.bucket == bucket]
        assert len(mine) == buckets.steps(bucket)
        for network in range(len(networks)):
            sizes = [len(step.problems[network]) for step in mine]
            assert max(sizes) <= buckets.size(bucket) <= batch
            assert max(sizes) - min(sizes) <= 1  # a recorded step is padded to the largest


def test_an_epoch_repeats_with_its_seed_and_number_and_differs_with_others() -> None:
    problems = corpus(500)
    buckets = Buckets.build([problems], 16)
    first = buckets.epoch([1], 2)
    assert first == Buckets.build([problems], 16).epoch([1], 2)
    for seed, epoch in ((1, 3), (2, 2), (2, 1), (12, 0), (0, 12)):
        other = buckets.epoch([seed], epoch)
        assert other != first
        assert set(map(frozenset, batches_of(other, 0))) != set(map(frozenset, batches_of(first, 0)))
    assert buckets.epoch([1], 12) != buckets.epoch([11], 2)


def test_networks_with_different_seeds_get_different_batches_of_the_same_problems() -> None:
    problems = corpus(500)
    steps = Buckets.build([problems, problems], 16).epoch([1, 2], 0)
    assert set(map(frozenset, batches_of(steps, 0))) != set(map(frozenset, batches_of(steps, 1)))


def test_buckets_hold_problems_of_similar_shape() -> None:
    problems = corpus(4000)
    buckets = Buckets.build([problems], 32)
    assert len(buckets.members) > 5
    longest = [max(len(problems[number].words) for number in own) * len(own) for (own,) in buckets.members]
    real = sum(len(one.words) for one in problems)
    without_buckets = max(len(one.words) for one in problems) * len(problems)
    assert sum(longest) - real < 0.4 * (without_buckets - real)


def test_all_buckets_except_those_of_the_largest_problems_have_at_least_three_batches() -> None:
    buckets = Buckets.build([corpus(4000)], 32)
    small = [own for (own,) in buckets.members if len(own) < 3 * 32]
    assert len(small) <= 3  # the longest texts of each group of depths


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_few_problems_are_one_bucket_at_most(count: int) -> None:
    buckets = Buckets.build([corpus(count)], 32)
    assert len(buckets.members) == min(count, 1)
    assert len(buckets.epoch([0], 0)) == min(count, 1)


def test_problems_of_one_shape_are_one_bucket() -> None:
    assert len(Buckets.build([[problem(9, 2)] * 400], 16).members) == 1
