"""Which words the decoder looked at when it wrote a node: the same as the oracle, one node after the other."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from sau_solver.models.attention import Attention
from sau_solver.models.solver import SauSolver
from tests.models import oracle
from tests.models.networks import small_solver


def test_the_weights_are_those_of_the_oracle_in_prefix_order(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, learned = small_solver("sau", scale=3.0)
    assert isinstance(solver, SauSolver)
    looked: list[list[float]] = []

    def attend(layer: Attention, query: Tensor, states: Tensor, keys: Tensor | None = None) -> Tensor:
        keys = states @ layer.key.weight.T if keys is None else keys
        scores = torch.tanh(layer.query.weight @ query + layer.query.bias + keys) @ layer.weights
        if layer is solver.network.decoder.attention:
            looked.append(torch.softmax(scores, 0).tolist())
        return torch.softmax(scores, 0) @ states

    monkeypatch.setattr(oracle, "attend", attend)
    for example in learned:
        looked.clear()
        oracle.oracle_losses(solver.network, [solver.encode(example)])
        found = solver.attended(example.text, example.tree)
        assert len(found) == len(example.tree) == len(looked)
        torch.testing.assert_close(torch.tensor(found), torch.tensor(looked))
    assert len({tuple(row) for row in looked}) == len(looked)  # every node looks in its own way
