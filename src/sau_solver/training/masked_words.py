"""A pretrained encoder learns to guess masked words of the training texts before the network is trained.

Published encoders have read news and encyclopedias, but few word problems. As in BERT (Devlin et al. 2019), 15 % of the
words are hidden: most as an unknown word, some as another word, some as they are. Numbers and marks stay. The
embeddings are also the scores of the words that are guessed. Only the encoder is kept.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from sau_solver.models.encoders.bert import Bert
from sau_solver.models.layers.dropout import Noise
from sau_solver.text.pieces import END
from sau_solver.text.tokens import PADDING, UNKNOWN_WORD
from sau_solver.training.trainer import EpochReport, Report
from sau_solver.training.training_options import TrainingOptions

_HIDDEN = 0.15  # share of the words that are guessed
_UNKNOWN, _OTHER = 0.8, 0.1  # shares of these that are shown as an unknown word and as another word
_BATCH = 256
_LONGEST = 160  # pieces of a text that are read
_WARMUP = 0.06
_SORTED = 32  # batches whose texts are sorted by length together


def learn_masked_words(
    encoder: Bert,
    texts: Sequence[Sequence[int]],
    options: TrainingOptions,
    seed: int,
    report: Report | None = None,
    run: str = "",
) -> None:
    """Train the encoder, on the device of its weights, with texts as ids of word pieces."""
    epochs, rate = options.masked_epochs, options.masked_rate
    device = encoder.embedding.weight.device
    read = [list(text[:_LONGEST]) for text in texts if any(piece > END for piece in text[:_LONGEST])]
    if not read:
        return
    shuffle = random.Random(seed)  # noqa: S311
    generator = torch.Generator(device).manual_seed(seed)
    noise = Noise(encoder.shape.dropout, torch.Generator(device))
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        head = _Head(encoder).to(device)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=rate, weight_decay=0.01)
    steps, step, started = epochs * math.ceil(len(read) / _BATCH), 0, time.perf_counter()
    encoder.train()
    for epoch in range(epochs):
        total = torch.zeros(2, device=device)  # loss and share of right guesses
        batches = _batches(read, shuffle)
        for batch in batches:
            for group in optimizer.param_groups:
                group["lr"] = rate * _schedule(step, steps)
            noise.seed(seed + step)
            words, lengths = _padded(batch, device)
            shown, hidden = _hide(words, len(encoder.embedding.weight), generator)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                scores = head(encoder(shown, lengths, noise)[hidden], encoder.embedding.weight)
            loss = functional.cross_entropy(scores.float(), words[hidden])
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            right = (scores.argmax(1) == words[hidden]).float().mean()
            total += torch.stack([loss.detach(), right])
            step += 1
        if report:
            each = (time.perf_counter() - started) / (epoch + 1)
            lost, found = (total / len(batches)).tolist()
            left = each * (epochs - epoch - 1)
            report(EpochReport(run, epoch + 1, epochs, step, lost, found, 0.0, rate, len(read) / each, left))


class _Head(nn.Module):
    """States of hidden words -> scores of all words; the embeddings are the last layer."""

    def __init__(self, encoder: Bert) -> None:
        super().__init__()
        pieces, size = encoder.embedding.weight.shape
        self.change = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.LayerNorm(size))
        self.bias = nn.Parameter(torch.zeros(pieces))

    def forward(self, states: Tensor, embeddings: Tensor) -> Tensor:
        scores: Tensor = self.change(states) @ embeddings.t() + self.bias
        return scores


def _hide(words: Tensor, known: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return the words as they are shown, and which of them are guessed; marks and numbers are never guessed."""

    def drawn() -> Tensor:
        return torch.rand(words.shape, generator=generator, device=words.device)

    hidden = (drawn() < _HIDDEN) & (words > END)
    if not bool(hidden.any()):  # short texts of a small corpus
        hidden = words > END
    how = drawn()
    other = torch.randint(END + 1, known, words.shape, generator=generator, device=words.device)
    shown = torch.where(hidden & (how < _UNKNOWN), UNKNOWN_WORD, words)
    return torch.where(hidden & (how > 1 - _OTHER), other, shown), hidden


def _batches(texts: Sequence[list[int]], shuffle: random.Random) -> list[list[list[int]]]:
    """Return all texts in random batches of similar length."""
    order = list(texts)
    shuffle.shuffle(order)
    batches = []
    for start in range(0, len(order), _BATCH * _SORTED):
        near = sorted(order[start : start + _BATCH * _SORTED], key=len)
        batches += [near[place : place + _BATCH] for place in range(0, len(near), _BATCH)]
    shuffle.shuffle(batches)
    return batches


def _padded(texts: Sequence[list[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    longest = max(map(len, texts))
    rows = [[*text, *[PADDING] * (longest - len(text))] for text in texts]
    return torch.tensor(rows).to(device), torch.tensor([len(text) for text in texts]).to(device)


def _schedule(step: int, steps: int) -> float:
    """Return the share of the rate: it rises for a while, then falls to 0 as a cosine."""
    return min(1.0, (step + 1) / (_WARMUP * steps)) * (1 + math.cos(math.pi * step / steps)) / 2
