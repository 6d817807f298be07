"""A network that is trained with rounded weights loses little when they are stored as small integers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sau_solver.errors import InputError
from sau_solver.models.checkpoint import Checkpoint, load_predictor, write_checkpoint
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.layers.stacked import Embedding, Linear, Rounding, kept_by_rounding, rounded
from sau_solver.models.quantized import ROUNDED
from sau_solver.training.learning import learn
from sau_solver.training.training_options import TrainingOptions
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert
from tests.training.tasks import TINY, task

BY_LARGEST, BY_STEP = Rounding(3), Rounding(7, 1.3)


@pytest.mark.parametrize(("rounding", "values"), [(BY_LARGEST, 7), (BY_STEP, 7)])
def test_rounded_weights_have_few_values_and_the_gradients_of_exact_ones(rounding: Rounding, values: int) -> None:
    weights = torch.randn(5, 400, generator=torch.Generator().manual_seed(1), requires_grad=True)
    found = rounded(weights, rounding)
    assert all(3 <= len(row.detach().unique()) <= values for row in found)
    assert float((found - weights).detach().abs().median()) < 0.4
    (gradient,) = torch.autograd.grad((found * torch.arange(400.0)).sum(), weights)
    assert torch.equal(gradient, torch.arange(400.0).expand(5, 400))


def test_a_large_weight_does_not_change_the_step_of_its_row_much() -> None:
    weights = torch.randn(2, 4000, generator=torch.Generator().manual_seed(1))
    weights[1, 0] = 12
    lost = [(rounded(weights, rounding) - weights)[:, 1:].square().mean(1) for rounding in (BY_LARGEST, BY_STEP)]
    assert lost[0][1] > 3 * lost[0][0]
    assert lost[1][1] == pytest.approx(lost[1][0], rel=0.1)


@pytest.mark.parametrize("rounding", [BY_LARGEST, BY_STEP])
def test_rounded_weights_can_be_trained_further_without_a_change(rounding: Rounding) -> None:
    made = torch.randn(5, 400, generator=torch.Generator().manual_seed(1))
    rows = made.clone()
    rows[1, :2] = torch.tensor([14.0, -17.0])  # clipped
    rows[2] = rows[2].sign()
    once = rounded(rows, rounding)
    assert float((rounded(once, rounding) - once).abs().max()) > 0.05  # rounding again changes the scales
    torch.testing.assert_close(rounded(kept_by_rounding(once, rounding), rounding), once)
    assert torch.equal(kept_by_rounding(made, rounding), made)  # weights that were never rounded stay
    assert torch.equal(kept_by_rounding(torch.zeros(2, 3), rounding), torch.zeros(2, 3))


def test_only_training_rounds() -> None:
    linear, embedding = Linear(8, 4), Embedding(6, 8)
    inputs, ids = torch.ones(3, 8), torch.tensor([[1, 2]])
    exact = linear(inputs), embedding(ids)
    linear.rounding = embedding.rounding = Rounding(1)
    assert not torch.equal(linear(inputs), exact[0])
    assert not torch.equal(embedding(ids), exact[1])
    linear.eval()
    embedding.eval()
    assert torch.equal(linear(inputs), exact[0])
    assert torch.equal(embedding(ids), exact[1])


@pytest.mark.slow
def test_the_loss_of_training_is_that_of_the_rounded_network(tmp_path: Path) -> None:
    options = replace(TINY, encoder=str(tiny_bert(tmp_path)), dropout=0.0)
    (solver,) = learn([task(options=options)], TrainingOptions(epochs=1, batch=4, rounding=2, device="cpu"))
    network = solver.network
    batch = network.collate([solver.encode(example) for example in examples()])

    def loss() -> float:
        return float(network.losses(batch, keep_all).total.detach())

    network.train()
    trained = loss()
    network.eval()
    exact = loss()
    layers = {name: value for name, value in network.encoder.pretrained.named_parameters() if value.dim() == 2}
    kept = {name: value for name, value in layers.items() if name != "positions"}
    network.encoder.pretrained.load_state_dict(
        {name: rounded(value, Rounding(2)) for name, value in kept.items()}, strict=False
    )
    assert trained == pytest.approx(loss())
    assert trained != pytest.approx(exact, rel=1e-4)


def test_a_loaded_network_has_the_rounded_weights_it_was_trained_with(tmp_path: Path) -> None:
    options = replace(TINY, encoder=str(tiny_bert(tmp_path / "bert")))
    (solver,) = learn([task(options=options)], TrainingOptions(epochs=1, batch=4, device="cpu"))
    model, vocabulary = solver.describe()
    exact = {name: value.detach().clone() for name, value in solver.network.state_dict().items()}
    trained = Checkpoint(model | {"training": {"rounding": 2}}, {}, {}, vocabulary, exact)
    write_checkpoint(trained, tmp_path / "model")
    loaded = load_predictor(tmp_path / "model").network.state_dict()
    for name, value in exact.items():
        small = name.startswith(ROUNDED) and name.endswith(".weight") and value.dim() == 2
        assert torch.equal(loaded[name], rounded(value, Rounding(2)) if small else value), name


def test_the_largest_integer_and_the_step_are_checked() -> None:
    with pytest.raises(InputError, match="rounding must be from 0 to 127"):
        TrainingOptions(rounding=128)
    with pytest.raises(InputError, match="rounding_step must be at least 0"):
        TrainingOptions(rounding=7, rounding_step=-1.0)
