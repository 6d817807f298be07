"""The layers of StackDecoder: its operands, the operators that combine them, and the probabilities of its actions."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sau_solver.models.layers.stacked import Linear


class Operators(nn.Module):
    """One network with a hidden layer per operator; it combines two operands into one vector."""

    def __init__(self, operators: int, hidden: int) -> None:
        super().__init__()
        self.inner = Linear(2 * hidden, operators * hidden)
        self.outer = Linear(hidden, operators * hidden)

    def forward(self, pairs: Tensor, operator: Tensor) -> Tensor:
        """Combine pairs (rows, 2 * hidden) with the operator of each row (rows,) into (rows, hidden)."""
        inner = torch.relu(_own(self.inner(pairs), operator, pairs.shape[1] // 2))
        return torch.tanh(_own(self.outer(inner), operator, inner.shape[1]))


class Gated(nn.Module):
    """State, stack and context, each multiplied by a gate computed from all of them."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.gates = Linear(4 * hidden, 3)

    def forward(self, state: Tensor, stack: Tensor, context: Tensor) -> Tensor:
        """Join (…, hidden), (…, 2 * hidden) and (…, hidden) into (…, 4 * hidden)."""
        of_state, of_stack, of_context = self.gates(torch.cat([state, stack, context], -1)).sigmoid().split(1, -1)
        return torch.cat([of_state * state, of_stack * stack, of_context * context], -1)


@dataclass(frozen=True, slots=True)
class Operands:
    """What the machine can push for each problem: unknowns and constants, then the numbers of its text."""

    vectors: Tensor  # (problems, leaves + slots, hidden)
    keys: Tensor  # (problems, leaves + slots, hidden): their part of the additive scores
    unknown: Tensor  # (problems, leaves + slots): which are unknowns
    real: Tensor  # (problems, 1 + operators + leaves + slots): which symbols exist, END first
    classes: Tensor  # the same shape: the id that represents each symbol; slots of equal value share one
    counts: list[int] | None  # number of operands of each problem, only on the CPU

    def of_problems(self, chosen: Tensor) -> Operands:
        """Return the operands of the chosen problems."""
        kept = (self.vectors, self.keys, self.unknown, self.real, self.classes)
        vectors, keys, unknown, real, classes = (each.index_select(0, chosen) for each in kept)
        return Operands(vectors, keys, unknown, real, classes, None)


def joint(actions: Tensor, fits: Tensor, unknown: Tensor, real: Tensor) -> Tensor:
    """Turn scores of actions (…, 1 + operators + 2) and operands (…, operands) into log-probabilities of all symbols.

    The probability of an unknown is that of generating any, times its share among the unknowns; the probability of a
    number is that of pushing any, times its share among the other operands.
    """
    chances = actions.log_softmax(-1)
    least = torch.finfo(fits.dtype).min
    generated = fits.masked_fill(~(unknown & real), least).log_softmax(-1) + chances[..., -2:-1]
    pushed = fits.masked_fill(unknown | ~real, least).log_softmax(-1) + chances[..., -1:]
    return torch.cat([chances[..., :-2], torch.where(unknown, generated, pushed)], -1)


def _own(values: Tensor, operator: Tensor, size: int) -> Tensor:
    """Select the part of each row's operator: (rows, operators * size) becomes (rows, size)."""
    rows = values.view(len(values), -1, size)
    return rows.gather(1, operator.view(-1, 1, 1).expand(-1, 1, size)).squeeze(1)
