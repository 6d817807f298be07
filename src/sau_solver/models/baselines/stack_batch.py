"""Turn encoded problems into batches for StackDecoder: trees as in `tree_batch.py`, and the stack before each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sau_solver.models.baselines.postfix import ENDING, NOTHING, PADDING, StackPlan, stack_plan
from sau_solver.models.layers.additive import Rows
from sau_solver.models.sau.tree_batch import Batch, PaddedTrees, Texts, Trees, collate, gold_tree
from sau_solver.models.targets import EncodedProblem, Targets


@dataclass(frozen=True, slots=True)
class StackBatch:
    """A batch of a training step; nodes are rows of one matrix, whose last rows are the networks' empty stacks."""

    texts: Texts
    trees: Trees
    problems: Tensor  # (runs,): how many problems are real, for each of the stacked networks
    owner: Tensor  # (rows,): the problem of each node
    top: Tensor  # (problems, steps): the row on top of the stack before each step
    below: Tensor  # (problems, steps): the row below that
    gold: Tensor  # (problems, steps): the id to predict, END first
    scored: Tensor  # (problems, steps): 1 if the symbol is predicted
    steps: Rows  # (problems, steps) as one axis


def collate_stacks(problems: Sequence[EncodedProblem], targets: Targets) -> StackBatch:
    """Return a batch on the CPU, the longest texts first; trees are ragged, steps are padded to the longest."""
    problems = sorted(problems, key=lambda problem: -len(problem.words))
    plans = [stack_plan(gold_tree(problem)) for problem in problems]
    batch = collate(problems, targets)
    owner = batch.trees.nodes.repeated(torch.arange(len(problems)).unsqueeze(1)).squeeze(1)
    table = _table(plans)
    return _with_stacks(batch, owner, table, Rows.ragged([len(plan.written) for plan in plans]))


class PaddedStacks:
    """Problems padded to one shape on a device, from which `pick` takes dense batches."""

    def __init__(self, problems: Sequence[EncodedProblem], targets: Targets, device: torch.device) -> None:
        self._shelf = PaddedTrees(problems, targets, device)
        self.blank = self._shelf.blank
        plans = [stack_plan(gold_tree(problem)) for problem in problems]
        self._table = _table([*plans, StackPlan((), (), ())]).to(device)

    def pick(self, chosen: Tensor, runs: int = 1) -> StackBatch:
        """Return a batch of the chosen problems, equally many for each of the stacked networks."""
        batch = self._shelf.pick(chosen, runs)
        count, device = len(chosen), chosen.device
        owner = torch.arange(count, device=device).repeat_interleave(self._shelf.nodes + 1)
        table = self._table.index_select(1, chosen)
        return _with_stacks(batch, owner, table, Rows.even(count, table.shape[2], device))


def _with_stacks(batch: Batch, owner: Tensor, table: Tensor, steps: Rows) -> StackBatch:
    """Add the stacks to a batch; `table` (3, problems, steps) holds the nodes written, on top and below the top."""
    trees, runs = batch.trees, len(batch.problems)
    first = trees.roots.unsqueeze(1)  # the root is the first node of its tree
    problems = len(first)
    empty = len(owner) + torch.arange(problems, device=first.device).unsqueeze(1) // (problems // runs)
    written, top, below = table
    node = torch.where(written >= 0, first + written, 0)
    return StackBatch(
        batch.texts,
        trees,
        batch.problems,
        owner,
        top=torch.where(top == NOTHING, empty, first + top),
        below=torch.where(below == NOTHING, empty, first + below),
        gold=torch.where(written >= 0, trees.symbols[node] + 1, 0),
        scored=torch.where(written >= 0, trees.scored[node], (written == ENDING).to(trees.scored.dtype)),
        steps=steps,
    )


def _table(plans: Sequence[StackPlan]) -> Tensor:
    width = max(len(plan.written) for plan in plans)

    def padded(rows: Sequence[Sequence[int]], filling: int) -> list[list[int]]:
        return [[*row, *[filling] * (width - len(row))] for row in rows]

    return torch.tensor(
        [
            padded([plan.written for plan in plans], PADDING),
            padded([plan.top for plan in plans], NOTHING),
            padded([plan.below for plan in plans], NOTHING),
        ]
    )
