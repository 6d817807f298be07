"""Our LSTM equals that of torch, with each text read up to its own last word in both directions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.lstm import BiLstm, Lstm
from tests.models.cases import close

INPUTS, HIDDEN = 3, 5


def torch_lstm(*directions: Lstm) -> nn.LSTM:
    """Copy the weights; torch's gates are input, forget, new, output, ours are input, forget, output, new."""
    made = nn.LSTM(INPUTS, HIDDEN, batch_first=True, bidirectional=len(directions) == 2).double()
    order = torch.cat([torch.arange(HIDDEN) + HIDDEN * gate for gate in (0, 1, 3, 2)])
    with torch.no_grad():
        for ending, ours in zip(("", "_reverse"), directions, strict=False):
            getattr(made, f"weight_ih_l0{ending}").copy_(ours.drive.weight[order])
            getattr(made, f"bias_ih_l0{ending}").copy_(ours.drive.bias[order])
            getattr(made, f"weight_hh_l0{ending}").copy_(ours.recur.weight[order])
            getattr(made, f"bias_hh_l0{ending}").zero_()
    return made


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape)), dtype=torch.float64)


def test_one_direction_from_a_first_state() -> None:
    ours = Lstm(INPUTS, HIDDEN).double()
    inputs, state, cell = random(4, 6, INPUTS), random(4, HIDDEN), random(4, HIDDEN).flip(0)
    expected, _ = torch_lstm(ours)(inputs, (state.unsqueeze(0), cell.unsqueeze(0)))
    close(ours(inputs, state, cell), expected)
    for step in range(6):
        state, cell = ours.step(inputs[:, step], state, cell)
        close(state, expected[:, step])


def test_both_directions_of_texts_of_different_lengths() -> None:
    ours = BiLstm(INPUTS, HIDDEN).double()
    lengths = torch.tensor([6, 1, 4])
    inputs = random(3, 6, INPUTS)
    states, last, cell = ours(inputs, lengths)
    theirs = torch_lstm(ours.ahead, ours.back)
    for row, length in enumerate(lengths.tolist()):
        expected, (end, cells) = theirs(inputs[row : row + 1, :length])
        close(states[row, :length], expected[0, :, :HIDDEN] + expected[0, :, HIDDEN:])
        close(last[row], end[:, 0].sum(0))
        close(cell[row], cells[:, 0].sum(0))
