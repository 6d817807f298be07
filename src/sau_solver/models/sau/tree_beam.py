"""Beam search over trees, with all hypotheses of all problems in tensors.

A hypothesis is a stack of open operators, each with the goal of its right operand and, once it is complete, the
embedding of its left operand. The vectors are kept in a store that only grows, so that hypotheses share them and
reordering a beam moves only indices. Finished hypotheses stay in the beam and compete by log-probability, as in the
paper's search. Slots of equal value are one symbol; its probability is their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Self

import torch
from torch import Tensor

from sau_solver.models.layers.additive import search_keys
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import Found, symbol_log_probabilities
from sau_solver.models.sau.grammar import ROOT, Grammar, child_kind
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.sau.tree_decoder import Symbols, TreeDecoder

_COMPACT = 0.75  # finished problems are removed when less than this share is unfinished


class Hypotheses:
    """The base of dataclasses whose fields are tensors (problems, beams, …)."""

    def reordered(self, parent: Tensor) -> Self:
        """Return these hypotheses with each beam replaced by the one at `parent` (problems, beams)."""
        return type(self)(*(taken(value, parent) for value in self._tensors()))

    def of_problems(self, chosen: Tensor) -> Self:
        """Return the hypotheses of some problems."""
        return type(self)(*(value.index_select(0, chosen) for value in self._tensors()))

    def _tensors(self) -> Iterator[Tensor]:
        assert is_dataclass(self)
        return (getattr(self, item.name) for item in fields(self))


@dataclass
class _Hypotheses(Hypotheses):
    """Partial trees; the stacks hold their open operators. Every tensor is (problems, beams, …)."""

    score: Tensor  # log-probability; -inf if the beam is empty
    done: Tensor
    kind: Tensor  # kind of the next goal
    written: Tensor  # number of symbols written
    needed: Tensor  # fewest symbols that complete the tree
    symbols: Tensor  # (…, longest)
    depth: Tensor  # height of the stack
    operator: Tensor  # (…, stack)
    goal: Tensor  # (…, stack): position of the right goal in its store
    left: Tensor  # (…, stack): position of the left subtree in its store; -1 until it is complete


class Store:
    """A growing matrix whose rows never change."""

    def __init__(self, size: int, like: Tensor) -> None:
        self._rows = like.new_empty(1024, size)
        self._used = 0

    def add(self, rows: Tensor) -> Tensor:
        """Add rows and return their positions."""
        end = self._used + len(rows)
        if end > len(self._rows):
            grown = self._rows.new_empty(max(end, 2 * len(self._rows)), self._rows.shape[1])
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        self._rows[self._used : end] = rows
        places = torch.arange(self._used, end, device=rows.device)
        self._used = end
        return places

    def __getitem__(self, places: Tensor) -> Tensor:
        return self._rows.index_select(0, places)


class TreeSearch:
    """A search over the trees of a batch of texts, given their encoder states, goals and mask of words."""

    def __init__(self, decoder: TreeDecoder, encoded: tuple[Tensor, Tensor, Tensor], texts: Texts, beam: int) -> None:
        options = decoder.options
        states, goals, real = encoded
        problems, device = len(states), states.device
        self.decoder, self.targets = decoder, decoder.targets
        self.grammar = Grammar(self.targets, texts.places.shape[1], options.longest_tree, device)
        memory = decoder.attention.remember(states, real, None)
        self.memory = replace(memory, keys=search_keys(memory.keys))
        symbols = decoder.symbols(states, texts, keep_all)
        self.symbols = replace(symbols, keys=search_keys(symbols.keys))
        self.slots = texts.places.shape[1]
        self.numbers = torch.arange(problems, device=device)  # the number of each row's problem in the batch
        self.subtrees, self.goals = Store(options.hidden, states), Store(options.hidden, states)
        first = decoder.left_node(goals).to(states.dtype)
        self.nodes = first.unsqueeze(1).expand(-1, beam, -1)  # (problems, beams, hidden)

        def filled(value: int, *more: int) -> Tensor:
            return torch.full((problems, beam, *more), value, device=device)

        stack = options.longest_tree // 2 + 1
        score = torch.full((problems, beam), -torch.inf, device=device, dtype=states.dtype)
        score[:, 0] = 0
        self.beams = _Hypotheses(
            score=score,
            done=filled(0).bool(),
            kind=filled(ROOT),
            written=filled(0),
            needed=filled(int(self.grammar.shortest[ROOT])),
            symbols=filled(0, options.longest_tree),
            depth=filled(0),
            operator=filled(0, stack),
            goal=filled(0, stack),
            left=filled(-1, stack),
        )
        self.found: list[Found] = [Found([], [])] * problems

    def run(self) -> list[Found]:
        """Return the most probable trees of each text that the search finds."""
        while len(self.numbers):
            self._advance()
            live = (~self.beams.done & self.beams.score.isfinite()).any(1)
            left = int(live.sum())
            if left < _COMPACT * len(live):
                self._collect((~live).nonzero().squeeze(1))
                self._keep(live.nonzero().squeeze(1))
        return self.found

    def _advance(self) -> None:
        beams = self.beams
        contexts, chances = self._look()
        permitted = self.grammar.permitted(beams.kind, beams.written, beams.needed)
        totals = torch.where(permitted, chances, -torch.inf) + beams.score.unsqueeze(-1)
        totals[beams.done] = -torch.inf
        totals[..., 0] = torch.where(beams.done, beams.score, totals[..., 0])  # a finished hypothesis stays unchanged
        width = totals.shape[2]
        best, place = totals.flatten(1).topk(beams.score.shape[1])
        parent, symbol = place // width, place % width
        self.beams = beams = beams.reordered(parent)
        beams.score = best
        nodes, contexts = taken(self.nodes, parent), taken(contexts, parent)
        growing = (~beams.done & best.isfinite()).flatten()
        operators = (growing & (symbol < self.targets.operators).flatten()).nonzero().squeeze(1)
        leaves = (growing & (symbol >= self.targets.operators).flatten()).nonzero().squeeze(1)
        self._write(growing, symbol)
        following = nodes.flatten(0, 1).clone()
        symbol = symbol.flatten()
        if len(operators):
            told = torch.cat([nodes.flatten(0, 1)[operators], contexts.flatten(0, 1)[operators]], 1)
            following[operators] = self._open(operators, symbol[operators], told).to(nodes.dtype)
        if len(leaves):
            rows, states = self._close(leaves, symbol[leaves])
            following[rows] = states.to(nodes.dtype)
        self.nodes = following.view_as(nodes)

    def _look(self) -> tuple[Tensor, Tensor]:
        """Return contexts and log-probabilities; they are meaningless for finished and empty hypotheses."""
        live = ~self.beams.done & self.beams.score.isfinite()
        width = int(live.sum(1).max())
        place = live.long().argsort(dim=1, descending=True, stable=True)[:, :width]  # unfinished ones
        nodes = taken(self.nodes, place)
        found = self.decoder.attention.search(nodes, self.memory)
        chances = symbol_log_probabilities(
            self.decoder.search_scores(nodes, found, self.symbols), self.symbols.real, self.symbols.classes
        )
        if width == live.shape[1] and bool(live.all()):
            return found, chances
        return _put(found, place, live.shape[1]), _put(chances, place, live.shape[1])

    def _write(self, growing: Tensor, symbol: Tensor) -> None:
        beams = self.beams
        rows = growing.view_as(symbol)
        place = beams.written.clamp(max=beams.symbols.shape[2] - 1).unsqueeze(-1)
        before = beams.symbols.gather(2, place).squeeze(-1)
        beams.symbols.scatter_(2, place, torch.where(rows, symbol, before).unsqueeze(-1))
        beams.needed = torch.where(rows, self.grammar.needed_after(beams.kind, beams.needed, symbol), beams.needed)
        beams.written = beams.written + rows

    def _open(self, rows: Tensor, operator: Tensor, told: Tensor) -> Tensor:
        """Push operators and return the states of their left operands."""
        beams, decoder = self.beams, self.decoder
        told = torch.cat([told, decoder.operators.index_select(0, operator)], 1)
        depth = _flat(beams.depth)[rows]
        _flat(beams.operator)[rows, depth] = operator
        _flat(beams.goal)[rows, depth] = self.goals.add(decoder.right_goal(told))
        _flat(beams.left)[rows, depth] = -1
        _flat(beams.depth)[rows] = depth + 1
        _flat(beams.kind)[rows] = child_kind(operator)
        state: Tensor = decoder.left_node(decoder.left_goal(told))
        return state

    def _close(self, rows: Tensor, symbol: Tensor) -> tuple[Tensor, Tensor]:
        """Complete the subtrees that end with these leaves; return the rows that continue and their next states."""
        beams, decoder = self.beams, self.decoder
        problem = rows // beams.score.shape[1]
        subtree = self.symbols.leaves.index_select(0, self._leaf_row(symbol, problem))
        depth = _flat(beams.depth)
        while True:  # a right operand completes its parent, which may also be a right operand
            top = (depth[rows] - 1).clamp(min=0)
            left = _flat(beams.left)[rows, top]
            whole = ((depth[rows] > 0) & (left >= 0)).nonzero().squeeze(1)
            if not len(whole):
                break
            operator = _flat(beams.operator)[rows[whole], top[whole]]
            parts = [self.subtrees[left[whole]], subtree[whole], decoder.operators.index_select(0, operator)]
            subtree[whole] = decoder.merge(torch.cat(parts, 1)).to(subtree.dtype)
            depth[rows[whole]] -= 1
        _flat(beams.done)[rows] = depth[rows] == 0
        open_rows = (depth[rows] > 0).nonzero().squeeze(1)
        rows, subtree = rows[open_rows], subtree[open_rows]
        top = depth[rows] - 1
        _flat(beams.left)[rows, top] = self.subtrees.add(subtree)
        _flat(beams.kind)[rows] = child_kind(_flat(beams.operator)[rows, top])
        goal = self.goals[_flat(beams.goal)[rows, top]]
        return rows, decoder.right_node(torch.cat([goal, subtree], 1))

    def _leaf_row(self, symbol: Tensor, problem: Tensor) -> Tensor:
        targets = self.targets
        slot = targets.leaves + 1 + self.numbers[problem] * self.slots + symbol - targets.generated
        return torch.where(symbol >= targets.generated, slot, symbol - targets.operators)

    def _collect(self, problems: Tensor) -> None:
        beams = self.beams.of_problems(problems)
        numbers, scores = self.numbers[problems].tolist(), beams.score.tolist()
        written, symbols = beams.written.tolist(), beams.symbols.tolist()
        for row, number in enumerate(numbers):
            kept = [beam for beam, score in enumerate(scores[row]) if score > -torch.inf]
            self.found[number] = Found(
                [symbols[row][beam][: written[row][beam]] for beam in kept], [scores[row][beam] for beam in kept]
            )

    def _keep(self, problems: Tensor) -> None:
        symbols = self.symbols
        self.beams = self.beams.of_problems(problems)
        self.nodes = self.nodes.index_select(0, problems)
        self.numbers = self.numbers.index_select(0, problems)
        self.memory = self.memory.of_problems(problems)
        self.symbols = Symbols(
            symbols.leaves,
            symbols.keys.index_select(0, problems),
            symbols.real.index_select(0, problems),
            symbols.classes.index_select(0, problems),
            None,
        )


def taken(values: Tensor, parent: Tensor) -> Tensor:
    """(problems, beams, …) at positions (problems, beams) -> (problems, beams, …)."""
    return values.gather(
        1, parent.view(*parent.shape, *[1] * (values.dim() - 2)).expand(*parent.shape, *values.shape[2:])
    )


def _put(values: Tensor, place: Tensor, beams: int) -> Tensor:
    """(problems, width, size) -> (problems, beams, size): undo `taken`, with zeros elsewhere."""
    index = place.unsqueeze(-1).expand_as(values)
    return values.new_zeros(len(values), beams, values.shape[2]).scatter(1, index, values)


def _flat(values: Tensor) -> Tensor:
    """Return a view with problems and beams as one axis; writing to it changes the hypotheses."""
    return values.view(-1, *values.shape[2:])
