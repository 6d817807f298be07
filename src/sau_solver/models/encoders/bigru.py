"""The paper's problem encoder (eq. 1-2): word ids -> a state for each word and the goal of the whole problem."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.gru import BiGru
from sau_solver.models.layers.stacked import Embedding
from sau_solver.text.tokens import PADDING


class Encoder(nn.Module):
    """A two-layer bidirectional GRU; the states of both directions are added."""

    def __init__(self, words: int, embedding: int, hidden: int) -> None:
        super().__init__()
        self.embedding = Embedding(words, embedding, padding_idx=PADDING)
        self.first = BiGru(embedding, hidden)
        self.second = BiGru(2 * hidden, hidden)

    @property
    def words(self) -> int:
        """The number of word ids."""
        return self.embedding.weight.shape[-2]

    def forward(self, words: Tensor, lengths: Tensor, drop: Dropout) -> tuple[Tensor, Tensor]:
        """(problems, words) -> states (problems, words, hidden) and the goal g0 (problems, hidden)."""
        ahead, back, _, _ = self.first(drop(self.embedding(words)), lengths)
        ahead, back, last, first = self.second(drop(torch.cat([ahead, back], -1)), lengths)
        return ahead + back, last + first
