"""What a trained SAU network attends to: a text and a tree -> weights of the words for nodes and for subtrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.predictor import NetworkPredictor
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Batch
from sau_solver.models.targets import encode_text, encode_tree
from sau_solver.text.numbers import MappedText

Solver = NetworkPredictor[SauNetwork]


@dataclass(frozen=True, slots=True)
class SubtreeAlignment:
    """How SSAR aligns each subtree that has an operator with the text, subtrees in prefix order.

    `weights[subtree][word]` is the attention over words, `similarities[subtree][word]` the cosine between the subtree's
    meaning and each word's state in the common space, and `distances[subtree]` the norm of eq. 10: the distance between
    the meaning and what the attention reads. With `alignment = "span"` there is no common space, and both are empty.
    """

    places: tuple[int, ...]  # positions of the operators among the tree's symbols
    weights: tuple[tuple[float, ...], ...]
    similarities: tuple[tuple[float, ...], ...]
    distances: tuple[float, ...]


@torch.no_grad()
def attention_of(solver: Solver, text: MappedText, tree: Uet) -> tuple[tuple[float, ...], ...]:
    """Return how much of each word the decoder reads when it writes each node of a tree, in prefix order.

    A row sums to 1, or to less if the encoder adds tokens that belong to no word, such as a start token.
    The tree may be the solver's own, another candidate or the gold tree; the text must have a number for every slot.
    """
    batch = _one_problem(solver, text, tree)
    attention, rows = solver.network.decoder.attention, batch.trees.nodes
    written = solver.network.write(batch, keep_all)
    shares = attention.shares(written.nodes.index_select(0, rows.index), written.memory, rows)
    return _weights_of_words(solver, text, shares[0])


@torch.no_grad()
def alignment_of(solver: Solver, text: MappedText, tree: Uet) -> SubtreeAlignment | None:
    """Return the alignment of a tree's subtrees with the words of a text, or None if the network has no alignment.

    Networks "w/o SSAR" and shipped networks have none, because solving does not need it.
    """
    alignment, options = solver.network.alignment, solver.network.options
    if alignment is None or not options.ssar:
        return None
    places = tuple(place for place, symbol in enumerate(tree.symbols) if isinstance(symbol, str))
    batch = _one_problem(solver, text, tree)
    written = solver.network.write(batch, keep_all)
    states, rows = written.memory.states, batch.trees.operators
    meaning = written.subtrees.index_select(0, rows.index)
    memory = alignment.attention.remember(states, written.memory.real, None)
    shares = alignment.attention.shares(meaning, memory, rows)[0, : len(places)]
    weights = _weights_of_words(solver, text, shares)
    if options.alignment == "span":
        return SubtreeAlignment(places, weights, (), ())
    there = alignment.subtree(meaning)[: len(places)]  # (operators, hidden)
    distances = (there - alignment.text(shares @ states[0])).norm(dim=1)
    begins = torch.tensor(solver.vocabulary.read(solver.shown(text))[1], device=states.device, dtype=torch.int64)
    words = alignment.text(states[0].index_select(0, begins))  # (words, hidden): the first token of each word
    cosines = functional.cosine_similarity(there.unsqueeze(1), words.unsqueeze(0), dim=-1)
    return SubtreeAlignment(places, weights, tuple(map(tuple, cosines.tolist())), tuple(distances.tolist()))


def _one_problem(solver: Solver, text: MappedText, tree: Uet) -> Batch:
    """Return a text and a tree as a batch of one, and set the network to evaluation."""
    if missing := [slot for slot in tree.slots() if slot >= len(text.numbers)]:
        raise NotATreeError(f"The tree uses N{missing[0]}, but the text has {len(text.numbers)} numbers.")
    network = solver.network.eval()
    encoded = encode_text(text, solver.vocabulary, encode_tree(tree, network.targets), solver.shown(text))
    device = next(network.parameters()).device
    return network.padded([encoded], device).pick(torch.zeros(1, dtype=torch.int64, device=device))


def _weights_of_words(solver: Solver, text: MappedText, shares: Tensor) -> tuple[tuple[float, ...], ...]:
    """(rows, tokens) -> (rows, words): the weights of a word's tokens added up."""
    ids, begins = solver.vocabulary.read(solver.shown(text))
    last = len(ids) - 1 if begins and begins[0] else len(ids)  # a start token comes with an end token
    ends: Sequence[int] = [*begins[1:], last]
    cut = [shares[:, begin:end].sum(1) for begin, end in zip(begins, ends, strict=True)] if begins else []
    by_word = torch.stack(cut, 1) if cut else shares.new_zeros(len(shares), 0)
    return tuple(map(tuple, by_word.float().tolist()))
