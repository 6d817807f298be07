"""LSTM layers over batches of texts or steps, of one network or of several stacked ones.

The formulas are those of `nn.LSTM`. Padded batches have static shapes, all directions advance together, and everything
that does not depend on the previous step is one product for all steps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.gru import at_places, reversed_places
from sau_solver.models.layers.stacked import Linear


class Lstm(nn.Module):
    """An LSTM in one direction."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.drive = Linear(inputs, 4 * hidden)
        self.recur = Linear(hidden, 4 * hidden, bias=False)

    def forward(self, inputs: Tensor, first: Tensor, cell: Tensor) -> Tensor:
        """(problems, steps, inputs), first state and cell (problems, hidden) -> states (problems, steps, hidden)."""
        weights = self.recur.weight if self.recur.weight.dim() == 3 else self.recur.weight.unsqueeze(0)
        states, _ = _advance(self.drive(inputs), weights, first, cell)
        return states

    def step(self, inputs: Tensor, state: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """One step: (rows, inputs), state and cell (rows, hidden) -> the next state and cell."""
        return _cell(self.drive(inputs) + self.recur(state), cell)


class BiLstm(nn.Module):
    """An LSTM in both directions; each text is read up to its own last word."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.ahead = Lstm(inputs, hidden)
        self.back = Lstm(inputs, hidden)

    def forward(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(problems, words, inputs) -> states (problems, words, hidden), last states and cells (problems, hidden).

        The states of both directions are added.
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

    The rows are divided among the directions in order.
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
    """Apply the gates (input, forget, output, new) of (…, 4 * hidden) to a cell; return the state and the new cell."""
    hidden = drive.shape[-1] // 4
    gates, new = torch.sigmoid(drive[..., : 3 * hidden]), torch.tanh(drive[..., 3 * hidden :])
    write, keep, show = gates.chunk(3, -1)
    cell = torch.addcmul(write * new, keep, cell.view(new.shape))
    return show * torch.tanh(cell), cell
