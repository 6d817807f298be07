"""The Triton kernels compute what the plain formulas do: on a GPU, or without one where Triton interprets them.

TRITON_INTERPRET=1 pytest -W ignore::DeprecationWarning tests/models/test_kernels.py runs them on the CPU where Triton
is installed.
"""

from __future__ import annotations

import importlib.util
import os

import pytest
import torch
from torch import Tensor

from sau_solver.models.layers import additive, gru, stacked
from sau_solver.models.layers.dropout import Dropout, Noise, keep_all
from sau_solver.models.layers.stacked import LayerNorm

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed"),
    pytest.mark.skipif(not (INTERPRETED or torch.cuda.is_available()), reason="no GPU, and TRITON_INTERPRET is not 1"),
]
TOLERANCE = 1e-5 if INTERPRETED else 5e-3  # a GPU takes products in TF32


@pytest.fixture
def device() -> str:
    return "cpu" if INTERPRETED else "cuda"


def assert_near(ours: Tensor, plain: Tensor) -> None:
    assert (ours - plain).norm() <= TOLERANCE * plain.norm()


@pytest.mark.parametrize("problems", [5, 33])
def test_a_gru_reads_and_unreads_words_as_the_formulas_do(
    problems: int, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sau_solver.models.layers.kernels import gru_kernels

    torch.manual_seed(0)
    directions, words, hidden = 4, 3, 64
    drive = torch.randn(directions, words, problems, 3 * hidden, device=device)
    weights, bias = torch.randn(directions, 3 * hidden, hidden, device=device) / 8, torch.randn(directions, 3 * hidden)
    bias = bias.to(device)
    given = torch.randn(directions, words, problems, hidden, device=device)
    factors = torch.randn(words, directions, problems, 3, hidden, device=device)
    found = {}
    for kernels in (None, gru_kernels):
        monkeypatch.setattr(gru, "find_kernels", lambda name, values, size, kernels=kernels: kernels)
        states, gates, scaled = gru._read(drive, weights, bias, None)
        coming, pushing = gru._unread(given, factors, gates, weights, None)
        found[kernels] = (states, gates, scaled, coming, pushing)
    for ours, plain in zip(found[gru_kernels], found[None], strict=True):
        assert_near(ours, plain)


@pytest.mark.parametrize(("width", "keys"), [(1, 1), (5, 19), (4, 16)])
def test_additive_scores_and_their_gradients_are_those_of_the_formula(
    width: int, keys: int, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sau_solver.models.layers.kernels import additive_kernels

    torch.manual_seed(0)
    problems, runs, hidden = 6, 3, 64
    given = [torch.randn(*shape, device=device) for shape in ((problems * width, hidden), (problems, keys, hidden))]
    given.append(torch.randn(runs, hidden, device=device))
    factor = torch.randn(problems * width, keys, device=device)
    found = []
    for kernels in (additive_kernels, None):
        monkeypatch.setattr(additive, "find_kernels", lambda name, values, size, kernels=kernels: kernels)
        leaves = [values.clone().requires_grad_() for values in given]
        rows = additive.Rows(torch.arange(problems * width, device=device), width)
        scores = additive.additive_scores(leaves[0], leaves[1], leaves[2], rows, None)
        (scores * factor).sum().backward()  # type: ignore[no-untyped-call]
        found.append([scores.detach(), *(leaf.grad for leaf in leaves if leaf.grad is not None)])
    assert len(found[0]) == 4
    for ours, plain in zip(*found, strict=True):
        assert_near(ours, plain)


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("size", [24, 768])
def test_a_residual_connection_is_normalized_as_by_the_formula(
    size: int, runs: int, share: float, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sau_solver.models.layers.kernels import norm_kernels

    torch.manual_seed(0)
    norm = LayerNorm(size, 1e-6).to(device)
    norm.weight, norm.bias = (torch.nn.Parameter(torch.randn(runs, size, device=device)) for _ in range(2))
    values, states, factor = (torch.randn(2 * runs, 5, size, device=device) for _ in range(3))
    noise = Noise(share, torch.Generator(device))
    noise.seed(1)
    same = SameEveryTime(*noise.kept(values)) if share else keep_all
    found = []
    for kernels in (norm_kernels, None):
        monkeypatch.setattr(stacked, "find_kernels", lambda name, values, size, kernels=kernels: kernels)
        norm.zero_grad()
        leaves = [each.clone().requires_grad_() for each in (values, states)]
        made = norm.joined(leaves[1], leaves[0], same)
        (made * factor).sum().backward()  # type: ignore[no-untyped-call]
        found.append([made.detach(), *(leaf.grad for leaf in (*leaves, norm.weight, norm.bias))])
    for ours, plain in zip(*found, strict=True):
        assert ours is not None
        assert plain is not None
        assert_near(ours, plain)


class SameEveryTime:
    """Dropout with the same mask at every call."""

    def __init__(self, mask: Tensor | None, factor: float) -> None:
        self.mask, self.factor = mask, factor

    def __call__(self, values: Tensor) -> Tensor:
        assert self.mask is not None
        return values * self.mask.view(values.shape) * self.factor

    def of(self, share: float) -> Dropout:
        return self

    def kept(self, values: Tensor) -> tuple[Tensor | None, float]:
        return self.mask, self.factor
