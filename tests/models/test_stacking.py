"""Stacked networks learn what each network would learn alone."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import torch
from torch import Tensor

from benchmarks.node_by_node import oracle_losses, oracle_search
from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import common_targets, stack, unstacked
from sau_solver.models.options import Distance, LossMean, SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import PaddedTrees, collate, collate_texts
from sau_solver.models.targets import EncodedProblem, Targets
from tests.models.cases import TARGETS, VARIANTS, WORDS, close, gradients, random_problem, small_problems, variant_name

CPU = torch.device("cpu")
RUNS = 3
# The folds of an experiment have different constants and words.
TARGETS_OF_RUNS = common_targets(
    [
        TARGETS,
        Targets(("x", "y"), (Fraction(2),), expressions=True),
        Targets(("x", "y", "z"), (Fraction(1), Fraction(99), Fraction(1, 2)), expressions=True),
    ]
)


def networks(options: SauOptions) -> list[SauNetwork]:
    made = []
    with torch.random.fork_rng():
        for run, targets in enumerate(TARGETS_OF_RUNS):
            torch.manual_seed(run)
            own = options if run != 1 else replace(options, ssar=options.ssar / 2)
            made.append(SauNetwork(WORDS + run, targets, own))
    return made


def problems_of_runs(count: int) -> list[list[EncodedProblem]]:
    return [[random_problem(random.Random(i), targets) for i in range(count)] for targets in TARGETS_OF_RUNS]


def in_double(made: list[SauNetwork]) -> tuple[SauNetwork, list[SauNetwork]]:
    return stack(made).double(), [network.double() for network in made]


def of_run(stacked: dict[str, Tensor], run: int, network: SauNetwork) -> dict[str, Tensor]:
    return unstacked(stacked, run, dict(network.named_parameters()))


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_losses_and_gradients_of_stacked_networks_are_those_of_each_alone(
    options: SauOptions, smoothing: float
) -> None:
    together, alone = in_double(networks(options))
    problems = problems_of_runs(4)
    shelf = PaddedTrees([one for mine in problems for one in mine], TARGETS_OF_RUNS[0], CPU)
    blank = shelf.blank
    chosen = [[0, 1, 2, 3], [blank, 5, blank, 6], [9, 9, 8, blank]]
    found = together.losses(shelf.pick(torch.tensor(chosen).view(-1), RUNS), keep_all, smoothing)
    learned = gradients(together, found.total)
    total = torch.zeros((), dtype=torch.float64)
    for run, (network, numbers) in enumerate(zip(alone, chosen, strict=True)):
        mine = [problems[run][number - 4 * run] for number in numbers if number != blank]
        expected = oracle_losses(network, mine, smoothing)
        total = total + expected.total
        close(found.symbols[run], expected.symbols)
        if network.alignment is not None:
            close(found.alignment[run], expected.alignment)
        assert (int(found.right[run]), int(found.counted[run])) == (expected.right, expected.counted)
        close(of_run(learned, run, network), gradients(network, expected.total))
    close(found.total, total)


def test_networks_with_and_without_alignment_can_be_stacked() -> None:
    without = [replace(VARIANTS[0], ssar=0.0) if run == 1 else VARIANTS[0] for run in range(RUNS)]
    together, alone = in_double([SauNetwork(WORDS, TARGETS, options) for options in without])
    problems = list(small_problems().values())
    batch = PaddedTrees(problems, TARGETS, CPU).pick(torch.tensor([*range(5)] * RUNS), RUNS)
    learned = gradients(together, together.losses(batch, keep_all).total)
    for run, network in enumerate(alone):
        expected = gradients(network, oracle_losses(network, problems[:5]).total)
        close(of_run(learned, run, network), expected)


@pytest.mark.parametrize("mean", ["problems", "symbols"])
@pytest.mark.parametrize("distance", ["norm", "squares"])
def test_a_run_without_problems_learns_nothing_and_harms_no_other(mean: LossMean, distance: Distance) -> None:
    """A bucket of the largest problems may have no problem of a fold."""
    options = replace(VARIANTS[0], loss_mean=mean, ssar_distance=distance)
    together, alone = in_double([SauNetwork(WORDS, TARGETS, options) for _ in range(2)])
    problems = list(small_problems().values())[:3]
    shelf = PaddedTrees(problems, TARGETS, CPU)
    found = together.losses(shelf.pick(torch.tensor([0, 1, 2, *[shelf.blank] * 3]), 2), keep_all)
    learned = gradients(together, found.total)
    close(of_run(learned, 0, alone[0]), gradients(alone[0], oracle_losses(alone[0], problems).total))
    assert not any(gradient.any() for gradient in of_run(learned, 1, alone[1]).values())


def test_unstacking_restores_each_network() -> None:
    made = networks(VARIANTS[0])
    together = stack(made)
    for run, network in enumerate(made):
        own = dict(network.named_parameters())
        found = of_run(dict(together.named_parameters()), run, network)
        assert found.keys() == own.keys()
        assert all(torch.equal(found[name], own[name]) for name in own)


def test_ids_of_padding_are_never_written_and_take_no_probability() -> None:
    targets = replace(TARGETS, padding=3)
    plain = SauNetwork(WORDS, TARGETS, replace(VARIANTS[0], longest_tree=9)).double()
    padded = SauNetwork(WORDS, targets, plain.options).double()
    with torch.no_grad():
        weights = dict(plain.named_parameters())
        for name, parameter in padded.named_parameters():
            if name != "decoder.leaves":
                parameter.copy_(weights[name])
        padded.decoder.leaves[: TARGETS.leaves] = plain.decoder.leaves[:-1]
        padded.decoder.leaves[-1] = plain.decoder.leaves[-1]
    problems = [random_problem(random.Random(i), TARGETS) for i in range(6)]
    same = [random_problem(random.Random(i), targets) for i in range(6)]
    close(
        padded.losses(collate(same, targets), keep_all, 0.1).total,
        plain.losses(collate(problems, TARGETS), keep_all, 0.1).total,
    )
    texts = collate_texts(problems)
    for one, found, expected in zip(same, padded.search(texts, 4), plain.search(texts, 4), strict=True):
        assert [list(map(targets.symbol_of, tree)) for tree in found.symbols] == [
            list(map(TARGETS.symbol_of, tree)) for tree in expected.symbols
        ]
        assert found.log_probabilities == pytest.approx(expected.log_probabilities, rel=1e-9)
        assert found.symbols == [tree for tree, _ in oracle_search(padded, one, 4)]


def test_networks_of_different_shape_are_not_stacked() -> None:
    with pytest.raises(InputError, match="one after the other"):
        stack([SauNetwork(WORDS, TARGETS, VARIANTS[0]), SauNetwork(WORDS, TARGETS, VARIANTS[6])])
    with pytest.raises(InputError, match="common_targets"):
        stack([SauNetwork(WORDS, TARGETS, VARIANTS[0]), SauNetwork(WORDS, replace(TARGETS, padding=1), VARIANTS[0])])
