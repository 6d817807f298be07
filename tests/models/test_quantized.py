"""Quantized weights are restored as exactly as their number of bits allows."""

from __future__ import annotations

import pytest
import torch

from sau_solver.errors import CheckpointError
from sau_solver.models.layers.stacked import Rounding
from sau_solver.models.quantized import is_quantized, quantize, restore, unpacked

MOSTS = (127, 55, 7)


def weights() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(67, 101, generator=generator) * torch.logspace(-4, 1, 67).unsqueeze(1)
    rows[5] = 0
    return {"matrix": rows, "vector": torch.randn(101, generator=generator), "small": torch.ones(3, 4)}


@pytest.mark.parametrize("most", MOSTS)
def test_every_value_is_restored_within_its_rows_precision(most: int) -> None:
    given = weights()
    stored = quantize(given, most)
    assert is_quantized(stored)
    assert not is_quantized(given)
    found = restore(stored, {name: value.shape for name, value in given.items()})
    assert found.keys() == given.keys()
    lost = (found["matrix"] - given["matrix"]).norm(dim=1) / given["matrix"].norm(dim=1).clamp(min=1e-9)
    assert lost.max() < 1.5 / most
    torch.testing.assert_close(found["vector"], given["vector"], rtol=1e-3, atol=1e-4)
    assert torch.equal(found["small"], given["small"])


def entropy(whole: torch.Tensor) -> float:
    """Return the mean information of a value in bits."""
    counts = torch.bincount(whole.int() + 127).double()
    shares = counts[counts > 0] / counts.sum()
    return -(shares * shares.log2()).sum().item()


@pytest.mark.parametrize("most", [127, 55])
def test_a_value_takes_little_more_than_its_entropy(most: int) -> None:
    stored = quantize(weights(), most)
    assert stored["matrix.q"].numel() * 8 < 67 * 101 * (entropy(unpacked(stored, "matrix.q")) + 0.35)


@pytest.mark.parametrize("step", [0.9, 1.3, 2.0])
def test_a_value_of_a_pair_can_take_less_than_a_bit_more_than_its_entropy(step: float) -> None:
    name = "encoder.pretrained.layers.0.wide.weight"
    made = torch.randn(401, 399, generator=torch.Generator().manual_seed(0))
    stored = quantize({name: made}, 127, Rounding(7, step))
    whole = unpacked(stored, f"{name}.pairs")
    assert len(whole) == 401 * 399 + 1  # an odd number
    assert stored[f"{name}.pairs"].numel() * 8 < 401 * 399 * (entropy(whole) + 0.06)
    lost = restore(stored, {name: made.shape})[name] - made
    assert lost.square().mean().sqrt() < 0.3 * step


@pytest.mark.parametrize(("most", "name"), [(127, "matrix.q"), (7, "matrix.pairs")])
def test_integers_of_another_length_are_refused(most: int, name: str) -> None:
    stored = quantize(weights(), most)
    for code in (stored[name][:100], quantize({"matrix": torch.ones(64, 65)}, 7)["matrix.pairs"]):
        with pytest.raises(CheckpointError, match="do not fit"):
            restore({**stored, name: code}, {"matrix": torch.Size((67, 101))})


@pytest.mark.parametrize("most", MOSTS)
def test_quantizing_restored_weights_changes_nothing(most: int) -> None:
    shapes = {name: value.shape for name, value in weights().items()}
    once = restore(quantize(weights(), most), shapes)
    again = restore(quantize(once, most), shapes)
    torch.testing.assert_close(again["matrix"], once["matrix"], rtol=0.08, atol=1e-6)


def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(CheckpointError, match="not a weight of this network"):
        restore(quantize(weights(), 127), {})


def test_a_rounded_encoder_gets_the_integers_that_it_was_trained_with() -> None:
    matrix = weights()["matrix"]
    names = ("encoder.pretrained.layers.0.wide.weight", "encoder.pretrained.positions", "decoder.merge.weight")
    stored = quantize(dict.fromkeys(names, matrix), 31, Rounding(3))
    kinds = (".pairs", ".q", ".q")
    assert [int(unpacked(stored, name + kind).max()) for name, kind in zip(names, kinds, strict=True)] == [3, 31, 31]
