"""Beam search over trees in NumPy, step by step the search of sau/tree_beam.py.

A hypothesis is a stack of open operators, each with the goal of its right operand and, once it is complete, the
embedding of its left operand. The vectors are kept in stores that only grow, so that reordering a beam moves only
indices. Finished hypotheses stay in the beam and compete by log-probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from sau_solver.models.inference.array_decoder import ArrayDecoder
from sau_solver.models.inference.array_encoder import Reading
from sau_solver.models.inference.onnx_graph import Array
from sau_solver.models.targets import EQUALS, SEMICOLON, EncodedProblem, Targets

_COMPACT = 0.75  # finished problems are removed when less than this share is unfinished
_ROOT, _STATEMENT, _EXPRESSION = 0, 1, 2  # kinds of goals
_SHORTEST_STATEMENT, _SHORTEST_EXPRESSION = 3, 1  # x=1, x


@dataclass
class _Beams:
    """Partial trees; the stacks hold their open operators. Every array is (problems, beams, …)."""

    score: Array  # log-probability; -inf if the beam is empty
    done: Array
    kind: Array  # kind of the next goal
    written: Array  # number of symbols written
    needed: Array  # fewest symbols that complete the tree
    symbols: Array  # (…, longest)
    depth: Array  # height of the stack
    operator: Array  # (…, stack)
    goal: Array  # (…, stack): position of the right goal in its store
    left: Array  # (…, stack): position of the left subtree in its store; -1 until it is complete

    def picked(self, *places: Array) -> _Beams:
        """Return the hypotheses at these places: of some problems, or the beams of each problem in another order."""
        return _Beams(*(getattr(self, one.name)[places] for one in fields(self)))


class _Store:
    """A growing matrix whose rows never change."""

    def __init__(self, size: int) -> None:
        self._rows, self._used = np.empty((1024, size), np.float32), 0

    def add(self, rows: Array) -> Array:
        """Add rows and return their positions."""
        end = self._used + len(rows)
        if end > len(self._rows):
            grown = np.empty((max(end, 2 * len(self._rows)), self._rows.shape[1]), np.float32)
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        self._rows[self._used : end] = rows
        begin, self._used = self._used, end
        return np.arange(begin, end)

    def __getitem__(self, places: Array) -> Array:
        return self._rows[places]


@dataclass(frozen=True, slots=True)
class Written:
    """The trees that a search has found for one text, in ids, the most probable first."""

    symbols: list[list[int]]
    log_probabilities: list[float]


class ArraySearch:
    """A search over the trees of a batch of texts."""

    def __init__(self, decoder: ArrayDecoder, reading: Reading, problems: Sequence[EncodedProblem], beam: int) -> None:
        options, count = decoder.options, len(problems)
        self._decoder, self._targets = decoder, decoder.targets
        self._known = decoder.know(reading, problems)
        self._slots = self._known.same.shape[1]
        self._grammar = _Grammar(self._targets, self._slots, options.longest_tree)
        self._numbers = np.arange(count)  # the number of each row's problem in the batch
        self._subtrees, self._goals = _Store(options.hidden), _Store(options.hidden)
        self._nodes = np.repeat(decoder.root(reading.goals)[:, None], beam, 1)  # (problems, beams, hidden)

        def filled(value: int, *more: int) -> Array:
            return np.full((count, beam, *more), value)

        stack = options.longest_tree // 2 + 1
        score = np.full((count, beam), -np.inf, np.float32)
        score[:, 0] = 0
        self._beams = _Beams(
            score=score,
            done=filled(0).astype(bool),
            kind=filled(_ROOT),
            written=filled(0),
            needed=filled(int(self._grammar.shortest[_ROOT])),
            symbols=filled(0, options.longest_tree),
            depth=filled(0),
            operator=filled(0, stack),
            goal=filled(0, stack),
            left=filled(-1, stack),
        )
        self._found = [Written([], [])] * count

    def run(self) -> list[Written]:
        """Return the most probable trees of each text that the search finds."""
        with np.errstate(invalid="ignore", over="ignore"):  # of hypotheses that are empty or finished
            while len(self._numbers):
                self._advance()
                live = (~self._beams.done & np.isfinite(self._beams.score)).max(1)
                if live.sum() < _COMPACT * len(live):
                    self._collect(np.flatnonzero(~live))
                    self._keep(np.flatnonzero(live))
        return self._found

    def _advance(self) -> None:
        beams = self._beams
        contexts, chances = self._look()
        permitted = self._grammar.permitted(beams.kind, beams.written, beams.needed)
        totals = np.where(permitted, chances, -np.inf) + beams.score[..., None]
        totals[beams.done] = -np.inf
        totals[..., 0][beams.done] = beams.score[beams.done]  # a finished hypothesis stays unchanged
        width, count = totals.shape[2], totals.shape[1]
        flat = totals.reshape(len(totals), -1)
        place = np.argpartition(-flat, count - 1, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(flat, place, 1), axis=1, kind="stable")
        place = np.take_along_axis(place, order, 1)
        parent, symbol = np.divmod(place, width)
        rows = np.arange(len(flat))[:, None]
        self._beams = beams = beams.picked(rows, parent)
        beams.score = np.take_along_axis(flat, place, 1)
        hidden = self._nodes.shape[2]
        nodes, contexts = (each[rows, parent].reshape(-1, hidden) for each in (self._nodes, contexts))
        growing = ~beams.done & np.isfinite(beams.score)
        self._write(growing, symbol)
        opening = symbol < self._targets.operators
        symbol = symbol.reshape(-1)
        operators, leaves = np.flatnonzero(growing & opening), np.flatnonzero(growing & ~opening)
        following = nodes.copy()
        if len(operators):
            written = symbol[operators]
            states, goals = self._decoder.opened(nodes[operators], contexts[operators], written)
            self._push(operators, written, goals)
            following[operators] = states
        if len(leaves):
            open_rows, states = self._close(leaves, symbol[leaves])
            following[open_rows] = states
        self._nodes = following.reshape(self._nodes.shape)

    def _look(self) -> tuple[Array, Array]:
        """Return contexts and log-probabilities; they are meaningless for finished and empty hypotheses."""
        live = ~self._beams.done & np.isfinite(self._beams.score)
        width = int(live.sum(1).max())
        if width == live.shape[1]:
            return self._decoder.look(self._nodes, self._known)
        place = np.argsort(~live, axis=1, kind="stable")[:, :width]  # unfinished ones
        rows = np.arange(len(live))[:, None]
        found = self._decoder.look(self._nodes[rows, place], self._known)
        spread = []
        for each in found:
            whole = np.zeros((*live.shape, each.shape[2]), np.float32)
            whole[rows, place] = each
            spread.append(whole)
        return spread[0], spread[1]

    def _write(self, growing: Array, symbol: Array) -> None:
        beams = self._beams
        problem, beam = np.nonzero(growing)
        beams.symbols[problem, beam, beams.written[problem, beam]] = symbol[problem, beam]
        beams.needed = np.where(growing, self._grammar.needed_after(beams.kind, beams.needed, symbol), beams.needed)
        beams.written = beams.written + growing

    def _push(self, rows: Array, operator: Array, goals: Array) -> None:
        """Push operators with the goals of their right operands."""
        beams = self._beams
        depth = _flat(beams.depth)[rows]
        _flat(beams.operator)[rows, depth] = operator
        _flat(beams.goal)[rows, depth] = self._goals.add(goals)
        _flat(beams.left)[rows, depth] = -1
        _flat(beams.depth)[rows] = depth + 1
        _flat(beams.kind)[rows] = _child_kind(operator)

    def _close(self, rows: Array, symbol: Array) -> tuple[Array, Array]:
        """Complete the subtrees that end with these leaves; return the rows that continue and their next states."""
        beams, decoder = self._beams, self._decoder
        subtree = self._known.leaves[self._leaf_row(symbol, rows // beams.score.shape[1])]
        depth, operators, lefts = _flat(beams.depth), _flat(beams.operator), _flat(beams.left)
        while True:  # a right operand completes its parent, which may also be a right operand
            top = np.maximum(depth[rows] - 1, 0)
            left = lefts[rows, top]
            whole = np.flatnonzero((depth[rows] > 0) & (left >= 0))
            if not len(whole):
                break
            operator = operators[rows[whole], top[whole]]
            subtree[whole] = decoder.merged(self._subtrees[left[whole]], subtree[whole], operator)
            depth[rows[whole]] -= 1
        _flat(beams.done)[rows] = depth[rows] == 0
        unfinished = np.flatnonzero(depth[rows] > 0)
        rows, subtree = rows[unfinished], subtree[unfinished]
        top = depth[rows] - 1
        lefts[rows, top] = self._subtrees.add(subtree)
        _flat(beams.kind)[rows] = _child_kind(operators[rows, top])
        goal = self._goals[_flat(beams.goal)[rows, top]]
        return rows, decoder.right(goal, subtree)

    def _leaf_row(self, symbol: Array, problem: Array) -> Array:
        targets = self._targets
        slot = targets.leaves + 1 + self._numbers[problem] * self._slots + symbol - targets.generated
        return np.where(symbol >= targets.generated, slot, symbol - targets.operators)

    def _collect(self, problems: Array) -> None:
        beams = self._beams.picked(problems)
        for row, number in enumerate(self._numbers[problems].tolist()):
            kept = np.flatnonzero(np.isfinite(beams.score[row])).tolist()
            self._found[number] = Written(
                [beams.symbols[row, beam, : beams.written[row, beam]].tolist() for beam in kept],
                [float(beams.score[row, beam]) for beam in kept],
            )

    def _keep(self, problems: Array) -> None:
        self._beams, self._known = self._beams.picked(problems), self._known.of_problems(problems)
        self._nodes, self._numbers = self._nodes[problems], self._numbers[problems]


class _Grammar:
    """The symbols that a search may write next, as in sau/grammar.py."""

    def __init__(self, targets: Targets, slots: int, longest: int) -> None:
        symbols = targets.generated + slots
        states = np.isin(np.arange(symbols), (SEMICOLON, EQUALS))
        self._allowed = np.stack([targets.equations & states | targets.expressions & ~states, states, ~states])
        self._added = np.where(np.arange(symbols) < targets.operators, 2 * _SHORTEST_EXPRESSION, 0)
        self._added[SEMICOLON] = 2 * _SHORTEST_STATEMENT  # the fewest symbols of the operands
        shortest = _SHORTEST_EXPRESSION if targets.expressions else _SHORTEST_STATEMENT
        self.shortest = np.array([shortest, _SHORTEST_STATEMENT, _SHORTEST_EXPRESSION])
        self._longest = longest

    def permitted(self, kind: Array, written: Array, needed: Array) -> Array:
        """(…) goals -> mask (…, symbols); `needed` is the fewest symbols of all open goals, this one included."""
        after = written + 1 + needed - self.shortest[kind]
        mask: Array = self._allowed[kind] & (after[..., None] + self._added <= self._longest)
        return mask

    def needed_after(self, kind: Array, needed: Array, symbol: Array) -> Array:
        """Return the fewest symbols of all open goals after a symbol has been written."""
        found: Array = needed - self.shortest[kind] + self._added[symbol]
        return found


def _child_kind(operator: Array) -> Array:
    return np.where(operator == SEMICOLON, _STATEMENT, _EXPRESSION)


def _flat(values: Array) -> Array:
    """Return a view with problems and beams as one axis; writing to it changes the hypotheses."""
    assert values.flags.c_contiguous
    return values.reshape(-1, *values.shape[2:])
