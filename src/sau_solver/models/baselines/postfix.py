"""Convert trees to the steps of a stack machine in postfix order and back, and say which symbols may come next.

On the stack, statements always lie below expressions, because only `;` joins statements. So two counts describe a
stack: the number of its statements and of its expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sau_solver.models.targets import EQUALS, SEMICOLON, EncodedTree, Targets

ENDING, PADDING = -1, -2  # in place of a node: the step that ends a tree, and the steps after it
NOTHING = -1  # in place of a node: an empty place of the stack


@dataclass(frozen=True, slots=True)
class StackPlan:
    """The steps of a machine that writes a gold tree, as nodes of the tree; the last step ends it."""

    written: tuple[int, ...]  # the node that each step writes
    top: tuple[int, ...]  # the node on top of the stack before each step
    below: tuple[int, ...]  # the node below the top


def stack_plan(tree: EncodedTree) -> StackPlan:
    """Return what each step writes and what lies on the stack before it."""
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
    """Return the nodes of a tree, each after its operands."""
    order: list[int] = []  # reversed: a node, then its right operand, then its left one
    pending = [0] if tree.symbols else []
    while pending:
        node = pending.pop()
        order.append(node)
        if tree.height[node]:
            pending += (tree.left[node], tree.right[node])
    return order[::-1]


def to_prefix(symbols: Sequence[int], operators: int) -> list[int]:
    """Convert ids from postfix to prefix order; ids below `operators` are operators."""
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
    """Masks of permitted symbols that keep trees complete, well-formed and at most `longest` symbols long."""

    def __init__(self, targets: Targets, longest: int) -> None:
        self.targets, self.longest = targets, longest

    def permitted(self, statements: Tensor, expressions: Tensor, written: Tensor, symbols: int) -> Tensor:
        """Return (…, 1 + symbols), END first: what may follow, given the stack's counts and the symbols written."""
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
        """Return the least number of symbols that complete a stack."""
        # One expression needs another side and `=`; more are combined into two sides with `=`; `;` joins statements.
        stating = torch.where(expressions == 1, 2, expressions - 1) + statements
        stating = torch.where(expressions == 0, statements - 1, stating)
        alone = self.targets.expressions & (statements == 0) & (expressions > 0)
        return torch.where(alone, expressions - 1, stating)
