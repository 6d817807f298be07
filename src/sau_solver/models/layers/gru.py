"""A bidirectional GRU layer over a batch of texts, each read up to its own last word (paper, eq. 1).

The backward direction reads every text reversed, so that no padding precedes its first word. Batches stay padded, so
that shapes are static. All directions (two for each network) advance together, with the formulas of `nn.GRU`: on a GPU
with Triton one word of a layer is one kernel, and the gradients of the weights are one product for all words. This is
faster than cuDNN's GRU in a CUDA graph, and faster than autograd through `nn.GRU` on the CPU.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from sau_solver.models.layers.kernels.find import find_kernels

_WEIGHTS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


class Gru(nn.GRU):
    """The weights of one direction, named and initialized as in `nn.GRU`."""

    def flatten_parameters(self) -> None:
        """Do nothing: cuDNN does not know the shape of stacked weights."""


class BiGru(nn.Module):
    """A GRU in both directions, of one network or of several stacked ones."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.ahead = Gru(inputs, hidden)
        self.back = Gru(inputs, hidden)

    def forward(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(problems, words, inputs) -> states ahead and back, (problems, words, hidden), and the last state of each.

        States after the end of a text are meaningless.
        """
        reverse = reversed_places(lengths, inputs.shape[1])
        both = torch.stack([inputs, at_places(inputs, reverse)])  # (2, problems, words, inputs)
        weights = [torch.stack([getattr(self.ahead, name), getattr(self.back, name)]) for name in _WEIGHTS]
        if weights[0].dim() == 3:
            directions = 2
        else:  # stacked networks: (2, runs, …) -> (2 * runs, …)
            directions = 2 * weights[0].shape[1]
            weights = [weight.flatten(0, 1) for weight in weights]
        counts = _active(lengths, inputs.shape[1]) if directions == 2 and not inputs.is_cuda else None
        # (directions, problems of each, words, inputs) -> (directions, words, problems of each, inputs)
        reading = both.view(directions, -1, *inputs.shape[1:]).transpose(1, 2).contiguous()
        keep = torch.is_grad_enabled()
        states: Tensor = _Recurrence.apply(reading, counts, keep, *weights)  # type: ignore[no-untyped-call]
        ahead, back = states.transpose(1, 2).reshape(2, *inputs.shape[:2], -1)
        last = (lengths - 1).unsqueeze(1)
        # Reversing twice restores the order of the text.
        return ahead, at_places(back, reverse), at_places(ahead, last)[:, 0], at_places(back, last)[:, 0]


class GruSteps(nn.Module):
    """A GRU in one direction that starts with a state of zeros."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.cell = Gru(inputs, hidden)

    def forward(self, inputs: Tensor) -> Tensor:
        """(problems, steps, inputs) -> states (problems, steps, hidden)."""
        weights = [getattr(self.cell, name) for name in _WEIGHTS]
        if weights[0].dim() == 2:
            weights = [weight.unsqueeze(0) for weight in weights]
        reading = inputs.view(len(weights[0]), -1, *inputs.shape[1:]).transpose(1, 2).contiguous()
        states: Tensor = _Recurrence.apply(reading, None, torch.is_grad_enabled(), *weights)  # type: ignore[no-untyped-call]
        return states.transpose(1, 2).reshape(*inputs.shape[:2], -1)

    def step(self, inputs: Tensor, state: Tensor) -> Tensor:
        """One step of a single network: (rows, inputs) and states (rows, hidden) -> (rows, hidden)."""
        input_weights, state_weights, input_bias, state_bias = (getattr(self.cell, name) for name in _WEIGHTS)
        return torch.gru_cell(inputs, state, input_weights, state_weights, input_bias, state_bias)


def reversed_places(lengths: Tensor, words: int) -> Tensor:
    """Return the position of each word in its reversed text, (problems, words); padding stays in place."""
    places = torch.arange(words, device=lengths.device)
    return torch.where(places < lengths.unsqueeze(1), lengths.unsqueeze(1) - 1 - places, places)


def at_places(states: Tensor, places: Tensor) -> Tensor:
    """(problems, words, size) at (problems, places) -> (problems, places, size)."""
    return states.gather(1, places.unsqueeze(-1).expand(-1, -1, states.shape[2]))


def _active(lengths: Tensor, words: int) -> list[int] | None:
    """Return how many problems have a word at each step if the longest come first, otherwise None."""
    if bool((lengths[1:] > lengths[:-1]).any()):
        return None
    counts: list[int] = (lengths > torch.arange(words).unsqueeze(1)).sum(1).tolist()
    return counts


class _Recurrence(torch.autograd.Function):
    """A GRU over (directions, words, problems, inputs); weights as in `nn.GRU`, (directions, …).

    Everything that does not depend on the previous word (in the backward pass: the next one) is computed for all words
    at once. States have full precision; autocast applies only to products. `keep` saves what the backward pass needs.
    """

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        counts: list[int] | None,
        keep: bool,
        input_weights: Tensor,
        state_weights: Tensor,
        input_bias: Tensor,
        state_bias: Tensor,
    ) -> Tensor:
        kind = inputs.device.type
        cast = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else input_bias.dtype
        directions, words, problems, size = inputs.shape
        with torch.autocast(kind, enabled=False):
            flat = inputs.reshape(directions, -1, size).to(cast)
            products = torch.bmm(flat, input_weights.transpose(1, 2).to(cast)).to(input_bias.dtype)
            drive = products.add_(input_bias.unsqueeze(1)).view(directions, words, problems, -1)
            states, gates, scaled = _read(drive, state_weights, state_bias, counts, keep, cast)
        if keep:
            ctx.save_for_backward(flat, gates, scaled, states, input_weights, state_weights)
            ctx.counts, ctx.shape = counts, inputs.shape
        return states[1:].transpose(0, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        flat, gates, scaled, states, input_weights, state_weights = ctx.saved_tensors
        directions, hidden = len(flat), states.shape[-1]
        reset, update, new = (gates[..., place * hidden : (place + 1) * hidden] for place in range(3))
        to_new = (1 - update).mul_(1 - new * new)  # factor of a state's gradient inside tanh
        factors = gates.new_empty(*gates.shape[:-1], 3, hidden)  # and inside each of the three products of the state
        torch.mul(to_new, reset, out=factors[..., 2, :])
        torch.mul(factors[..., 2, :] * scaled, 1 - reset, out=factors[..., 0, :])
        torch.mul((states[:-1] - new).mul_(update), 1 - update, out=factors[..., 1, :])
        coming, pushing = _unread(gradients[0], factors, gates, state_weights, ctx.counts)
        driving = pushing.clone()
        driving[..., 2, :] = coming.mul_(to_new)

        def by_direction(values: Tensor) -> Tensor:
            return values.flatten(3).transpose(0, 1).reshape(directions, -1, values[0, 0, 0].numel())

        cast = flat.dtype
        drive, push, before = by_direction(driving), by_direction(pushing), by_direction(states[:-1])
        exact = push.dtype
        return (
            torch.bmm(drive.to(cast), input_weights.to(cast)).view(ctx.shape).to(exact),
            None,
            None,
            torch.bmm(drive.to(cast).transpose(1, 2), flat).to(exact),
            torch.bmm(push.to(cast).transpose(1, 2), before.to(cast)).to(exact),
            drive.sum(1),
            push.sum(1),
        )


def _read(
    drive: Tensor,
    weights: Tensor,
    bias: Tensor,
    counts: list[int] | None,
    keep: bool = True,
    cast: torch.dtype | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the states before and after each word, its gates (reset, update, new), and what its reset gate scales.

    With `keep` the gates are those of all words, otherwise only those of the last word.
    """
    directions, words, problems, _ = drive.shape
    hidden = weights.shape[2]
    kept = words if keep else 1
    gates = drive.new_empty(kept, directions, problems, 3 * hidden)
    states = drive.new_empty(words + 1, directions, problems, hidden)
    states[0] = 0
    if kernels := find_kernels("gru", drive, hidden):
        scaled = drive.new_empty(kept, directions, problems, hidden)
        weights, bias = weights.contiguous(), bias.contiguous()
        for word in range(words):
            at = word if keep else 0
            kernels.read_word(states[word], weights, bias, drive[:, word], gates[at], scaled[at], states[word + 1])
        return states, gates, scaled
    cast = cast or drive.dtype
    pushed = drive.new_empty(kept, directions, problems, 3 * hidden)  # products of the states
    recurrent, bias = weights.transpose(1, 2).contiguous().to(cast), bias.unsqueeze(1).to(cast)
    for word in range(words):
        at, count = word if keep else 0, counts[word] if counts else problems
        if count < problems:  # entries after the end of a text are also read and must be finite
            for rest in (states[word + 1], gates[at], pushed[at]):
                rest[:, count:] = 0
        before, drawn = states[word, :, :count], drive[:, word, :count]
        push, gate = pushed[at, :, :count], gates[at, :, :count]
        push.copy_(torch.baddbmm(bias, before.to(cast), recurrent))
        torch.add(drawn[..., : 2 * hidden], push[..., : 2 * hidden], out=gate[..., : 2 * hidden])
        gate[..., : 2 * hidden].sigmoid_()
        reset, update, new = gate[..., :hidden], gate[..., hidden : 2 * hidden], gate[..., 2 * hidden :]
        torch.addcmul(drawn[..., 2 * hidden :], reset, push[..., 2 * hidden :], out=new)
        new.tanh_()
        torch.lerp(new, before, update, out=states[word + 1, :, :count])
    return states, gates, pushed[..., 2 * hidden :]


def _unread(
    given: Tensor, factors: Tensor, gates: Tensor, weights: Tensor, counts: list[int] | None
) -> tuple[Tensor, Tensor]:
    """Return the gradients of each state, (words, directions, problems, hidden), and of its three products."""
    words, directions, problems, _, hidden = factors.shape
    given = given.transpose(0, 1)
    if kernels := find_kernels("gru", given, hidden):
        coming, pushing = torch.empty_like(factors[..., 0, :]), torch.empty_like(factors)
        coming = coming.contiguous()
        weights = weights.contiguous()
        carried = factors.new_zeros(directions, problems, hidden)
        passed = torch.empty_like(carried)
        if given.stride(-1) != 1:
            given = given.contiguous()
        for word in range(words - 1, -1, -1):
            kernels.unread_word(
                given[word], carried, factors[word], gates[word], weights, coming[word], pushing[word], passed
            )
            carried, passed = passed, carried
        return coming, pushing
    coming = factors.new_empty(words, directions, problems, hidden)
    pushing = torch.empty_like(factors)
    carried = factors.new_zeros(directions, problems, hidden)
    update = gates[..., hidden : 2 * hidden]
    for word in range(words - 1, -1, -1):
        count = counts[word] if counts else problems
        if count < problems:
            coming[word, :, count:] = 0
            pushing[word, :, count:] = 0
        come = torch.add(given[word, :, :count], carried[:, :count], out=coming[word, :, :count])
        push = torch.mul(come.unsqueeze(-2), factors[word, :, :count], out=pushing[word, :, :count])
        carried[:, :count] = torch.baddbmm(come * update[word, :, :count], push.flatten(-2), weights)
    return coming, pushing
