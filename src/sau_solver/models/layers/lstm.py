"""LSTM layers over batches of texts or steps, one network's or several stacked; all directions advance together.

The formulas are those of `nn.LSTM`, written out: padded batches have static shapes, and what does not depend on the
step before is one product for all steps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.gru import at_places, reversed_places
from sau_solver.models.layers.stacked import Linear


class Lstm(nn.Module):
    """One direction: (problems, steps, inputs) -> states (problems, steps, hidden)."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.drive = Linear(inputs, 4 * hidden)
        self.recur = Linear(hidden, 4 * hidden, bias=False)

    def forward(self, inputs: Tensor, first: Tensor, cell: Tensor) -> Tensor:
        """States after each step, from a first state and cell, (problems, hidden) each."""
        weights = self.recur.weight if self.recur.weight.dim() == 3 else self.recur.weight.unsqueeze(0)
        states, _ = _advance(self.drive(inputs), weights, first, cell)
        return states

    def step(self, inputs: Tensor, state: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """One step of rows: (rows, inputs) -> the state and cell after it."""
        return _cell(self.drive(inputs) + self.recur(state), cell)


class BiLstm(nn.Module):
    """Both directions, each text read to its own last word; the weights of stacked networks have one axis more."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.ahead = Lstm(inputs, hidden)
        self.back = Lstm(inputs, hidden)

    def forward(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(problems, words, inputs) -> states (problems, words, hidden), last states and cells (problems, hidden).

        The directions are summed.
        """
        reverse = reversed_places(lengths, inputs.shape[1])
        drive = torch.cat([self.ahead.drive(inputs), self.back.drive(at_places(inputs, reverse))])
        pair = (self.ahead.recur.weight, self.back.recur.weight)
        weights = torch.cat(pair) if pair[0].dim() == 3 else torch.stack(pair)
        nothing = drive.new_zeros(len(drive), drive.shape[2] // 4)
        states, cells = _advance(drive, weights, nothing, nothing)
        ahead, back = states.chunk(2)
        last = (lengths - 1).unsqueeze(1)
        end = at_places(ahead, last)[:, 0] + at_places(back, last)[:, 0]
        kept_ahead, kept_back = cells.chunk(2)
        cell = at_places(kept_ahead, last)[:, 0] + at_places(kept_back, last)[:, 0]
        return ahead + at_places(back, reverse), end, cell  # reversing twice restores the order of the text


def _advance(drive: Tensor, weights: Tensor, state: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """(rows, steps, 4 * hidden) and (directions, 4 * hidden, hidden) -> states and cells, (rows, steps, hidden).

    Rows are divided among the directions in order.
    """
    rows, steps, size = drive.shape
    directions, _, hidden = weights.shape
    recurrent = weights.transpose(1, 2)
    states, cells = [], []
    for step in drive.view(directions, rows // directions, steps, size).unbind(2):
        state, cell = _cell(torch.baddbmm(step, state.view(directions, -1, hidden), recurrent), cell)
        states.append(state)
        cells.append(cell)
    return torch.stack(states, -2).flatten(0, 1), torch.stack(cells, -2).flatten(0, 1)


def _cell(drive: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """What the gates (input, forget, output, new) of (…, 4 * hidden) make of a cell."""
    hidden = drive.shape[-1] // 4
    gates, new = torch.sigmoid(drive[..., : 3 * hidden]), torch.tanh(drive[..., 3 * hidden :])
    write, keep, show = gates.chunk(3, -1)
    cell = torch.addcmul(write * new, keep, cell.view(new.shape))
    return show * torch.tanh(cell), cell
