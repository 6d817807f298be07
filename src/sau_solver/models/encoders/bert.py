"""BERT (Devlin et al. 2019) as an encoder: ids of word pieces -> a state for each.

These layers need no further library at run time, can be stacked, and can be recorded in a CUDA graph. A test compares
them with the reference implementation; pretrained.py reads published weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.stacked import Embedding, LayerNorm, Linear, per_problem
from sau_solver.models.network_shapes import BertShape
from sau_solver.text.tokens import PADDING


class Bert(nn.Module):
    """Embeddings of word pieces and positions, followed by transformer layers."""

    def __init__(self, pieces: int, shape: BertShape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = Embedding(pieces, shape.size, padding_idx=PADDING)
        self.positions = nn.Parameter(torch.randn(shape.positions, shape.size) * 0.02)
        self.norm = LayerNorm(shape.size, shape.epsilon)
        self.layers = nn.ModuleList(BertLayer(shape) for _ in range(shape.layers))

    def forward(self, pieces: Tensor, lengths: Tensor, drop: Dropout) -> Tensor:
        """(problems, pieces) -> (problems, pieces, size)."""
        drop = drop.of(self.shape.dropout)
        problems, length = pieces.shape
        place = torch.arange(length, device=pieces.device)
        positions = self.positions[..., :length, :]
        if length > self.shape.positions:  # later pieces get the last position
            positions = self.positions[..., place.clamp(max=self.shape.positions - 1), :]
        states = drop(self.norm(self.embedding(pieces) + per_problem(positions, problems)))
        mask = self.mask(place < lengths.unsqueeze(1))
        device = states.device.type
        if torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device):
            precision = torch.get_autocast_dtype(device)  # once instead of in every layer
            states, mask = states.to(precision), additive_mask(mask, precision)
        for layer in self.layers:
            states = layer(states, mask, drop)
        return states

    def mask(self, real: Tensor) -> Tensor:
        """Real pieces (problems, pieces) -> which pieces each piece attends to (problems, 1, 1, pieces)."""
        return real.unsqueeze(1).unsqueeze(1)


class BertLayer(nn.Module):
    """Self-attention and a feed-forward layer, each with a residual connection and layer normalization."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.looking = Linear(shape.size, 3 * shape.size)  # queries, keys and values
        self.seen = Linear(shape.size, shape.size)
        self.seen_norm = LayerNorm(shape.size, shape.epsilon)
        self.wide = Linear(shape.size, shape.inner)
        self.narrow = Linear(shape.inner, shape.size)
        self.norm = LayerNorm(shape.size, shape.epsilon)

    def forward(self, states: Tensor, mask: Tensor, drop: Dropout) -> Tensor:
        """(problems, pieces, size) -> (problems, pieces, size).

        The mask (problems, 1 or heads, 1 or pieces, pieces) is true for pieces to attend to, or is added to the scores.
        """
        problems, length, size = states.shape
        looking = self.looking(states).view(problems, length, 3, self.heads, size // self.heads)
        query, key, value = looking.permute(2, 0, 3, 1, 4)  # (problems, heads, pieces, size of a head) each
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(problems, length, size)
        states = self.seen_norm.joined(states, self.seen(seen), drop)
        return self.norm.joined(states, self.narrow(functional.gelu(self.wide(states))), drop)


def additive_mask(mask: Tensor, precision: torch.dtype) -> Tensor:
    """Return what is added to the scores: a mask of what to attend to becomes 0 and -inf.

    Its last axis is contiguous, because fast kernels for attention refuse other layouts.
    """
    if mask.dtype is not torch.bool:
        return mask.to(precision).contiguous()
    return torch.zeros(mask.shape, dtype=precision, device=mask.device).masked_fill(~mask, -torch.inf)


@dataclass(frozen=True, slots=True)
class LayerNames:
    """The names that a published model gives to the parts of an attention layer."""

    looking: tuple[str, str, str]  # queries, keys and values
    seen: str
    seen_norm: str


NAMES = LayerNames(
    looking=("attention.self.query", "attention.self.key", "attention.self.value"),
    seen="attention.output.dense",
    seen_norm="attention.output.LayerNorm",
)


def published_weights(published: Mapping[str, Tensor], shape: BertShape, rows: list[list[int]]) -> dict[str, Tensor]:
    """Return a published BertModel's weights under our names; each id gets the mean of the embeddings in its row."""
    kind = published["embeddings.token_type_embeddings.weight"][0].float()  # a problem is a single segment
    positions = published["embeddings.position_embeddings.weight"].float() + kind
    return {"positions": positions, **common_weights(published, shape, rows, NAMES)}


def common_weights(
    published: Mapping[str, Tensor], shape: BertShape, rows: list[list[int]], names: LayerNames
) -> dict[str, Tensor]:
    """Return the weights that all kinds of encoders have, under our names: all except those of positions."""
    words = published["embeddings.word_embeddings.weight"].float()
    weights = {"embedding.weight": torch.stack([words[own].mean(0) for own in rows])}

    def take(ours: str, theirs: str) -> None:
        for part in ("weight", "bias"):
            weights[f"{ours}.{part}"] = published[f"{theirs}.{part}"].float()

    take("norm", "embeddings.LayerNorm")
    for layer in range(shape.layers):
        ours, theirs = f"layers.{layer}", f"encoder.layer.{layer}"
        for part in ("weight", "bias"):
            looking = [published[f"{theirs}.{name}.{part}"] for name in names.looking]
            weights[f"{ours}.looking.{part}"] = torch.cat(looking).float()
        take(f"{ours}.seen", f"{theirs}.{names.seen}")
        take(f"{ours}.seen_norm", f"{theirs}.{names.seen_norm}")
        take(f"{ours}.wide", f"{theirs}.intermediate.dense")
        take(f"{ours}.narrow", f"{theirs}.output.dense")
        take(f"{ours}.norm", f"{theirs}.output.LayerNorm")
    return weights
