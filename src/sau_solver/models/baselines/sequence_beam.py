"""Beam search over sequences: problems x beams as tensors, one more symbol of every hypothesis at a time.

A `Walk` is what a decoder keeps of the hypotheses. Finished ones stay in the beam and compete by log-probability.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor

from sau_solver.models.network import Found
from sau_solver.models.sau.tree_beam import taken

END = 0  # the id that ends a sequence
_COMPACT = 0.75  # problems that are finished are taken out when fewer than this share are left


class Walk(ABC):
    """The hypotheses of a decoder, (problems, beams, …)."""

    @abstractmethod
    def look(self) -> Tensor:
        """The log-probabilities of what may come next, (problems, beams, symbols); -inf for what may not."""

    @abstractmethod
    def follow(self, parent: Tensor, symbol: Tensor) -> None:
        """Each beam becomes the one at `parent` with `symbol` written after it, (problems, beams) each.

        Of beams that are finished nothing is asked any more.
        """

    @abstractmethod
    def keep(self, problems: Tensor) -> None:
        """Go on with these problems alone."""


@torch.no_grad()
def search_sequences(walk: Walk, problems: int, beam: int, longest: int, device: torch.device) -> list[Found]:
    """What a walk writes for each problem, the most probable first, without the END; at most `longest` symbols."""
    found = [Found([], [])] * problems
    numbers = torch.arange(problems, device=device)
    score = torch.full((problems, beam), -torch.inf, device=device)
    score[:, 0] = 0
    done = torch.zeros_like(score, dtype=torch.bool)
    written = torch.zeros(problems, beam, 0, dtype=torch.int64, device=device)  # END after what is finished

    for length in range(longest + 1):
        chances = walk.look()
        score = score.to(chances.dtype)
        totals = chances + score.unsqueeze(-1)
        totals[done] = -torch.inf
        totals[..., END] = torch.where(done, score, totals[..., END])  # a finished one stays as it is
        if length == longest:  # nothing but the END may come
            totals[..., END + 1 :] = -torch.inf
        score, place = totals.flatten(1).topk(beam)
        parent, symbol = place // totals.shape[2], place % totals.shape[2]
        written = torch.cat([taken(written, parent), symbol.unsqueeze(-1)], 2)
        done = symbol == END
        live = (~done & score.isfinite()).any(1)
        left = int(live.sum())
        if left and left >= _COMPACT * len(live):
            walk.follow(parent, symbol)
            continue
        _collect(found, numbers[~live], written[~live], score[~live])
        if not left:
            break
        chosen = live.nonzero().squeeze(1)
        walk.follow(parent, symbol)
        walk.keep(chosen)
        numbers, score, done, written = (each.index_select(0, chosen) for each in (numbers, score, done, written))
    return found


def _collect(found: list[Found], numbers: Tensor, written: Tensor, score: Tensor) -> None:
    for number, symbols, scores in zip(numbers.tolist(), written.tolist(), score.tolist(), strict=True):
        kept = [beam for beam, one in enumerate(scores) if one > -torch.inf]
        found[number] = Found([symbols[beam][: symbols[beam].index(END)] for beam in kept], [scores[b] for b in kept])
