"""The paper's model, one problem and one node at a time: the oracle of the tests and the baseline of decoding.py.

It reads the parameters of a `SauNetwork` and runs none of its code. It follows the paper's equations, except that the
linear map of a concatenation such as W[n, h_s] is the sum of two maps, because the network stores it that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from benchmarks.subtree_by_subtree import AlignedSubtree, oracle_alignment
from sau_solver.equations.symbols import OPERATORS
from sau_solver.models.encoders.bigru import Encoder
from sau_solver.models.layers.attention import Attention
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_decoder import Gate
from sau_solver.models.targets import EncodedProblem, EncodedTree


@dataclass(frozen=True, slots=True)
class OracleLosses:
    """The same parts as `Losses`."""

    total: Tensor
    symbols: Tensor
    alignment: Tensor
    right: int
    counted: int


@dataclass(frozen=True, slots=True)
class Reading:
    """An encoded problem: a state for each word, g0, and the embeddings of its symbols."""

    states: Tensor  # (words, hidden)
    goal: Tensor  # (hidden,)
    numbers: list[Tensor]  # the state at each number, for scores
    meant: list[Tensor]  # the embedding of each number in a tree
    places: tuple[int, ...]  # the positions of the numbers
    same: tuple[int, ...]
    attended: Tensor  # (words, hidden): the part of eq. 5 that depends only on the words
    listed: Tensor  # (symbols scored by eq. 7, hidden): the part of eq. 7 that depends only on the symbols


class _Tally:
    """The running totals over the nodes of a batch."""

    def __init__(self) -> None:
        self.missed: list[Tensor] = []
        self.aligned: list[list[AlignedSubtree]] = []  # per problem: those of its operators
        self.right = self.counted = 0


def oracle_losses(network: SauNetwork, problems: Sequence[EncodedProblem], smoothing: float = 0.0) -> OracleLosses:
    """Compute equations 10, 12 and 13 as a mean over problems or over symbols."""
    tally = _Tally()
    for problem in problems:
        assert problem.tree is not None
        reading = read(network, problem)
        tally.aligned.append([])
        node = gate(network.decoder.left_node, reading.goal)
        _, end = _write_gold(network, reading, problem.tree, 0, node, smoothing, tally)
        assert end == len(problem.tree.symbols)
    missed = torch.stack(tally.missed).sum() if tally.missed else network.decoder.leaves.sum() * 0
    total = missed / (len(problems) if network.options.loss_mean == "problems" else max(1, tally.counted))
    aligned = oracle_alignment(network.options, tally.aligned, network.decoder.leaves.sum() * 0)
    if network.options.ssar:
        total = total + network.ssar * aligned
    return OracleLosses(total, missed, aligned, tally.right, tally.counted)


def _write_gold(
    network: SauNetwork,
    reading: Reading,
    tree: EncodedTree,
    place: int,
    node: Tensor,
    smoothing: float,
    tally: _Tally,
) -> tuple[Tensor, int]:
    """Predict the subtree that begins at `place`; return its embedding and the place after it."""
    decoder, symbol = network.decoder, tree.symbols[place]
    context = attend(decoder.attention, node, reading.states, reading.attended)
    if symbol >= 0:
        scores = symbol_scores(network, reading, node, context)
        logs = scores - scores.logsumexp(0)
        same = _slots_of(network, reading, symbol)
        missed = -torch.log(torch.exp(logs[same]).sum())
        tally.missed.append((1 - smoothing) * missed - smoothing * logs[logs.isfinite()].mean())
        tally.right += int(scores.argmax()) in same
        tally.counted += 1
    if not tree.height[place]:
        return embedding(network, reading, symbol), place + 1
    left_node, right_goal = open_operator(network, symbol, node, context)
    left, middle = _write_gold(network, reading, tree, place + 1, left_node, smoothing, tally)
    right_node = gate(decoder.right_node, torch.cat([right_goal, left]))
    right, end = _write_gold(network, reading, tree, middle, right_node, smoothing, tally)
    subtree = gate(decoder.merge, torch.cat([left, right, decoder.operators[symbol]]))
    if network.alignment is not None:
        tally.aligned[-1].append(_align(network, reading, subtree, tree.symbols[place:end]))
    return subtree, end


def _align(network: SauNetwork, reading: Reading, subtree: Tensor, symbols: Sequence[int]) -> AlignedSubtree:
    """Compute equation 9 for the subtree of these symbols."""
    align, first = network.alignment, network.targets.generated
    assert align is not None
    weights = look(align.attention, subtree, reading.states)
    found = _two_layers(align.text, weights @ reading.states)
    slots = {slot - first for symbol in symbols if symbol >= first for slot in _slots_of(network, reading, symbol)}
    places = frozenset(reading.places[slot] for slot in slots)
    return AlignedSubtree(_two_layers(align.subtree, subtree), found, weights, places)


def read(network: SauNetwork, problem: EncodedProblem) -> Reading:
    """Compute equations 1 to 3."""
    encoder, decoder = network.encoder, network.decoder
    assert isinstance(encoder, Encoder)
    words = encoder.embedding(torch.tensor(problem.words, device=encoder.embedding.weight.device))
    ahead, back = _both_ways(encoder.first.ahead, encoder.first.back, words)
    ahead, back = _both_ways(encoder.second.ahead, encoder.second.back, torch.cat([ahead, back], 1))
    states = ahead + back
    numbers = [states[place] for place in problem.places]
    meant = list(numbers)
    if network.options.repeated_number == "mean":
        for slot, first in enumerate(problem.same):
            alike = [number for number, other in zip(numbers, problem.same, strict=True) if other == first]
            meant[slot] = torch.stack(alike).mean(0)
    listed = [*decoder.leaves[:-1], *numbers]
    if network.options.operator_score == "additive":
        listed = [*decoder.operators, *listed]
    keys = [decoder.score_symbol.weight @ symbol for symbol in listed]
    return Reading(
        states,
        ahead[-1] + back[0],
        numbers,
        meant,
        problem.places,
        problem.same,
        states @ decoder.attention.key.weight.T,
        torch.stack(keys) if keys else states.new_zeros(0, states.shape[1]),
    )


def _both_ways(ahead: nn.GRU, back: nn.GRU, words: Tensor) -> tuple[Tensor, Tensor]:
    states, _ = ahead(words)
    backwards, _ = back(words.flip(0))
    return states, backwards.flip(0)


def gate(layer: Gate, inputs: Tensor) -> Tensor:
    """Compute equation 4."""
    size = len(layer.both.weight) // 2
    weights, bias = layer.both.weight, layer.both.bias
    opened = torch.sigmoid(weights[:size] @ inputs + bias[:size])
    return opened * torch.tanh(weights[size:] @ inputs + bias[size:])


def attend(layer: Attention, query: Tensor, states: Tensor, keys: Tensor | None = None) -> Tensor:
    """Compute equation 5."""
    return look(layer, query, states, keys) @ states


def look(layer: Attention, query: Tensor, states: Tensor, keys: Tensor | None = None) -> Tensor:
    """Return the weights of equation 5, one for each word."""
    keys = states @ layer.key.weight.T if keys is None else keys
    scores = torch.tanh(layer.query.weight @ query + layer.query.bias + keys) @ layer.weights
    return torch.softmax(scores, 0)


def symbol_scores(network: SauNetwork, reading: Reading, node: Tensor, context: Tensor) -> Tensor:
    """Compute equation 7 for each symbol of the problem, by id; -inf for ids without a symbol."""
    decoder, targets = network.decoder, network.targets
    told = torch.cat([node, context])
    asked = decoder.score_node.weight @ told + decoder.score_node.bias
    scores = torch.tanh(asked + reading.listed) @ decoder.score_weights
    if decoder.score_operators is not None:
        scores = torch.cat([decoder.score_operators.weight @ told + decoder.score_operators.bias, scores])
    padding = torch.zeros(len(scores), dtype=torch.bool, device=scores.device)
    padding[targets.generated - targets.padding : targets.generated] = True
    return scores.masked_fill(padding, -torch.inf)


def embedding(network: SauNetwork, reading: Reading, symbol: int) -> Tensor:
    """Return equation 3 for a leaf; all rare constants share one embedding."""
    targets = network.targets
    if symbol >= targets.generated:
        return reading.meant[symbol - targets.generated]
    return network.decoder.leaves[symbol - targets.operators if symbol >= 0 else targets.leaves]


def open_operator(network: SauNetwork, operator: int, node: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
    """Return the state of an operator's left operand and the goal of its right one."""
    decoder = network.decoder
    told = torch.cat([node, context, decoder.operators[operator]])
    return gate(decoder.left_node, gate(decoder.left_goal, told)), gate(decoder.right_goal, told)


def _two_layers(layers: nn.Sequential, inputs: Tensor) -> Tensor:
    first, _, second = layers
    assert isinstance(first, nn.Linear)
    assert isinstance(second, nn.Linear)
    return second.weight @ torch.tanh(first.weight @ inputs + first.bias) + second.bias


def _slots_of(network: SauNetwork, reading: Reading, symbol: int) -> list[int]:
    """Return all ids with the same value as this one."""
    slot = symbol - network.targets.generated
    if slot < 0:
        return [symbol]
    same = [other for other, first in enumerate(reading.same) if first == reading.same[slot]]
    return [network.targets.generated + other for other in same]


@dataclass(slots=True)
class Looks:
    """Attention weights of the nodes in prefix order, and the alignment of operators by their place in that order."""

    nodes: list[Tensor]  # (words,) each
    weights: dict[int, Tensor]  # (words,) each
    similarities: dict[int, Tensor]  # (words,) each
    distances: dict[int, Tensor]


@torch.no_grad()
def oracle_looks(network: SauNetwork, problem: EncodedProblem) -> Looks:
    """Return the attention and alignment of the gold tree, written node by node as in the search."""
    assert problem.tree is not None
    reading, looks = read(network, problem), Looks([], {}, {}, {})
    _look_down(network, reading, problem.tree.symbols, gate(network.decoder.left_node, reading.goal), looks)
    return looks


def _look_down(
    network: SauNetwork, reading: Reading, symbols: Sequence[int], node: Tensor, looks: Looks
) -> tuple[Tensor, Sequence[int]]:
    """Write the subtree that `symbols` begin with; return its embedding and the symbols after it."""
    decoder, align, place = network.decoder, network.alignment, len(looks.nodes)
    looks.nodes.append(look(decoder.attention, node, reading.states))
    symbol, *rest = symbols
    if not 0 <= symbol < network.targets.operators:
        return embedding(network, reading, symbol), rest
    context = attend(decoder.attention, node, reading.states)
    left_node, right_goal = open_operator(network, symbol, node, context)
    left, after = _look_down(network, reading, rest, left_node, looks)
    right_node = gate(decoder.right_node, torch.cat([right_goal, left]))
    right, after = _look_down(network, reading, after, right_node, looks)
    subtree = gate(decoder.merge, torch.cat([left, right, decoder.operators[symbol]]))
    if align is not None:
        there = _two_layers(align.subtree, subtree)
        looks.weights[place] = look(align.attention, subtree, reading.states)
        found = _two_layers(align.text, looks.weights[place] @ reading.states)
        looks.distances[place] = (there - found).square().sum().sqrt()
        words = [_two_layers(align.text, state) for state in reading.states]
        looks.similarities[place] = torch.stack([there @ word / there.norm() / word.norm() for word in words])
    return subtree, after


@dataclass(frozen=True, slots=True)
class Frame:
    """An open operator; a list of frames combines the paper's stacks G and T."""

    operator: int
    right_goal: Tensor
    left: Tensor | None = None  # the left subtree, if it is complete


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An incomplete or complete tree of the search."""

    symbols: tuple[int, ...]
    score: float
    goals: tuple[str, ...]  # the open goals, the next one last
    frames: tuple[Frame, ...]
    node: Tensor


@torch.no_grad()
def oracle_search(network: SauNetwork, problem: EncodedProblem, beam: int) -> list[tuple[list[int], float]]:
    """Return the trees in ids with their log-probabilities, the most probable first."""
    reading = read(network, problem)
    kept = [Hypothesis((), 0.0, ("root",), (), gate(network.decoder.left_node, reading.goal))]
    while any(hypothesis.goals for hypothesis in kept):
        grown: list[tuple[float, Hypothesis, int, Tensor | None]] = []
        for hypothesis in kept:
            if not hypothesis.goals:
                grown.append((hypothesis.score, hypothesis, -1, None))
                continue
            context = attend(network.decoder.attention, hypothesis.node, reading.states, reading.attended)
            for symbol, log in _continuations(network, reading, hypothesis, context):
                grown.append((hypothesis.score + log, hypothesis, symbol, context))
        grown.sort(key=lambda one: -one[0])
        kept = [
            hypothesis if context is None else _grow(network, reading, hypothesis, symbol, score, context)
            for score, hypothesis, symbol, context in grown[:beam]
        ]
    return [(list(hypothesis.symbols), hypothesis.score) for hypothesis in kept]


def _continuations(
    network: SauNetwork, reading: Reading, hypothesis: Hypothesis, context: Tensor
) -> Iterator[tuple[int, float]]:
    scores = symbol_scores(network, reading, hypothesis.node, context)
    logs = scores - scores.logsumexp(0)
    for symbol in range(len(logs)):
        same = _slots_of(network, reading, symbol)
        if symbol == same[0] and logs[symbol].isfinite() and _may_come(network, hypothesis, symbol):
            yield symbol, float(logs[same].logsumexp(0))


def _may_come(network: SauNetwork, hypothesis: Hypothesis, symbol: int) -> bool:
    """Return whether a symbol fits the goal and leaves enough room for the goals that are open after it."""
    targets = network.targets
    *others, goal = hypothesis.goals
    operator = OPERATORS[symbol] if symbol < targets.operators else None
    states = operator in (";", "=")
    open_goals = others + _operands(operator)
    least = sum(3 if kind == "statement" else 1 for kind in open_goals)  # a statement needs at least 3 symbols
    if len(hypothesis.symbols) + 1 + least > network.options.longest_tree:
        return False
    if goal == "root":
        return targets.equations if states else targets.expressions
    return states == (goal == "statement")


def _operands(operator: str | None) -> list[str]:
    if operator is None:
        return []
    return ["statement"] * 2 if operator == ";" else ["expression"] * 2


def _grow(
    network: SauNetwork, reading: Reading, hypothesis: Hypothesis, symbol: int, score: float, context: Tensor
) -> Hypothesis:
    decoder, frames = network.decoder, list(hypothesis.frames)
    written = (*hypothesis.symbols, symbol)
    *others, _ = hypothesis.goals
    if symbol < network.targets.operators:
        node, right_goal = open_operator(network, symbol, hypothesis.node, context)
        frames.append(Frame(symbol, right_goal))
        return Hypothesis(written, score, (*others, *_operands(OPERATORS[symbol])), tuple(frames), node)
    subtree, node = embedding(network, reading, symbol), hypothesis.node
    while frames:
        frame = frames.pop()
        if frame.left is None:
            frames.append(Frame(frame.operator, frame.right_goal, subtree))
            node = gate(decoder.right_node, torch.cat([frame.right_goal, subtree]))
            break
        subtree = gate(decoder.merge, torch.cat([frame.left, subtree, decoder.operators[frame.operator]]))
    return Hypothesis(written, score, tuple(others), tuple(frames), node)
