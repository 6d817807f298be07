"""A pretrained encoder in ONNX Runtime, with the layers of bert.py: ids of word pieces -> what the decoder reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sau_solver.models.inference.array_weights import ArrayWeights
from sau_solver.models.inference.onnx_graph import Array, Graph, start
from sau_solver.models.network_shapes import STARTS, BertShape
from sau_solver.models.targets import EncodedProblem

MAX_PIECES = 512  # of all texts that are encoded at a time; ONNX Runtime keeps the memory that the largest run needed
_HIDDEN_FROM = np.float32(-1e30)  # added to the score of padding

EMBEDDING = "encoder.pretrained.embedding.weight"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the decoder reads of a batch of texts."""

    states: Array  # (problems, words, hidden)
    keys: Array  # (problems, words, hidden): the keys of the attention to the words
    goals: Array  # (problems, hidden): the goal of the root
    real: Array  # (problems, words): False for padding

    @classmethod
    def joined(cls, parts: Sequence[Reading], longest: int) -> Reading:
        """Return several batches as one, padded to the longest text of all."""

        def padded(arrays: Sequence[Array]) -> Array:
            wide = [(0, 0)] * (arrays[0].ndim - 2)
            return np.concatenate([np.pad(one, [(0, 0), (0, longest - one.shape[1]), *wide]) for one in arrays])

        states, keys, real = (padded([getattr(one, name) for one in parts]) for name in ("states", "keys", "real"))
        return cls(states, keys, np.concatenate([one.goals for one in parts]), real)


class ArrayEncoder:
    """A BERT or MPNet with the linear layers around it."""

    def __init__(self, shape: BertShape, weights: ArrayWeights, threads: int) -> None:
        """Start the encoder. It takes its weights out of `weights`, so that they are in memory once."""
        own, self._embedding = weights.arrays, weights.words
        self._positions = own.pop("encoder.pretrained.positions")
        self._distances = own.pop("encoder.pretrained.distances", None)  # (buckets, heads), of an MPNet
        names = [name for name in own if name.startswith("encoder.")]
        graph = _graph(shape, {name: own.pop(name) for name in names} | {_KEY: own.pop(_KEY)})
        self._session = start(graph, threads)

    def read(self, problems: Sequence[EncodedProblem]) -> Reading:
        """Encode a batch of texts, padded to the longest. Long texts are encoded a few at a time, to save memory."""
        longest = max(len(problem.words) for problem in problems)
        together = max(1, MAX_PIECES // longest)
        read = [self._read(problems[place : place + together]) for place in range(0, len(problems), together)]
        return read[0] if len(read) == 1 else Reading.joined(read, longest)

    def _read(self, problems: Sequence[EncodedProblem]) -> Reading:
        lengths = np.array([len(problem.words) for problem in problems])
        longest = int(lengths.max())
        words = np.array([[*problem.words, *[0] * (longest - len(problem.words))] for problem in problems])
        place = np.arange(longest)
        real = place < lengths[:, None]
        # Later pieces get the last position.
        positions = np.broadcast_to(np.minimum(place, len(self._positions) - 1), real.shape)[real]
        given = {
            "pieces": self._embedding[words[real]] + self._positions[positions],
            "packed": np.flatnonzero(real),
            "padded": np.where(real, np.cumsum(real).reshape(real.shape) - 1, 0),
            "bias": self._bias(real),
        }
        states, keys, goals = self._session.run(["states", "keys", "goals"], given)
        return Reading(states, keys, goals, real)

    def _bias(self, real: Array) -> Array:
        """Return what is added to the scores of the attention: (problems, 1 or heads, 1 or pieces, pieces)."""
        padding = np.where(real, np.float32(0), _HIDDEN_FROM)[:, None, None, :]
        if self._distances is None:
            return padding
        place = np.arange(real.shape[1])
        biases = self._distances[bucket_of(place[None, :] - place[:, None])]  # (pieces, pieces, heads)
        return np.ascontiguousarray(biases.transpose(2, 0, 1)[None] + padding)


_KEY = "decoder.attention.key.weight"


def bucket_of(distances: Array) -> Array:
    """Return the bucket of each distance, which is negative for pieces to the left; see encoders/mpnet.py."""
    found: Array = np.searchsorted(STARTS, np.abs(distances), side="right") + (distances > 0) * (1 + len(STARTS))
    return found


def _graph(shape: BertShape, weights: Mapping[str, Array]) -> Graph:
    """Return the graph of the encoder; rows are the pieces of all texts, one after the other, without padding.

    Nearly all of the work is in the linear layers, so only the attention sees padding. `padded` (problems, length) is
    the row of each piece, any row for padding; `packed` (rows,) is the place of each row among the padded pieces.
    """
    graph = Graph()
    size, each = shape.size, shape.size // shape.heads
    hidden = len(weights["encoder.state.weight"])
    pieces = graph.input("pieces", "float32", ["rows", size])
    packed = graph.input("packed", "int64", ["rows"])
    padded = graph.input("padded", "int64", ["problems", "length"])
    bias = graph.input("bias", "float32", ["problems", "some heads", "some pieces", "length"])
    parts = _integers(graph, 0, 0, 3, shape.heads, each)  # queries, keys and values; 0: as it is
    scale = graph.constant(np.array(each**-0.5, np.float32))

    def linear(rows: str, name: str) -> str:
        both = (graph.weight(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return graph.node("Gemm", rows, *both, transB=1)

    def norm(rows: str, name: str) -> str:
        both = (graph.weight(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return graph.node("LayerNormalization", rows, *both, axis=-1, epsilon=shape.epsilon)

    def alone(part: str) -> str:
        return graph.node("Squeeze", part, _integers(graph, 2))  # (problems, pieces, heads, size of a head)

    def with_padding(rows: str) -> str:
        return graph.node("Gather", rows, padded, axis=0)  # (problems, length, size of a row)

    rows = norm(pieces, "encoder.pretrained.norm")
    for number in range(shape.layers):
        layer = f"encoder.pretrained.layers.{number}"
        looking = graph.node("Reshape", with_padding(linear(rows, f"{layer}.looking")), parts)
        query, key, value = map(alone, graph.nodes("Split", 3, looking, axis=2, num_outputs=3))
        query = graph.node("Mul", graph.node("Transpose", query, perm=(0, 2, 1, 3)), scale)
        scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=(0, 2, 3, 1)))
        shares = graph.node("Softmax", graph.node("Add", scores, bias), axis=-1)
        seen = graph.node("MatMul", shares, graph.node("Transpose", value, perm=(0, 2, 1, 3)))
        seen = graph.node("Reshape", graph.node("Transpose", seen, perm=(0, 2, 1, 3)), _integers(graph, -1, size))
        seen = graph.node("Gather", seen, packed, axis=0)
        rows = norm(graph.node("Add", rows, linear(seen, f"{layer}.seen")), f"{layer}.seen_norm")
        inner = graph.node("Gelu", linear(rows, f"{layer}.wide"))
        rows = norm(graph.node("Add", rows, linear(inner, f"{layer}.narrow")), f"{layer}.norm")
    states = linear(rows, "encoder.state")
    keys = graph.node("Gemm", states, graph.weight(_KEY, weights[_KEY]), transB=1)
    first = graph.node("Gather", rows, graph.node("Gather", padded, graph.constant(np.array(0)), axis=1), axis=0)
    for name, made in (("states", states), ("keys", keys)):
        graph.output(with_padding(made), name, ["problems", "length", hidden])
    graph.output(linear(first, "encoder.goal"), "goals", ["problems", hidden])
    return graph


def _integers(graph: Graph, *values: int) -> str:
    return graph.constant(np.array(values, np.int64))
