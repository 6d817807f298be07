"""MPNet's biases for distances are those of the reference implementation, in every position and for every network."""

from __future__ import annotations

import pytest
import torch

from sau_solver.models.encoders.mpnet import Mpnet, buckets
from sau_solver.models.network_shapes import BUCKETS, MpnetShape

SHAPE = MpnetShape(layers=1, size=12, heads=3, inner=8, positions=16)


@pytest.mark.slow
def test_buckets_are_those_of_the_reference_implementation() -> None:
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    distances = torch.arange(-700, 701)
    found = buckets(distances)
    expected = MPNetEncoder.relative_position_bucket(distances, BUCKETS)  # type: ignore[no-untyped-call]
    assert torch.equal(found, expected)
    assert sorted(set(found.tolist())) == [place for place in range(BUCKETS) if place != BUCKETS // 2]


def test_each_piece_has_the_bias_of_its_distance_and_padding_is_not_seen() -> None:
    mpnet = Mpnet(10, SHAPE)
    real = torch.tensor([[True] * 30, [True] * 4 + [False] * 26])
    mask = mpnet.mask(real)
    assert mask.shape == (2, 3, 30, 30)
    for query, key in ((0, 0), (3, 1), (1, 3), (2, 29), (29, 0)):
        expected = mpnet.distances[buckets(torch.tensor(key - query))]
        assert torch.equal(mask[0, :, query, key], expected)
        assert torch.equal(mask[1, :, query, key], expected if key < 4 else torch.full((3,), -torch.inf))


def test_gradients_reach_the_biases() -> None:
    mpnet = Mpnet(10, SHAPE)
    real = torch.ones(2, 5, dtype=torch.bool)
    (gradient,) = torch.autograd.grad(mpnet.mask(real).sum(), [mpnet.distances])
    # Five pieces have four pairs of neighbors in each direction, in two problems.
    assert gradient[:, 0].tolist()[:6] == [10, 8, 6, 4, 2, 0]
    assert gradient[BUCKETS // 2 :, 0].tolist()[:6] == [0, 8, 6, 4, 2, 0]
