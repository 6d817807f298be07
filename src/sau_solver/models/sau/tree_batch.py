"""Encoded problems -> the tensors of a batch: padded texts, and trees level by level.

All nodes of all trees of a batch are rows of one matrix. A `Level` lists the operators of one depth (to go down) or
of one height (to go up) with their children. `collate` makes ragged batches for the CPU. `PaddedTrees` keeps problems
on a GPU, padded to one shape, and selects dense batches there, so that each problem is transferred once. In a dense
batch every problem has one extra row for its padding, which no loss reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from sau_solver.models.layers.additive import Rows
from sau_solver.models.targets import EncodedProblem, EncodedTree, Targets

_NOTHING = -2  # padding of symbols
_ALIGNED = 8  # fast kernels for attention need a multiple of this many words


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a batch; batches made on the CPU also have the counts of words and slots as integers."""

    words: Tensor  # (problems, words), padded with 0
    lengths: Tensor  # (problems,)
    places: Tensor  # (problems, slots): positions of the numbers, padded with 0
    slots: Tensor  # (problems, slots): False for padding
    same: Tensor  # (problems, slots): the first slot of equal value
    word_counts: list[int] | None = None
    slot_counts: list[int] | None = None

    def picked(self, chosen: Tensor) -> Texts:
        """Return the chosen texts with unchanged padding."""
        kept = (self.words, self.lengths, self.places, self.slots, self.same)
        words, lengths, places, slots, same = (each.index_select(0, chosen) for each in kept)
        return Texts(words, lengths, places, slots, same)


@dataclass(frozen=True, slots=True)
class Level:
    """Operators of one depth or height, and the rows of their children."""

    rows: Rows
    left: Tensor
    right: Tensor


@dataclass(frozen=True, slots=True)
class Trees:
    """The gold trees of a batch; their nodes are rows of one matrix."""

    roots: Tensor  # (problems,)
    symbols: Tensor  # (rows,): ids to be predicted
    scored: Tensor  # (rows,): 1 where a symbol is to be predicted, 0 for rare constants and padding
    leaf: Tensor  # (rows,): the leaf's row in the leaf table
    operator: Tensor  # (rows,): the operator's number
    is_operator: Tensor  # (rows,): 1 or 0
    up: tuple[Level, ...]  # by height, the lowest first
    down: tuple[Level, ...]  # by depth, the root first
    operators: Rows
    leaves: Rows
    nodes: Rows


@dataclass(frozen=True, slots=True)
class Batch:
    """The input of one training step."""

    texts: Texts
    trees: Trees
    problems: Tensor  # (runs,): how many problems of each network are not blank


def collate_texts(problems: Sequence[EncodedProblem], device: torch.device | None = None, multiple: int = 1) -> Texts:
    """Return the texts of problems, padded to the longest, or to the next multiple of a number of words."""
    words = [len(problem.words) for problem in problems]
    slots = [len(problem.places) for problem in problems]
    most_words, most_slots = -(-max(words) // multiple) * multiple, max(1, *slots)

    return Texts(
        words=padded_rows([problem.words for problem in problems], most_words, 0, device),
        lengths=torch.tensor(words, device=device),
        places=padded_rows([problem.places for problem in problems], most_slots, 0, device),
        slots=torch.arange(most_slots, device=device) < torch.tensor(slots, device=device).unsqueeze(1),
        same=padded_rows([problem.same for problem in problems], most_slots, 0, device),
        word_counts=words,
        slot_counts=slots,
    )


def padded_rows(rows: Sequence[Sequence[int]], width: int, padding: int, device: torch.device | None = None) -> Tensor:
    """Return rows of different lengths as a matrix."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    made = np.full((len(rows), width), padding, np.int64)
    made[np.arange(width) < lengths[:, None]] = np.fromiter(chain.from_iterable(rows), np.int64, lengths.sum())
    return torch.from_numpy(made).to(device)


def collate(problems: Sequence[EncodedProblem], targets: Targets) -> Batch:
    """Return a ragged batch on the CPU, the longest texts first."""
    problems = sorted(problems, key=lambda problem: -len(problem.words))
    texts = collate_texts(problems)
    trees = [gold_tree(problem) for problem in problems]
    starts = [0]
    for tree in trees:
        starts.append(starts[-1] + len(tree.symbols))
    slots = texts.places.shape[1]

    def rows(chosen: Callable[[EncodedTree], list[int]]) -> Rows:
        return _ragged([[start + node for node in chosen(tree)] for tree, start in zip(trees, starts, strict=False)])

    def level(chosen: Callable[[EncodedTree], list[int]]) -> Level:
        nodes = [(start, tree, node) for tree, start in zip(trees, starts, strict=False) for node in chosen(tree)]
        return Level(
            rows(chosen),
            torch.tensor([start + tree.left[node] for start, tree, node in nodes]),
            torch.tensor([start + tree.right[node] for start, tree, node in nodes]),
        )

    symbols: list[int] = []
    leaf: list[int] = []
    for number, tree in enumerate(trees):
        symbols += tree.symbols
        leaf += [_leaf_row(symbol, number, slots, targets) for symbol in tree.symbols]
    symbol = torch.tensor(symbols)
    heights = torch.tensor([height for tree in trees for height in tree.height])
    return Batch(
        texts,
        Trees(
            roots=torch.tensor(starts[:-1]),
            symbols=symbol.clamp(min=0),
            scored=(symbol >= 0).float(),
            leaf=torch.tensor(leaf),
            operator=torch.where(heights > 0, symbol, 0),
            is_operator=(heights > 0).float(),
            up=tuple(level(_at_height(height)) for height in range(1, 1 + max(max(tree.height) for tree in trees))),
            down=tuple(level(_at_depth(depth)) for depth in range(_levels(trees))),
            operators=rows(EncodedTree.operators),
            leaves=rows(EncodedTree.leaves),
            nodes=rows(lambda tree: list(range(len(tree.symbols)))),
        ),
        torch.tensor([float(len(problems))]),
    )


class PaddedTrees:
    """Problems padded to one shape on a device, from which dense batches are selected."""

    def __init__(self, problems: Sequence[EncodedProblem], targets: Targets, device: torch.device) -> None:
        nothing = EncodedTree((), (), (), (), ())
        trees = [gold_tree(problem) for problem in problems]
        self.blank = len(problems)  # the number of an empty problem that fills up a batch
        self._texts = collate_texts([*problems, EncodedProblem((0,), (), (), nothing)], device, _ALIGNED)
        self._targets = targets
        self.nodes = max(len(tree.symbols) for tree in trees)
        trees.append(nothing)
        # Trees of one shape have the same rows, and there are few shapes.
        numbers: dict[object, int] = {}
        shapes = [numbers.setdefault((tree.left, tree.right), len(numbers)) for tree in trees]
        shaped = dict(zip(shapes, trees, strict=True))  # one tree of each
        shape = torch.tensor(shapes, device=device)
        columns: list[Tensor] = []
        self._widths: list[tuple[str, int]] = []

        def add(kind: str, rows: Callable[[EncodedTree], list[int]]) -> None:
            chosen = [rows(shaped[number]) for number in range(len(shaped))]
            width = max(1, *map(len, chosen))
            self._widths.append((kind, width))
            columns.append(padded_rows(chosen, width, self.nodes, device).index_select(0, shape))

        for kind, count, at in (
            ("up", max(max(tree.height, default=0) for tree in trees), lambda n: _at_height(n + 1)),
            ("down", _levels(trees), _at_depth),
        ):
            for number in range(count):
                level = at(number)
                add(kind, level)
                add(kind, lambda tree, level=level: [tree.left[node] for node in level(tree)])  # type: ignore[misc]
                add(kind, lambda tree, level=level: [tree.right[node] for node in level(tree)])  # type: ignore[misc]
        add("operators", EncodedTree.operators)
        add("leaves", EncodedTree.leaves)
        self._table = torch.cat(columns, 1)
        self._symbols = padded_rows([tree.symbols for tree in trees], self.nodes + 1, _NOTHING, device)
        self._height = padded_rows([tree.height for tree in trees], self.nodes + 1, 0, device)

    def pick(self, chosen: Tensor, runs: int = 1) -> Batch:
        """Return the batch of these problems, equally many for each run; the shape depends only on how many."""
        count = len(chosen)
        size = self.nodes + 1
        padded, targets = self._texts, self._targets
        texts = padded.picked(chosen)
        symbols, height = self._symbols.index_select(0, chosen), self._height.index_select(0, chosen)
        starts = torch.arange(count, device=chosen.device) * size
        table = self._table.index_select(0, chosen) + starts.unsqueeze(1)
        pieces: dict[str, list[Rows]] = {"up": [], "down": [], "operators": [], "leaves": []}
        begin = 0
        for kind, width in self._widths:
            pieces[kind].append(Rows(table[:, begin : begin + width].reshape(-1), width))
            begin += width

        slots = padded.places.shape[1]
        slot = symbols - targets.generated
        numbers = torch.arange(count, device=chosen.device).unsqueeze(1)
        run = numbers // (count // runs)
        table_size = targets.leaves + 1
        other = torch.where(symbols >= targets.operators, symbols - targets.operators, targets.leaves)
        leaf = torch.where(slot >= 0, runs * table_size + numbers * slots + slot, run * table_size + other)
        operator = torch.where(height > 0, symbols, 0) + run * targets.operators
        everything = torch.arange(count * size, device=chosen.device).view(count, size)[:, :-1].reshape(-1)
        return Batch(
            texts,
            Trees(
                roots=starts,
                symbols=symbols.clamp(min=0).view(-1),
                scored=(symbols >= 0).float().view(-1),
                leaf=leaf.view(-1),
                operator=operator.view(-1),
                is_operator=(height > 0).float().view(-1),
                up=_levels_of(pieces["up"]),
                down=_levels_of(pieces["down"]),
                operators=pieces["operators"][0],
                leaves=pieces["leaves"][0],
                nodes=Rows(everything, self.nodes),
            ),
            (chosen != self.blank).view(runs, -1).sum(1).float(),
        )


def _leaf_row(symbol: int, problem: int, slots: int, targets: Targets) -> int:
    """Return a row of the leaf table: unknowns and constants, one row for rare symbols, the slots of each problem."""
    if symbol >= targets.generated:
        return targets.leaves + 1 + problem * slots + symbol - targets.generated
    return symbol - targets.operators if symbol >= targets.operators else targets.leaves


def gold_tree(problem: EncodedProblem) -> EncodedTree:
    """Return the gold tree, which every problem of a training has."""
    assert problem.tree is not None, "training needs a gold tree"
    return problem.tree


def _levels(trees: Sequence[EncodedTree]) -> int:
    """Return the number of depths that have an operator."""
    return 1 + max((tree.depth[node] for tree in trees for node in tree.operators()), default=-1)


def _at_depth(depth: int) -> Callable[[EncodedTree], list[int]]:
    return lambda tree: [node for node in tree.operators() if tree.depth[node] == depth]


def _at_height(height: int) -> Callable[[EncodedTree], list[int]]:
    return lambda tree: [node for node in tree.operators() if tree.height[node] == height]


def _ragged(chosen: Sequence[Sequence[int]]) -> Rows:
    index = torch.tensor([row for rows in chosen for row in rows], dtype=torch.int64)
    return replace(Rows.ragged(list(map(len, chosen))), index=index)


def _levels_of(pieces: Sequence[Rows]) -> tuple[Level, ...]:
    return tuple(
        Level(rows, left.index, right.index)
        for rows, left, right in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    )
