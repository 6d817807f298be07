"""The gradient of a network is at most as long as `clip`; each stacked network has its own limit."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from sau_solver.errors import InputError
from sau_solver.models.network import stack
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import PaddedTrees
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import Steps
from tests.models.cases import TARGETS, VARIANTS, WORDS, small_problems


def network(seed: int) -> SauNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return SauNetwork(WORDS, TARGETS, replace(VARIANTS[0], dropout=0.0)).double()


def gradients(of: SauNetwork, clip: float, runs: int) -> list[torch.Tensor]:
    """Return the gradient of each stacked network as one vector."""
    problems = PaddedTrees(list(small_problems().values()), TARGETS, torch.device("cpu"))
    steps = Steps(of, TrainingOptions(clip=clip, device="cpu"), runs)
    steps.backward(problems.pick(torch.arange(problems.blank).repeat(runs), runs))
    found = [own.grad for own in of.parameters() if own.grad is not None]
    return list(torch.cat([each.reshape(runs, -1) for each in found], 1))


def test_a_long_gradient_is_shortened_and_a_short_one_is_not() -> None:
    (whole,) = gradients(network(0), 0.0, 1)
    length = float(whole.norm())
    (short,) = gradients(network(0), length / 4, 1)
    assert torch.allclose(short, whole / 4, rtol=1e-4)
    (same,) = gradients(network(0), 2 * length, 1)
    assert torch.equal(same, whole)


def test_stacked_networks_are_limited_one_by_one() -> None:
    alone = [gradients(network(seed), 0.0, 1)[0] for seed in (0, 1)]
    limit = float(min(each.norm() for each in alone)) * 1.001  # only the longer one is above it
    together = gradients(stack([network(0), network(1)]).double(), limit, 2)
    for one, both in zip(alone, together, strict=True):
        assert float(both.norm()) == pytest.approx(min(limit, float(one.norm())), rel=1e-4)


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(InputError, match="clip must be at least 0, got -1"):
        TrainingOptions(clip=-1)
