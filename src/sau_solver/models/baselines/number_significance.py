"""Significant number identification (Wang et al., 2017): predict which numbers of a text its equations need.

An LSTM reads each number with the words around it. A number that is not needed stays in the text as a word and gets no
slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from sau_solver.equations.uet import Uet
from sau_solver.models.layers.dropout import Dropout, keep_all
from sau_solver.models.layers.lstm import Lstm
from sau_solver.models.layers.stacked import Embedding, Linear
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import PADDING


class Significance(nn.Module):
    """A classifier that turns windows of word ids into the log-odds that the number in the middle is needed."""

    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.embedding = Embedding(words, size)  # padding marks the ends of a text, so it has a vector of its own
        self.lstm = Lstm(size, size)
        self.score = Linear(size, 1)

    def forward(self, windows: Tensor, drop: Dropout) -> Tensor:
        """Turn windows (problems, numbers, words) into log-odds (problems, numbers)."""
        problems, numbers, words = windows.shape
        read = drop(self.embedding(windows)).view(problems * numbers, words, -1)
        nothing = read.new_zeros(len(read), read.shape[2])
        last = self.lstm(read, nothing, nothing)[:, -1]
        odds: Tensor = self.score(drop(last))
        return odds.view(problems, numbers)


def windows(ids: Sequence[int], places: Sequence[int], reach: int) -> list[list[int]]:
    """Return for each place its id and the ids of `reach` words on either side, with padding outside the text."""
    padded = [*[PADDING] * reach, *ids, *[PADDING] * reach]
    return [padded[place : place + 2 * reach + 1] for place in places]


def needed_numbers(text: MappedText, tree: Uet) -> list[bool]:
    """Return for each number whether the tree uses its value."""
    used = {text.numbers[slot].value for slot in tree.slots()}
    return [number.value in used for number in text.numbers]


def keep_numbers(text: MappedText, needed: Sequence[bool]) -> MappedText:
    """Return the text with slots for the needed numbers; the other numbers become ordinary words."""
    words = list(text.words)
    for number, place, kept in zip(text.numbers, text.positions, needed, strict=True):
        if not kept:
            words[place] = number.text
    return replace(
        text,
        words=tuple(words),
        numbers=tuple(number for number, kept in zip(text.numbers, needed, strict=True) if kept),
        positions=tuple(place for place, kept in zip(text.positions, needed, strict=True) if kept),
    )


def judge_windows(classifier: Significance, rows: Sequence[Sequence[int]], device: torch.device) -> list[bool]:
    """Predict for each window whether the number in its middle is needed."""
    if not rows:
        return []
    with torch.no_grad():
        odds = classifier(torch.tensor([rows], device=device), keep_all)[0]
    judged: list[bool] = (odds > 0).tolist()
    return judged
