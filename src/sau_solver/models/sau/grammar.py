"""The symbols that a search may write next, so that every tree is complete, well-formed and not too long.

A goal is the root, a statement (its symbol is `;` or `=`) or an expression. Each needs a minimum number of symbols; a
symbol is permitted if all open goals can still be completed within the longest tree.
"""

from __future__ import annotations

import torch
from torch import Tensor

from sau_solver.models.targets import EQUALS, SEMICOLON, Targets

ROOT, STATEMENT, EXPRESSION = 0, 1, 2
_SHORTEST_STATEMENT, _SHORTEST_EXPRESSION = 3, 1  # x=1, x


class Grammar:
    """Masks of permitted symbols for a batch of hypotheses."""

    def __init__(self, targets: Targets, slots: int, longest: int, device: torch.device) -> None:
        symbols = targets.generated + slots
        states = torch.zeros(symbols, dtype=torch.bool)
        states[[SEMICOLON, EQUALS]] = True
        allowed = torch.stack([targets.equations & states | targets.expressions & ~states, states, ~states])
        added = torch.zeros(symbols, dtype=torch.int64)  # the fewest symbols of an operator's operands
        added[: targets.operators] = 2 * _SHORTEST_EXPRESSION
        added[SEMICOLON] = 2 * _SHORTEST_STATEMENT
        shortest = _SHORTEST_EXPRESSION if targets.expressions else _SHORTEST_STATEMENT
        self.allowed = allowed.to(device)  # (kinds of goal, symbols)
        self.added = added.to(device)
        self.shortest = torch.tensor([shortest, _SHORTEST_STATEMENT, _SHORTEST_EXPRESSION], device=device)
        self.longest = longest

    def permitted(self, kind: Tensor, written: Tensor, needed: Tensor) -> Tensor:
        """(…) goals -> mask (…, symbols); `needed` is the fewest symbols of all open goals, this one included."""
        after = written + 1 + needed - self.shortest[kind]
        return self.allowed[kind] & (after.unsqueeze(-1) + self.added <= self.longest)

    def needed_after(self, kind: Tensor, needed: Tensor, symbol: Tensor) -> Tensor:
        """Return the fewest symbols of all open goals after a symbol has been written."""
        return needed - self.shortest[kind] + self.added[symbol]


def child_kind(operator: Tensor) -> Tensor:
    """Return the kind of goal of an operator's operands."""
    return torch.where(operator == SEMICOLON, STATEMENT, EXPRESSION)
