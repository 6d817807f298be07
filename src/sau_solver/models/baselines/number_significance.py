"""Significant number identification (Wang et al., 2017): which numbers of a text does its problem need?

An LSTM reads a number with the words around it. A number that is not needed keeps its surface as a word, and has no
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
from sau_solver.models.stacking import Embedding, Linear
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import PADDING


class Significance(nn.Module):
    """Windows of word ids -> how much speaks for the number in the middle."""

    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.embedding = Embedding(words, size)  # padding tells where a text begins and ends
        self.lstm = Lstm(size, size)
        self.score = Linear(size, 1)

    def forward(self, windows: Tensor, drop: Dropout) -> Tensor:
        """(problems, numbers, words) -> log-odds (problems, numbers)."""
        problems, numbers, words = windows.shape
        read = drop(self.embedding(windows)).view(problems * numbers, words, -1)
        nothing = read.new_zeros(len(read), read.shape[2])
        last = self.lstm(read, nothing, nothing)[:, -1]
        odds: Tensor = self.score(drop(last))
        return odds.view(problems, numbers)


def windows(ids: Sequence[int], places: Sequence[int], reach: int) -> list[list[int]]:
    """The ids of `reach` words on either side of each place, and of the word there; padding outside the text."""
    padded = [*[PADDING] * reach, *ids, *[PADDING] * reach]
    return [padded[place : place + 2 * reach + 1] for place in places]


def needed_numbers(text: MappedText, tree: Uet) -> list[bool]:
    """Which numbers have a value that the tree uses."""
    used = {text.numbers[slot].value for slot in tree.slots()}
    return [number.value in used for number in text.numbers]


def keep_numbers(text: MappedText, needed: Sequence[bool]) -> MappedText:
    """The text with slots for the numbers that are needed, and the surface of the others in their place."""
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
    """Whether the number in the middle of each window is needed, as far as the classifier knows."""
    if not rows:
        return []
    with torch.no_grad():
        odds = classifier(torch.tensor([rows], device=device), keep_all)[0]
    judged: list[bool] = (odds > 0).tolist()
    return judged
