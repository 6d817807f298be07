"""The verifier: a text and a candidate tree, read together -> a score that is high if the tree fits the text.

The search writes a tree symbol by symbol and never sees it as a whole. The verifier does: every node of a candidate
attends to all other nodes and to the words of the text, so that each subtree looks for its meaning in the text, as in
the paper's alignment (eq. 9-10), but trained to tell right candidates from wrong ones. It reads the states of the
network's own encoder, and it sees which numbers of the text a candidate leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.options import check_sizes
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.targets import EncodedTree, Targets

_DEEPEST = 15  # deeper nodes share an embedding
_SPREAD = 0.1  # standard deviation of initial embeddings
_ROOT, _LEFT, _RIGHT = range(3)


@dataclass(frozen=True, slots=True)
class VerifierShape:
    """The sizes of a verifier."""

    size: int = 256
    heads: int = 4
    layers: int = 2
    inner: int = 512  # width of the feed-forward layers

    def __post_init__(self) -> None:
        check_sizes("verifier", layers=self.layers, size=self.size, heads=self.heads, inner=self.inner)


@dataclass(frozen=True, slots=True)
class CandidateBatch:
    """The candidate trees of the texts of a batch, their nodes in prefix order and padded."""

    owners: Tensor  # (candidates,): the text of each candidate
    leaves: Tensor  # (candidates, nodes): ids of operators, unknowns and constants; the last id stands for numbers
    slots: Tensor  # (candidates, nodes): the slot of a number of the text, 0 for other symbols
    is_slot: Tensor  # (candidates, nodes)
    depths: Tensor  # (candidates, nodes)
    sides: Tensor  # (candidates, nodes): root, left or right child
    real: Tensor  # (candidates, nodes): False for padding
    used: Tensor  # (candidates, slots): whether the candidate uses the number, or another one of the same value


def collate_candidates(trees: Sequence[Sequence[EncodedTree]], texts: Texts, targets: Targets) -> CandidateBatch:
    """Return the candidates of a batch of texts, on the device of the texts."""
    listed = [(owner, tree) for owner, own in enumerate(trees) for tree in own]
    most = max(len(tree.symbols) for _, tree in listed)
    device, numbers = texts.words.device, texts.places.shape[1]

    def padded(rows: Sequence[Sequence[int]]) -> Tensor:
        return torch.tensor([[*row, *[0] * (most - len(row))] for row in rows], device=device)

    symbols = padded([tree.symbols for _, tree in listed])
    real = torch.arange(most, device=device) < torch.tensor([[len(tree.symbols)] for _, tree in listed], device=device)
    is_slot = (symbols >= targets.generated) & real
    slots = torch.where(is_slot, symbols - targets.generated, 0)
    owners = torch.tensor([owner for owner, _ in listed], device=device)
    written = torch.zeros(len(listed), numbers + 1, dtype=torch.bool, device=device)  # one more for other symbols
    written.scatter_(1, torch.where(is_slot, slots, numbers), True)
    same = texts.same.index_select(0, owners)  # a tree uses the first slot of a value
    return CandidateBatch(
        owners=owners,
        leaves=torch.where(is_slot, targets.generated, symbols).clamp(min=0),
        slots=slots,
        is_slot=is_slot,
        depths=padded([tree.depth for _, tree in listed]).clamp(max=_DEEPEST),
        sides=padded([_sides(tree) for _, tree in listed]),
        real=real,
        used=written[:, :-1].gather(1, same) & texts.slots.index_select(0, owners),
    )


def _sides(tree: EncodedTree) -> list[int]:
    sides = [_ROOT] * len(tree.symbols)
    for left, right in zip(tree.left, tree.right, strict=True):
        if left >= 0:
            sides[left], sides[right] = _LEFT, _RIGHT
    return sides


class Verifier(nn.Module):
    """Embeds the nodes of candidates and lets them read each other and the text."""

    def __init__(self, targets: Targets, states: int, shape: VerifierShape) -> None:
        """Create a verifier that reads encoder states of size `states`."""
        super().__init__()
        self.shape = shape
        size = shape.size
        self.symbols = nn.Parameter(torch.randn(targets.generated + 1, size) * _SPREAD)  # the last: a number
        self.depths = nn.Parameter(torch.randn(_DEEPEST + 1, size) * _SPREAD)
        self.sides = nn.Parameter(torch.randn(3, size) * _SPREAD)
        self.words = nn.Linear(states, size)
        self.numbers = nn.Linear(states, size)
        self.marks = nn.Parameter(torch.randn(2, size) * _SPREAD)  # of numbers that are left out, and of used ones
        self.begin = nn.LayerNorm(size)
        self.layers = nn.ModuleList(VerifierLayer(shape) for _ in range(shape.layers))
        self.root = nn.Linear(size, 1)
        self.node = nn.Linear(size, 1)

    def forward(self, states: Tensor, texts: Texts, candidates: CandidateBatch, drop: Dropout) -> Tensor:
        """Encoder states (problems, words, states) -> the score of every candidate, (candidates,)."""
        return self.root_and_nodes(states, texts, candidates, drop)[0]

    def root_and_nodes(
        self, states: Tensor, texts: Texts, candidates: CandidateBatch, drop: Dropout
    ) -> tuple[Tensor, Tensor]:
        """Return the scores of the candidates, and what each node adds to it: (candidates, nodes)."""
        owners, size = candidates.owners, self.shape.size
        places = texts.places.unsqueeze(-1)
        numbers = self.numbers(states.gather(1, places.expand(-1, -1, states.shape[2])))  # (problems, slots, size)
        read = numbers.index_select(0, owners).gather(1, candidates.slots.unsqueeze(-1).expand(-1, -1, size))
        nodes = functional.embedding(candidates.leaves, self.symbols)
        nodes = nodes + functional.embedding(candidates.depths, self.depths)
        nodes = nodes + functional.embedding(candidates.sides, self.sides)
        nodes = self.begin(nodes + read * candidates.is_slot.unsqueeze(-1))

        there = torch.arange(states.shape[1], device=states.device) < texts.lengths.unsqueeze(1)
        text = _Text(
            words=self.words(states),
            owners=owners,
            places=places.index_select(0, owners),
            marks=self.marks[candidates.used.long()] * texts.slots.index_select(0, owners).unsqueeze(-1),
            mask=there.index_select(0, owners)[:, None, None, :],
        )
        node_mask = candidates.real[:, None, None, :]
        for layer in self.layers:
            nodes = layer(nodes, node_mask, text, drop)
        counted = candidates.real.to(nodes.dtype)
        each = self.node(nodes).squeeze(-1) * counted / counted.sum(1, keepdim=True)
        return self.root(nodes[:, 0]).squeeze(-1) + each.sum(1), each


@dataclass(frozen=True, slots=True)
class _Text:
    """What the nodes of the candidates read: the words of their texts, with marks at the numbers."""

    words: Tensor  # (problems, words, size)
    owners: Tensor  # (candidates,)
    places: Tensor  # (candidates, slots, 1): positions of the numbers
    marks: Tensor  # (candidates, slots, size): to be added there
    mask: Tensor  # (candidates, 1, 1, words): False for padding

    def through(self, layer: nn.Linear) -> Tensor:
        """Return layer(words + marks) of every candidate, (candidates, words, outputs); a text's words go in once."""
        made: Tensor = layer(self.words).index_select(0, self.owners)
        added = functional.linear(self.marks.to(made.dtype), layer.weight.to(made.dtype))
        return made.scatter_add(1, self.places.expand(-1, -1, made.shape[2]), added)


class VerifierLayer(nn.Module):
    """Nodes read each other, then the words, then a feed-forward layer; each with a residual and a normalization."""

    def __init__(self, shape: VerifierShape) -> None:
        super().__init__()
        size = shape.size
        self.heads = shape.heads
        self.looking = nn.Linear(size, 3 * size)
        self.seen, self.seen_norm = nn.Linear(size, size), nn.LayerNorm(size)
        self.asking, self.answering = nn.Linear(size, size), nn.Linear(size, 2 * size)
        self.found, self.found_norm = nn.Linear(size, size), nn.LayerNorm(size)
        self.wide, self.narrow, self.norm = (
            nn.Linear(size, shape.inner),
            nn.Linear(shape.inner, size),
            nn.LayerNorm(size),
        )

    def forward(self, nodes: Tensor, node_mask: Tensor, text: _Text, drop: Dropout) -> Tensor:
        """(candidates, nodes, size) -> (candidates, nodes, size)."""
        query, key, value = self.looking(nodes).chunk(3, -1)
        seen = self._attended(query, key, value, node_mask)
        nodes = self.seen_norm(nodes + drop(self.seen(seen)))
        key, value = text.through(self.answering).chunk(2, -1)
        found = self._attended(self.asking(nodes), key, value, text.mask)
        nodes = self.found_norm(nodes + drop(self.found(found)))
        normed: Tensor = self.norm(nodes + drop(self.narrow(functional.gelu(self.wide(nodes)))))
        return normed

    def _attended(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        def by_head(values: Tensor) -> Tensor:
            candidates, length, size = values.shape
            return values.view(candidates, length, self.heads, size // self.heads).transpose(1, 2)

        found = functional.scaled_dot_product_attention(by_head(query), by_head(key), by_head(value), attn_mask=mask)
        return found.transpose(1, 2).flatten(2)
