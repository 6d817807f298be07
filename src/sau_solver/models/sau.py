"""SAU-Solver (the paper's model): encoder, tree decoder and alignment put together; the loss of a batch (eq. 12-13)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sau_solver.models.alignment import Alignment
from sau_solver.models.batch import Batch, Texts
from sau_solver.models.encoder import Encoder
from sau_solver.models.noise import Dropout
from sau_solver.models.options import SauOptions
from sau_solver.models.pretrained import PretrainedEncoder, Shape
from sau_solver.models.targets import Targets
from sau_solver.models.tree_decoder import Symbols, TreeDecoder


@dataclass(frozen=True, slots=True)
class Losses:
    """What is minimised, and sums over a batch that a progress display shows."""

    total: Tensor  # of all networks together; the others are (runs,)
    symbols: Tensor  # negative log-probabilities of the gold symbols
    alignment: Tensor
    right: Tensor  # symbols that have the highest probability
    counted: Tensor  # symbols that were predicted


class SauNetwork(nn.Module):
    """The network; ids in, scores and losses out."""

    ssar: Tensor  # the weight of the alignment, or (runs,)

    def __init__(self, words: int, targets: Targets, options: SauOptions, shape: Shape | None = None) -> None:
        """`words` is how many ids texts have; `shape` is that of a pretrained encoder."""
        super().__init__()
        self.options, self.targets, self.shape = options, targets, shape
        self.encoder: Encoder | PretrainedEncoder
        if shape is None:
            self.encoder = Encoder(words, options.embedding, options.hidden)
        else:
            self.encoder = PretrainedEncoder(shape, words, options.hidden)
        self.decoder = TreeDecoder(targets, options)
        self.alignment = Alignment(options.hidden, options.ssar_distance) if options.ssar else None
        self.register_buffer("ssar", torch.tensor(options.ssar), persistent=False)

    def encode(self, texts: Texts, drop: Dropout) -> tuple[Tensor, Tensor, Tensor]:
        """States of words, the goal of the root, and which words are real."""
        states, goals = self.encoder(texts.words, texts.lengths, drop)
        real = torch.arange(texts.words.shape[1], device=texts.words.device) < texts.lengths.unsqueeze(1)
        return states, goals, real

    def losses(self, batch: Batch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """The objective of a batch: a mean over its problems."""
        texts, trees, decoder = batch.texts, batch.trees, self.decoder
        states, goals, real = self.encode(texts, drop)
        symbols = decoder.symbols(states, texts, drop)
        memory = decoder.attention.remember(states, real, texts.word_counts)
        subtrees = decoder.subtrees(symbols, trees, drop)
        nodes, contexts = decoder.descend(goals, subtrees, memory, trees, drop)
        scores = decoder.scores(nodes, contexts, symbols, trees.nodes, drop)  # (nodes, symbols)
        if scores.dtype is torch.bfloat16:
            scores = scores.float()

        rows = trees.nodes
        gold, scored = trees.symbols.index_select(0, rows.index), trees.scored.index_select(0, rows.index)
        missed, right = _misses(scores, gold, scored, symbols, rows.counts, rows.width, smoothing)
        missed, right, counted = (each.view(len(batch.problems), -1).sum(1) for each in (missed, right, scored))
        # A run may have nothing but blank problems in a batch.
        total = missed / (batch.problems if self.options.loss_mean == "problems" else counted).clamp(min=1)
        aligned = torch.zeros_like(total)
        if self.alignment is not None:
            aligned = self.alignment(subtrees, states, real, batch)
            total = total + self.ssar * aligned
        return Losses(total.sum(), missed, aligned, right, counted)


def _misses(
    scores: Tensor,
    gold: Tensor,
    scored: Tensor,
    symbols: Symbols,
    counts: tuple[int, ...] | None,
    width: int,
    smoothing: float,
) -> tuple[Tensor, Tensor]:
    """-log of the probability of each gold symbol, all slots of its value counted together; and which are right."""
    if counts is None:
        real, classes = symbols.real.repeat_interleave(width, 0), symbols.classes.repeat_interleave(width, 0)
    else:
        problem = torch.arange(len(counts)).repeat_interleave(torch.tensor(counts))
        real, classes = symbols.real[problem], symbols.classes[problem]
    scores = scores.masked_fill(~real, -torch.inf)
    meant = (classes == gold.unsqueeze(1)) & real
    every = scores.logsumexp(1)
    # A rare constant or padding means no symbol: kept finite, then weighted with 0.
    wanted = torch.where(meant, scores, -torch.inf).logsumexp(1)
    wanted = torch.where(scored > 0, wanted, every)
    missed = every - wanted
    if smoothing:
        flat = every - scores.masked_fill(~real, 0).sum(1) / real.sum(1)
        missed = (1 - smoothing) * missed + smoothing * flat
    right = meant.gather(1, scores.argmax(1, keepdim=True)).squeeze(1)
    return missed * scored, right * scored
