"""What a stack machine can push, and the probabilities of its actions and operands put together."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Operands:
    """What can be pushed for each problem: unknowns and constants, then the numbers of its text."""

    vectors: Tensor  # (problems, leaves + slots, hidden)
    keys: Tensor  # (problems, leaves + slots, hidden): their half of the scores
    unknown: Tensor  # (problems, leaves + slots): which are unknowns
    real: Tensor  # (problems, 1 + operators + leaves + slots): which symbols exist, the END first
    classes: Tensor  # of those symbols: the id that stands for each; slots of equal value share one
    counts: list[int] | None  # operands of each problem, on the CPU

    def of_problems(self, chosen: Tensor) -> Operands:
        """Those of some problems, in a search."""
        kept = (self.vectors, self.keys, self.unknown, self.real, self.classes)
        vectors, keys, unknown, real, classes = (each.index_select(0, chosen) for each in kept)
        return Operands(vectors, keys, unknown, real, classes, None)


def joint(actions: Tensor, fits: Tensor, unknown: Tensor, real: Tensor) -> Tensor:
    """Scores of actions (…, 1 + operators + 2) and of operands (…, operands) -> log-probabilities of all symbols.

    An unknown is generated and then chosen among the unknowns, a number is pushed and then chosen among the others.
    """
    chances = actions.log_softmax(-1)
    least = torch.finfo(fits.dtype).min
    generated = fits.masked_fill(~(unknown & real), least).log_softmax(-1) + chances[..., -2:-1]
    pushed = fits.masked_fill(unknown | ~real, least).log_softmax(-1) + chances[..., -1:]
    return torch.cat([chances[..., :-2], torch.where(unknown, generated, pushed)], -1)
