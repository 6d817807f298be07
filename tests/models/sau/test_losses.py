"""Losses and gradients computed level by level equal those of a decoder that visits one node at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from benchmarks.node_by_node import oracle_losses
from sau_solver.models.layers.dropout import Noise, keep_all
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Batch, PaddedTrees, collate
from sau_solver.models.targets import EncodedProblem
from tests.models.cases import (
    FEW,
    TARGETS,
    VARIANTS,
    close,
    gradients,
    network,
    problem,
    random_problem,
    random_problems,
    small_problems,
    sweep,
    variant_name,
)

CPU = torch.device("cpu")
Problems = Sequence[EncodedProblem]


def dense(problems: Problems, chosen: Sequence[int] | None = None, blanks: int = 0) -> Batch:
    shelf = PaddedTrees(problems, TARGETS, CPU)
    numbers = list(range(len(problems))) if chosen is None else list(chosen)
    return shelf.pick(torch.tensor(numbers + [shelf.blank] * blanks))


def assert_as_the_oracle(made: SauNetwork, batch: Batch, problems: Problems, smoothing: float = 0.0) -> None:
    found = made.losses(batch, keep_all, smoothing)
    expected = oracle_losses(made, problems, smoothing)
    close(found.total, expected.total)
    close(found.symbols, expected.symbols.view(1))
    close(found.alignment, expected.alignment.view(1))
    assert (int(found.right), int(found.counted)) == (expected.right, expected.counted)
    close(gradients(made, found.total), gradients(made, expected.total))


@pytest.mark.parametrize("smoothing", [0.0, pytest.param(0.1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", sweep(15))
def test_ragged_and_dense_batches_of_every_variant_have_the_losses_of_the_oracle(
    options: SauOptions, smoothing: float
) -> None:
    problems = list(small_problems().values())
    made = network(options, seed=1, scale=1.5)
    assert_as_the_oracle(made, collate(problems, TARGETS), problems, smoothing)
    assert_as_the_oracle(made, dense(problems, blanks=2), problems, smoothing)


@pytest.mark.slow
@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[4]], ids=variant_name)
def test_the_loss_may_be_a_mean_over_symbols(options: SauOptions) -> None:
    problems = list(small_problems().values())
    made = network(replace(options, loss_mean="symbols"))
    assert_as_the_oracle(made, collate(problems, TARGETS), problems)
    assert_as_the_oracle(made, dense(problems, blanks=2), problems)


@pytest.mark.parametrize("name", small_problems())
def test_every_kind_of_problem_alone_has_the_loss_of_the_oracle(name: str) -> None:
    mine = [small_problems()[name]]
    made = network(VARIANTS[0], seed=2)
    assert_as_the_oracle(made, collate(mine, TARGETS), mine)
    assert_as_the_oracle(made, dense(mine), mine)
    assert_as_the_oracle(made, dense(mine, blanks=3), mine)


@pytest.mark.slow
@FEW
@given(random_problems, st.sampled_from(VARIANTS), st.sampled_from([0.0, 0.1]), st.integers(0, 99))
def test_random_batches_have_the_losses_of_the_oracle(
    problems: list[EncodedProblem], options: SauOptions, smoothing: float, seed: int
) -> None:
    options = replace(options, loss_mean="symbols" if seed % 2 else "problems")
    made = network(options, seed, scale=2)
    assert_as_the_oracle(made, collate(problems, TARGETS), problems, smoothing)
    assert_as_the_oracle(made, dense(problems, blanks=seed % 3), problems, smoothing)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_padded_problems_can_be_picked_in_any_order_with_blanks_between(seed: int) -> None:
    draw = random.Random(seed)
    problems = [random_problem(draw) for _ in range(9)] + list(small_problems().values())
    shelf = PaddedTrees(problems, TARGETS, CPU)
    made = network(VARIANTS[seed], seed)
    for size in (1, 4, 11):
        chosen = draw.sample(range(len(problems)), size)
        numbers = [*chosen, shelf.blank, shelf.blank]
        draw.shuffle(numbers)
        picked = [problems[number] for number in chosen]
        assert_as_the_oracle(made, shelf.pick(torch.tensor(numbers)), picked)


def test_the_order_of_problems_does_not_matter() -> None:
    problems = list(small_problems().values())
    made = network(VARIANTS[0])
    expected = made.losses(collate(problems, TARGETS), keep_all)
    close(made.losses(collate(problems[::-1], TARGETS), keep_all).total, expected.total)
    close(made.losses(dense(problems, range(len(problems))[::-1]), keep_all).total, expected.total)
    close(made.losses(dense(problems, blanks=5), keep_all).total, expected.total)


def test_batches_of_padded_problems_have_one_shape() -> None:
    problems = list(small_problems().values())
    shelf = PaddedTrees(problems, TARGETS, CPU)
    first, second = shelf.pick(torch.tensor([0, 5, 7])), shelf.pick(torch.tensor([2, 2, shelf.blank]))
    assert [level.rows.index.shape for level in first.trees.down] == [x.rows.index.shape for x in second.trees.down]
    assert [level.rows.index.shape for level in first.trees.up] == [x.rows.index.shape for x in second.trees.up]
    for one, other in ((first.texts.words, second.texts.words), (first.trees.symbols, second.trees.symbols)):
        assert one.shape == other.shape


def test_a_gold_number_may_be_any_of_its_slots() -> None:
    """A number has the probability of all its slots together, so choosing any of them is right."""
    once, thrice = problem("3 =20 4", "N0"), problem("3 =20 4 =20 5 =20", "N0")
    made = network(VARIANTS[0])
    with torch.no_grad():
        for parameter in made.decoder.parameters():
            parameter.zero_()  # all symbols are equally probable
    symbols = TARGETS.generated
    loss = made.losses(collate([once], TARGETS), keep_all).symbols  # of one symbol
    assert loss.item() == pytest.approx(math.log(symbols + 1))
    loss = made.losses(collate([thrice], TARGETS), keep_all).symbols
    assert loss.item() == pytest.approx(math.log((symbols + 3) / 3))


@pytest.mark.parametrize("make", [lambda p: collate(p, TARGETS), lambda p: dense(p, blanks=1)], ids=["ragged", "dense"])
def test_noise_repeats_with_its_seed_and_differs_with_another(make: object) -> None:
    assert callable(make)
    options = replace(VARIANTS[0], dropout=0.5)
    made, batch = network(options), make(list(small_problems().values()))
    noise = Noise(options.dropout, torch.Generator())

    def step(seed: int) -> tuple[Tensor, dict[str, Tensor]]:
        noise.seed(seed)
        loss = made.losses(batch, noise).total
        return loss, gradients(made, loss)

    first, again, other = step(1), step(1), step(2)
    assert torch.equal(first[0], again[0])
    assert all(torch.equal(first[1][name], again[1][name]) for name in first[1])
    assert first[0] != other[0]
    assert not torch.equal(first[1]["decoder.merge.both.weight"], other[1]["decoder.merge.both.weight"])
    assert made.losses(batch, keep_all).total not in (first[0], other[0])


@pytest.mark.slow
def test_gradients_with_noise_are_those_of_the_noisy_loss() -> None:
    """Also with dropout, the gradients of our backward passes agree with central differences."""
    made = network(VARIANTS[3])
    batch = collate(list(small_problems().values())[:4], TARGETS)
    noise = Noise(0.5, torch.Generator())

    def loss() -> Tensor:
        noise.seed(3)
        return made.losses(batch, noise).total

    found = gradients(made, loss())
    directions = torch.Generator().manual_seed(5)
    step = 1e-5
    for name, parameter in made.named_parameters():
        way = torch.randn(parameter.shape, generator=directions, dtype=torch.float64)
        if name == "encoder.embedding.weight":
            way[0] = 0  # the row of padding is never trained
        with torch.no_grad():
            parameter.add_(way, alpha=step)
            above = loss()
            parameter.add_(way, alpha=-2 * step)
            below = loss()
            parameter.add_(way, alpha=step)
        slope = (above - below) / (2 * step)
        torch.testing.assert_close((found[name] * way).sum(), slope, rtol=1e-5, atol=1e-8)


def test_float32_losses_equal_those_of_float64_up_to_rounding() -> None:
    problems = list(small_problems().values())
    made = network(VARIANTS[0])
    expected = made.losses(collate(problems, TARGETS), keep_all).total
    made = made.float()
    for batch in (collate(problems, TARGETS), dense(problems, blanks=1)):
        torch.testing.assert_close(made.losses(batch, keep_all).total, expected.float(), rtol=1e-5, atol=1e-6)
