"""Weights in few bits come back as near as those bits allow."""

from __future__ import annotations

import pytest
import torch

from sau_solver.errors import CheckpointError
from sau_solver.models.quantised import BITS, is_quantised, quantise, restore


def weights() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(67, 101, generator=generator) * torch.logspace(-4, 1, 67).unsqueeze(1)
    rows[5] = 0
    return {"matrix": rows, "vector": torch.randn(101, generator=generator), "small": torch.ones(3, 4)}


@pytest.mark.parametrize("bits", BITS)
def test_every_value_comes_back_within_its_row(bits: int) -> None:
    given = weights()
    stored = quantise(given, bits)
    assert is_quantised(stored)
    assert not is_quantised(given)
    found = restore(stored, {name: value.shape for name, value in given.items()})
    assert found.keys() == given.keys()
    lost = (found["matrix"] - given["matrix"]).norm(dim=1) / given["matrix"].norm(dim=1).clamp(min=1e-9)
    assert lost.max() < {8: 0.012, 6: 0.045, 4: 0.18}[bits]
    torch.testing.assert_close(found["vector"], given["vector"], rtol=1e-3, atol=1e-4)
    assert torch.equal(found["small"], given["small"])


@pytest.mark.parametrize("bits", BITS)
def test_so_many_bits_are_stored(bits: int) -> None:
    stored = quantise(weights(), bits)["matrix.q"]
    assert stored.numel() * stored.element_size() * 8 == pytest.approx(67 * 101 * bits, rel=0.001)


@pytest.mark.parametrize("bits", BITS)
def test_what_was_restored_is_stored_as_it_was(bits: int) -> None:
    shapes = {name: value.shape for name, value in weights().items()}
    once = restore(quantise(weights(), bits), shapes)
    again = restore(quantise(once, bits), shapes)
    torch.testing.assert_close(again["matrix"], once["matrix"], rtol=0.08, atol=1e-6)


def test_bits_of_another_model_are_refused() -> None:
    with pytest.raises(CheckpointError, match="not those of this model"):
        restore(quantise(weights(), 8), {})
