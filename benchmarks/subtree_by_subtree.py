"""The objectives of the alignment, one subtree at a time: a part of the oracle in node_by_node.py.

It takes what each subtree of a batch attends to and runs none of the network's code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sau_solver.models.options import SauOptions

TEMPERATURE, WANTED, DISTANT, SHARED, WINDOW = 0.1, 1.0, 1.0, 1 / 25, 3


@dataclass(frozen=True, slots=True)
class AlignedSubtree:
    """A subtree with an operator, the text vector that it found, and its attention."""

    there: Tensor  # (hidden,): the subtree in the common space
    here: Tensor  # (hidden,): the text vector in the common space
    weights: Tensor  # (words,): attention
    places: frozenset[int]  # positions of all occurrences of its numbers


Aligned = Sequence[Sequence[AlignedSubtree]]  # the subtrees of each problem


def oracle_alignment(options: SauOptions, aligned: Aligned, zero: Tensor) -> Tensor:
    """Return the loss of the alignment; `zero` is returned where there is nothing to align."""
    if not any(aligned):
        return zero
    if options.alignment == "infonce":
        return _contrast(aligned)
    if options.alignment == "vicreg":
        return _spread_apart([one for mine in aligned for one in mine])
    if options.alignment == "span":
        return _off_windows([one for mine in aligned for one in mine], zero)
    if options.ssar_distance == "norm":  # eq. 10
        means = [torch.stack([(one.there - one.here).norm() for one in mine]).mean() for mine in aligned if mine]
        return torch.stack([zero, *means]).sum() / len(aligned)
    return torch.stack([(one.there - one.here).square().mean() for mine in aligned for one in mine]).mean()


def _contrast(aligned: Aligned) -> Tensor:
    missed = []
    for number, mine in enumerate(aligned):
        others = [one.here for other, theirs in enumerate(aligned) if other != number for one in theirs]
        for one in mine:
            own, *rivals = (torch.exp(_cosine(one.there, text) / TEMPERATURE) for text in (one.here, *others))
            missed.append(-torch.log(own / (own + sum(rivals))))
    return torch.stack(missed).mean()


def _cosine(one: Tensor, other: Tensor) -> Tensor:
    product: Tensor = one @ other
    size: Tensor = one.norm() * other.norm()
    return product / size


def _spread_apart(aligned: Sequence[AlignedSubtree]) -> Tensor:
    total = DISTANT * torch.stack([(one.there - one.here).square().mean() for one in aligned]).mean()
    if len(aligned) == 1:
        return total
    for side in ([one.there for one in aligned], [one.here for one in aligned]):
        covariance = torch.cov(torch.stack(side).T)  # (hidden, hidden)
        hidden = len(covariance)
        for row in range(hidden):
            deviation = torch.sqrt(covariance[row, row] + 1e-4)
            total = total + WANTED * torch.clamp(1 - deviation, min=0) / hidden
            for column in range(hidden):
                if column != row:
                    total = total + SHARED * covariance[row, column] ** 2 / hidden
    return total


def _off_windows(aligned: Sequence[AlignedSubtree], zero: Tensor) -> Tensor:
    apart = []
    for one in aligned:
        words = len(one.weights)
        wanted = [0.0] * words
        for place in one.places:
            window = [word for word in range(words) if abs(word - place) <= WINDOW]
            for word in window:
                wanted[word] += 1 / len(window) / len(one.places)
        if one.places:
            target = torch.tensor(wanted, dtype=one.weights.dtype)
            apart.append(
                sum(target[word] * torch.log(target[word] / one.weights[word]) for word in range(words) if wanted[word])
            )
    return torch.stack([torch.as_tensor(one) for one in apart]).mean() if apart else zero
