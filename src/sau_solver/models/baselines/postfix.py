"""Postfix order: trees -> what a stack machine does and sees at each step; which symbols may come next; and back.

A machine that writes trees in postfix order holds statements below expressions, since only `;` joins statements. So a
stack is known by how many of each it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sau_solver.models.targets import EQUALS, SEMICOLON, EncodedTree, Targets

ENDING, PADDING = -1, -2  # what stands for a node where a tree has ended, and after that
NOTHING = -1  # what stands for a node where the stack holds none


@dataclass(frozen=True, slots=True)
class StackPlan:
    """The steps of a machine that writes a gold tree: nodes of the tree, and the ending."""

    written: tuple[int, ...]  # by this step
    top: tuple[int, ...]  # of the stack before this step
    below: tuple[int, ...]  # the top


def stack_plan(tree: EncodedTree) -> StackPlan:
    """What is written and what lies on the stack, step by step."""
    order = postfix_order(tree)
    tops, below, stack = [], [], [NOTHING, NOTHING]
    for node in order:
        tops.append(stack[-1])
        below.append(stack[-2])
        if tree.height[node]:
            del stack[-2:]
        stack.append(node)
    return StackPlan((*order, ENDING), (*tops, stack[-1]), (*below, stack[-2]))


def postfix_order(tree: EncodedTree) -> list[int]:
    """The nodes of a tree, each after its operands: from the end, each before its right and then its left one."""
    order: list[int] = []
    pending = [0] if tree.symbols else []
    while pending:
        node = pending.pop()
        order.append(node)
        if tree.height[node]:
            pending += (tree.left[node], tree.right[node])
    return order[::-1]


def to_prefix(symbols: Sequence[int], operators: int) -> list[int]:
    """Ids in postfix order -> the same tree in prefix order; ids below `operators` are operators."""
    stack: list[list[int]] = []
    for symbol in symbols:
        if symbol < operators:
            right, left = stack.pop(), stack.pop()
            stack.append([symbol, *left, *right])
        else:
            stack.append([symbol])
    (tree,) = stack
    return tree


class PostfixGrammar:
    """Masks for (…) stacks, so that what is written is complete, well-formed and not too long; END comes first."""

    def __init__(self, targets: Targets, longest: int) -> None:
        self.targets, self.longest = targets, longest

    def permitted(self, statements: Tensor, expressions: Tensor, written: Tensor, symbols: int) -> Tensor:
        """(…, 1 + symbols): what may come after so many symbols, with so many of each kind on the stack."""
        targets, room = self.targets, self.longest - written - 1
        may = torch.zeros(*statements.shape, 1 + symbols, dtype=torch.bool, device=statements.device)
        ends_stating = targets.equations & (statements == 1) & (expressions == 0)
        may[..., 0] = ends_stating | (targets.expressions & (statements == 0) & (expressions == 1))
        joins = (expressions == 0) & (statements >= 2) & (self._needed(statements - 1, expressions) <= room)
        states = targets.equations & (expressions == 2) & (self._needed(statements + 1, expressions - 2) <= room)
        combines = (expressions >= 2) & (self._needed(statements, expressions - 1) <= room)
        pushes = self._needed(statements, expressions + 1) <= room
        may[..., 1 : 1 + targets.operators] = combines.unsqueeze(-1)
        may[..., 1 + SEMICOLON], may[..., 1 + EQUALS] = joins, states
        may[..., 1 + targets.operators :] = pushes.unsqueeze(-1)
        return may

    def _needed(self, statements: Tensor, expressions: Tensor) -> Tensor:
        """How many symbols complete a stack at least."""
        # An expression alone lacks the other side; two or more are combined to two sides; `=`; then a `;` for each.
        stating = torch.where(expressions == 1, 2, expressions - 1) + statements
        stating = torch.where(expressions == 0, statements - 1, stating)
        alone = self.targets.expressions & (statements == 0) & (expressions > 0)
        return torch.where(alone, expressions - 1, stating)
