"""The tree decoder in NumPy: the layers of sau/tree_decoder.py and the additive scores of layers/additive.py.

Shapes are those of a search: problems, beams, hidden. tanh(q + k) is 1 - 2 / (1 + exp(2q) exp(2k)), so that the
exponentials of keys are computed once for a text. Products with weights are sessions of one thread: NumPy would split
each of these small products among all cores, which takes longer than the product itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sau_solver.models.inference.array_encoder import Reading
from sau_solver.models.inference.onnx_graph import Array, Graph, start
from sau_solver.models.options import SauOptions
from sau_solver.models.targets import EncodedProblem, Targets

_LARGEST = np.float32(40.0)  # exp(2 * 40) fits into a float32, and tanh(40) is 1
_IN_CACHE = 1 << 16  # values computed at a time


class Layers:
    """Layers with weights: rows (rows, inputs) -> one result for each output of a graph."""

    def __init__(
        self, weights: Mapping[str, Array], inputs: int, build: Callable[[_Building, str], Sequence[str]]
    ) -> None:
        """Build a graph; `build` adds its nodes to the name of the rows and returns the names of its results."""
        building = _Building(weights)
        made = build(building, building.graph.input("rows", "float32", ["count", inputs]))
        for place, value in enumerate(made):
            building.graph.output(value, f"made{place}", ["count", "outputs"])
        self._session = start(building.graph, threads=1)

    def __call__(self, rows: Array) -> list[Array]:
        """Compute the results; leading axes of the rows are kept."""
        flat = rows.reshape(-1, rows.shape[-1])
        return [made.reshape(*rows.shape[:-1], made.shape[-1]) for made in self._session.run(None, {"rows": flat})]


class _Building:
    """A graph of the decoder that is being built."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.graph, self._weights = Graph(), weights

    def linear(self, rows: str, name: str) -> str:
        """Add a linear layer, with its bias if it has one."""
        parts = (f"{name}.{part}" for part in ("weight", "bias"))
        both = [self.graph.weight(part, self._weights[part]) for part in parts if part in self._weights]
        return self.graph.node("Gemm", rows, *both, transB=1)

    def gate(self, rows: str, name: str) -> str:
        """Add sigmoid(W_q I) * tanh(W_Q I), eq. 4 of the paper, with both products computed as one."""
        gate, value = self.graph.nodes("Split", 2, self.linear(rows, f"{name}.both"), axis=-1, num_outputs=2)
        return self.graph.node("Mul", self.graph.node("Sigmoid", gate), self.graph.node("Tanh", value))


@dataclass(frozen=True, slots=True)
class Known:
    """What the decoder knows of a batch of texts: the words and the symbols that it can write."""

    states: Array  # (problems, words, hidden)
    word_keys: Array  # (problems, words, hidden), as exponentials
    padding: Array  # (problems, 1, words): 0, or -inf for padding
    leaves: Array  # (leaves + 1 + problems * slots, hidden): unknowns, constants, rare constant, slots
    symbol_keys: Array  # (problems, additively scored symbols, hidden), as exponentials
    unreal: Array  # (problems, 1, symbols): 0, or -inf for symbols that the problem does not have
    same: Array  # (problems, slots): the first slot of equal value

    def of_problems(self, chosen: Array) -> Known:
        """Return what is known of some problems; the leaves of all stay."""
        kept = (self.states, self.word_keys, self.padding, self.symbol_keys, self.unreal, self.same)
        states, word_keys, padding, symbol_keys, unreal, same = (each[chosen] for each in kept)
        return Known(states, word_keys, padding, self.leaves, symbol_keys, unreal, same)


class ArrayDecoder:
    """The decoder's layers."""

    def __init__(self, targets: Targets, options: SauOptions, weights: Mapping[str, Array]) -> None:
        own = {name.removeprefix("decoder."): value for name, value in weights.items()}
        hidden = options.hidden
        self.targets, self.options = targets, options
        self.operators, self._leaves = own["operators"], own["leaves"]
        told = 2 * hidden + self.operators.shape[1]
        self._root = Layers(own, hidden, lambda graph, rows: [graph.gate(rows, "left_node")])
        self._right = Layers(own, 2 * hidden, lambda graph, rows: [graph.gate(rows, "right_node")])
        self._merge = Layers(own, told, lambda graph, rows: [graph.gate(rows, "merge")])
        self._open = Layers(
            own,
            told,
            lambda graph, rows: [
                graph.gate(graph.gate(rows, "left_goal"), "left_node"),
                graph.gate(rows, "right_goal"),
            ],
        )
        self._query = Layers(own, hidden, lambda graph, rows: [graph.linear(rows, "attention.query")])
        scoring = ["score_node", "score_operators"] if options.operator_score == "linear" else ["score_node"]
        self._score = Layers(own, 2 * hidden, lambda graph, rows: [graph.linear(rows, name) for name in scoring])
        self._key = Layers(own, hidden, lambda graph, rows: [graph.linear(rows, "score_symbol")])
        self._attention, self._score_weights = own["attention.weights"], own["score_weights"]
        listed = self._leaves[:-1]
        if options.operator_score == "additive":
            listed = np.concatenate([self.operators, listed])
        self._generated_keys = _grown(self._key(listed)[0])  # the same for every text

    def root(self, goals: Array) -> Array:
        """Return the states of roots: (rows, hidden) -> (rows, hidden)."""
        return self._root(goals)[0]

    def opened(self, nodes: Array, contexts: Array, operators: Array) -> tuple[Array, Array]:
        """Return the states of left operands and the goals of right operands, after these operators were written."""
        state, goal = self._open(np.concatenate([nodes, contexts, self.operators[operators]], 1))
        return state, goal

    def right(self, goals: Array, lefts: Array) -> Array:
        """Return the states of right operands, given their goals and the embeddings of the left operands."""
        return self._right(np.concatenate([goals, lefts], 1))[0]

    def merged(self, lefts: Array, rights: Array, operators: Array) -> Array:
        """Return the embeddings of subtrees, eq. 8."""
        return self._merge(np.concatenate([lefts, rights, self.operators[operators]], 1))[0]

    def know(self, reading: Reading, problems: Sequence[EncodedProblem]) -> Known:
        """Return what the decoder needs to know of a batch of texts, eq. 3."""
        count, most = len(problems), max(1, *(len(problem.places) for problem in problems))

        def padded(rows: Sequence[Sequence[int]]) -> Array:
            return np.array([[*row, *[0] * (most - len(row))] for row in rows])

        places, same = padded([problem.places for problem in problems]), padded([one.same for one in problems])
        there = np.arange(most) < np.array([len(problem.places) for problem in problems])[:, None]
        numbers = reading.states[np.arange(count)[:, None], places]  # (problems, slots, hidden)
        meant = numbers
        if self.options.repeated_number == "mean":
            shares = ((same[:, :, None] == same[:, None, :]) & there[:, None, :]).astype(np.float32)
            meant = (shares / np.maximum(shares.sum(2, keepdims=True), 1)) @ numbers
        slot_keys = _grown(self._key(numbers)[0])
        listed = np.broadcast_to(self._generated_keys, (count, *self._generated_keys.shape))
        targets = self.targets
        known = np.arange(targets.generated) < targets.generated - targets.padding
        real = np.concatenate([np.broadcast_to(known, (count, len(known))), there], 1)
        return Known(
            states=reading.states,
            word_keys=_grown(reading.keys),
            padding=_hidden(reading.real),
            leaves=np.concatenate([self._leaves, meant.reshape(-1, meant.shape[2])]),
            symbol_keys=np.concatenate([listed, slot_keys], 1),
            unreal=_hidden(real),
            same=same,
        )

    def shares(self, nodes: Array, known: Known) -> Array:
        """Return the weight of each word for each node: (problems, width, hidden) -> (problems, width, words)."""
        scores = _scores(self._query(nodes)[0], known.word_keys, self._attention)
        scores += known.padding
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        return scores

    def look(self, nodes: Array, known: Known) -> tuple[Array, Array]:
        """Return the context of each node, and the log-probability of each symbol, (problems, width, symbols).

        The probabilities of slots of equal value are added up at the first of them; the others get -inf.
        """
        contexts = self.shares(nodes, known) @ known.states
        queries, *operators = self._score(np.concatenate([nodes, contexts], -1))
        scores = _scores(queries, known.symbol_keys, self._score_weights)
        if operators:
            scores = np.concatenate([*operators, scores], -1)
        scores += known.unreal
        scores -= scores.max(-1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(-1, keepdims=True))
        scores[..., self.targets.generated :] = _added(scores[..., self.targets.generated :], known.same)
        return contexts, scores


def _added(logs: Array, same: Array) -> Array:
    """Add the probabilities of slots of equal value: log-probabilities (problems, width, slots), same shape."""
    slots = logs.shape[2]
    if (same == np.arange(slots)).all():
        return logs
    alike = same[:, None, :] == np.arange(slots)[:, None]  # (problems, first slot, slot)
    each = np.where(alike[:, None], logs[:, :, None, :], -np.inf)  # (problems, width, first slot, slot)
    largest = np.maximum(each.max(-1), np.finfo(np.float32).min)  # a probability may be smaller than any float
    with np.errstate(divide="ignore"):
        added: Array = np.log(np.exp(each - largest[..., None]).sum(-1)) + largest
    return added


def _hidden(real: Array) -> Array:
    return np.where(real, np.float32(0), np.float32(-np.inf))[:, None, :]


def _grown(values: Array) -> Array:
    grown = np.clip(values, -_LARGEST, _LARGEST)
    grown *= 2
    np.exp(grown, out=grown)
    return grown


def _scores(queries: Array, keys: Array, weights: Array) -> Array:
    """Return weights . tanh(query + key): (problems, width, hidden), grown keys -> (problems, width, keys)."""
    problems, width, hidden = queries.shape
    count = keys.shape[1]
    grown = _grown(queries)
    scores = np.empty((problems, width, count), np.float32)
    step = max(1, _IN_CACHE // (count * hidden))
    held = np.empty((step, count, hidden), np.float32)  # reused, so that it stays in cache
    for problem in range(problems):
        for begin in range(0, width, step):
            part = grown[problem, begin : begin + step, None]
            met = held[: len(part)]
            np.multiply(part, keys[problem], out=met)
            met += 1
            np.reciprocal(met, out=met)
            np.einsum("qkh,h->qk", met, weights, out=scores[problem, begin : begin + step])
    scores *= -2
    scores += weights.sum()
    return scores
