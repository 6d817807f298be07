"""Beam search over sequences: all problems and beams as tensors, one symbol at a time.

Finished hypotheses stay in the beam and compete by log-probability.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor

from sau_solver.models.network import Found
from sau_solver.models.sau.tree_beam import taken

END = 0  # the id that ends a sequence
_COMPACT = 0.75  # finished problems are removed when less than this share is unfinished


class DecodingState(ABC):
    """What a decoder stores about its hypotheses, (problems, beams, …)."""

    @abstractmethod
    def log_probabilities(self) -> Tensor:
        """Return the log-probabilities of the next symbol, (problems, beams, symbols); -inf if it is not permitted."""

    @abstractmethod
    def advance(self, parent: Tensor, symbol: Tensor) -> None:
        """Replace each beam by the one at `parent`, extended by `symbol`, both (problems, beams)."""

    @abstractmethod
    def select(self, problems: Tensor) -> None:
        """Keep only these problems."""


@torch.no_grad()
def search_sequences(state: DecodingState, problems: int, beam: int, longest: int, device: torch.device) -> list[Found]:
    """Return the sequences of each problem, the most probable first, without END; at most `longest` symbols each."""
    found = [Found([], [])] * problems
    numbers = torch.arange(problems, device=device)
    score = torch.full((problems, beam), -torch.inf, device=device)
    score[:, 0] = 0
    done = torch.zeros_like(score, dtype=torch.bool)
    written = torch.zeros(problems, beam, 0, dtype=torch.int64, device=device)  # finished sequences are filled with END

    for length in range(longest + 1):
        chances = state.log_probabilities()
        score = score.to(chances.dtype)
        totals = chances + score.unsqueeze(-1)
        totals[done] = -torch.inf
        totals[..., END] = torch.where(done, score, totals[..., END])  # a finished hypothesis does not change
        if length == longest:  # only END is permitted
            totals[..., END + 1 :] = -torch.inf
        score, place = totals.flatten(1).topk(beam)
        parent, symbol = place // totals.shape[2], place % totals.shape[2]
        written = torch.cat([taken(written, parent), symbol.unsqueeze(-1)], 2)
        done = symbol == END
        live = (~done & score.isfinite()).any(1)
        left = int(live.sum())
        if left and left >= _COMPACT * len(live):
            state.advance(parent, symbol)
            continue
        _collect(found, numbers[~live], written[~live], score[~live])
        if not left:
            break
        chosen = live.nonzero().squeeze(1)
        state.advance(parent, symbol)
        state.select(chosen)
        numbers, score, done, written = (each.index_select(0, chosen) for each in (numbers, score, done, written))
    return found


def _collect(found: list[Found], numbers: Tensor, written: Tensor, score: Tensor) -> None:
    for number, symbols, scores in zip(numbers.tolist(), written.tolist(), score.tolist(), strict=True):
        kept = [beam for beam, one in enumerate(scores) if one > -torch.inf]
        found[number] = Found([symbols[beam][: symbols[beam].index(END)] for beam in kept], [scores[b] for b in kept])
