"""An epoch contains every problem of every network once, in batches of similar shape that depend on seeds and epoch."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
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


weighed = st.lists(
    st.tuples(st.builds(problem, st.integers(1, 60), st.integers(0, 9)), st.sampled_from([0.05, 0.25, 1.0, 1.5, 3.0])),
    max_size=150,
)


@given(st.lists(weighed, min_size=1, max_size=3), st.integers(1, 12), st.integers(0, 5))
def test_a_weight_says_how_often_an_epoch_has_a_problem(
    networks: list[list[tuple[EncodedProblem, float]]], batch: int, epoch: int
) -> None:
    weights = [[weight for _, weight in own] for own in networks]
    buckets = Buckets.build([[one for one, _ in own] for own in networks], batch, weights=weights)
    steps = buckets.epoch(range(len(networks)), epoch)
    for network, own in enumerate(weights):
        seen = Counter(chain.from_iterable(batches_of(steps, network)))
        for number, weight in enumerate(own):
            assert int(weight) <= seen[number] <= math.ceil(weight)
    for bucket in range(len(buckets.members)):
        mine = [step for step in steps if step.bucket == bucket]
        assert len(mine) <= buckets.steps(bucket)
        for step in mine:
            assert any(step.problems)  # no step is empty for all networks
            assert all(len(own) <= buckets.size(bucket) <= batch for own in step.problems)
        for network in range(len(networks)):
            sizes = [len(step.problems[network]) for step in mine]
            assert max(sizes, default=0) - min(sizes, default=0) <= 1


def test_weights_of_one_give_the_batches_of_no_weights() -> None:
    problems = [corpus(700), corpus(500, seed=1)]
    for recorded in (True, False):
        plain = Buckets.build(problems, 16, recorded)
        ones = Buckets.build(problems, 16, recorded, [[1.0] * 700, [1.0] * 500])
        assert ones == plain
        assert ones.epoch([1, 2], 3) == plain.epoch([1, 2], 3)
    digest = hashlib.sha256(repr([(step.bucket, step.problems) for step in plain.epoch([1, 2], 3)]).encode())
    assert digest.hexdigest()[:16] == "3a8981b7ba705deb"  # as before there were weights


def test_a_fraction_is_drawn_anew_for_each_epoch_and_seed() -> None:
    problems, weights = corpus(800), [0.25] * 400 + [2.5] * 400
    buckets = Buckets.build([problems], 16, weights=[weights])

    def seen_in(seed: int, epoch: int) -> Counter[int]:
        return Counter(chain.from_iterable(batches_of(buckets.epoch([seed], epoch), 0)))

    epochs = [seen_in(seed, epoch) for seed in (1, 2) for epoch in range(20)]
    assert epochs[0] == seen_in(1, 0)
    quarters = [frozenset(number for number in seen if number < 400) for seen in epochs]
    assert len(set(quarters)) == len(quarters)
    for seen in epochs:
        assert abs(sum(count for number, count in seen.items() if number < 400) - 100) <= len(buckets.members)
        assert abs(sum(count for number, count in seen.items() if number >= 400) - 1000) <= len(buckets.members)
    assert len(frozenset.union(*quarters)) == 400  # over many epochs every problem is seen
    sizes = [len(own) for step in buckets.epoch([1], 0) for own in step.problems]
    assert min(sizes) >= 8


def test_a_rare_problem_in_a_bucket_of_its_own_is_sometimes_seen() -> None:
    buckets = Buckets.build([[problem(9, 2)]], 16, weights=[[0.25]])
    seen = sum(len(buckets.epoch([0], epoch)) for epoch in range(400))
    assert 60 < seen < 140
