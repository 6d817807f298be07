"""MPNet (Song et al. 2020) as an encoder: a BERT whose attention also depends on how far apart two pieces are.

The distance of two pieces selects one of 32 buckets, and each head adds the bucket's bias to its scores. All layers
share the biases. Everything else is that of bert.py; a test compares the states with the reference implementation.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from sau_solver.models.encoders.bert import Bert, LayerNames, common_weights
from sau_solver.models.network_shapes import BUCKETS, STARTS, BertShape

FIRST = 2  # the position of the first piece in published weights

NAMES = LayerNames(
    looking=("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    seen="attention.attn.o",
    seen_norm="attention.LayerNorm",
)


class Mpnet(Bert):
    """A BERT with a bias for the distance of two pieces."""

    def __init__(self, pieces: int, shape: BertShape) -> None:
        super().__init__(pieces, shape)
        self.distances = nn.Parameter(torch.randn(BUCKETS, shape.heads) * 0.02)

    def mask(self, real: Tensor) -> Tensor:
        """Real pieces (problems, pieces) -> what is added to the scores (problems, heads, pieces, pieces)."""
        length = real.shape[1]
        distances = torch.arange(1 - length, length, device=real.device)
        biases = self.distances.index_select(-2, buckets(distances)).transpose(-1, -2)  # (…, heads, distances)
        # Row by row, from the first piece to the last, the window of biases moves one distance to the left.
        rows = biases.unfold(-1, length, 1).flip(-2)  # (…, heads, pieces, pieces)
        runs = 1 if self.distances.dim() == 2 else len(self.distances)
        rows = rows.reshape(runs, 1, self.shape.heads, length, length)
        return torch.where(real.view(runs, -1, 1, 1, length), rows, -torch.inf).flatten(0, 1)


def buckets(distances: Tensor) -> Tensor:
    """Return the bucket of each distance, which is negative for pieces to the left."""
    size = distances.abs()
    found = (distances > 0).long() * (BUCKETS // 2)
    for start in STARTS:
        found = found + (size >= start)
    return found


def published_weights(published: Mapping[str, Tensor], shape: BertShape, rows: list[list[int]]) -> dict[str, Tensor]:
    """Return a published MPNetModel's weights under our names; each id gets the mean of the embeddings in its row."""
    return {
        "positions": published["embeddings.position_embeddings.weight"].float()[FIRST:],
        "distances": published["encoder.relative_attention_bias.weight"].float(),
        **common_weights(published, shape, rows, NAMES),
    }
