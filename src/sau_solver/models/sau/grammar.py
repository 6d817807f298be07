"""Which symbols may come next, so that every tree a search writes is complete, well-formed and not too long.

A goal is the root, a statement (`;` or `=` must come) or an expression. Each needs a least number of symbols to be
completed; a symbol is allowed where the goals still open can be completed within the longest tree.
"""

from __future__ import annotations

import torch
from torch import Tensor

from sau_solver.models.targets import EQUALS, SEMICOLON, Targets

ROOT, STATEMENT, EXPRESSION = 0, 1, 2
_SHORTEST_STATEMENT, _SHORTEST_EXPRESSION = 3, 1  # x=1, x


class Grammar:
    """Masks for the symbols of a batch, as tensors."""

    def __init__(self, targets: Targets, slots: int, longest: int, device: torch.device) -> None:
        symbols = targets.generated + slots
        states = torch.zeros(symbols, dtype=torch.bool)
        states[[SEMICOLON, EQUALS]] = True
        allowed = torch.stack([targets.equations & states | targets.expressions & ~states, states, ~states])
        added = torch.zeros(symbols, dtype=torch.int64)  # symbols that an operator's operands need at least
        added[: targets.operators] = 2 * _SHORTEST_EXPRESSION
        added[SEMICOLON] = 2 * _SHORTEST_STATEMENT
        shortest = _SHORTEST_EXPRESSION if targets.expressions else _SHORTEST_STATEMENT
        self.allowed = allowed.to(device)  # (kinds of goal, symbols)
        self.added = added.to(device)
        self.shortest = torch.tensor([shortest, _SHORTEST_STATEMENT, _SHORTEST_EXPRESSION], device=device)
        self.longest = longest

    def permitted(self, kind: Tensor, written: Tensor, needed: Tensor) -> Tensor:
        """(…) goals -> (…, symbols); `needed` counts the symbols that all open goals need at least, this one too."""
        after = written + 1 + needed - self.shortest[kind]
        return self.allowed[kind] & (after.unsqueeze(-1) + self.added <= self.longest)

    def needed_after(self, kind: Tensor, needed: Tensor, symbol: Tensor) -> Tensor:
        """What all open goals need after a symbol has been written."""
        return needed - self.shortest[kind] + self.added[symbol]


def child_kind(operator: Tensor) -> Tensor:
    """The kind of goal that both operands of an operator are."""
    return torch.where(operator == SEMICOLON, STATEMENT, EXPRESSION)
