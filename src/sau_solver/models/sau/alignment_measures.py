"""A network with an alignment, and problems -> whether the alignment has collapsed, and whether it finds the text.

Eq. 10 is smallest where all subtrees and texts have one meaning. Then the deviations are 0 and a subtree finds the text
of its problem no more often than by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.sau.alignment_objectives import number_windows
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate
from sau_solver.models.targets import EncodedProblem

_BATCH = 64


@dataclass(frozen=True, slots=True)
class AlignmentMeasures:
    """Means over the subtrees with an operator of all problems."""

    subtrees: int
    subtree_deviation: float  # standard deviation of a dimension of the subtrees in the common space
    text_deviation: float  # the same of the text vectors
    distance: float  # mean squared difference of both
    retrieval: float  # share of the subtrees whose most similar text vector is one of their own problem
    chance: float  # the same if text vectors were drawn at random
    entropy: float  # of the attention, as a share of that of equal weights
    near_numbers: float  # attention on the words around the subtree's numbers; only subtrees that have some


@torch.no_grad()
def measure_alignment(network: SauNetwork, problems: Sequence[EncodedProblem]) -> AlignmentMeasures:
    """Measure the alignment of gold trees with their texts, without dropout; the network must be on the CPU."""
    align = network.alignment
    if align is None:
        raise InputError("The network has no alignment to measure. Train it with [sau] ssar above 0.")
    network.eval()
    there, here, owners, entropies, near = [], [], [], [], []
    for start in range(0, len(problems), _BATCH):
        batch = collate(problems[start : start + _BATCH], network.targets)
        rows = batch.trees.operators
        written = network.write(batch, keep_all)
        scores, subtree, text = align.compare(written.subtrees, written.memory, batch)
        assert subtree is not None
        assert text is not None
        shares = scores.softmax(-1)
        windows = number_windows(batch, written.memory.real, align.generated, shares.dtype)
        longest = batch.texts.lengths.clamp(min=2).log().view(-1, 1, 1)
        spread = -torch.xlogy(shares, shares).sum(-1, keepdim=True) / longest
        with_number = windows.sum(-1, keepdim=True) > 0
        inside = torch.where(with_number, (shares * (windows > 0)).sum(-1, keepdim=True), math.nan)
        there.append(subtree)
        here.append(text)
        owners.append(rows.repeated(torch.arange(start, start + len(shares)).unsqueeze(1)).squeeze(1))
        entropies.append(rows.gathered(spread).squeeze(1))
        near.append(rows.gathered(inside).squeeze(1))
    subtrees, texts, owner = torch.cat(there), torch.cat(here), torch.cat(owners)
    if len(subtrees) < 2:
        raise InputError(f"Measuring an alignment needs at least two subtrees with an operator, got {len(subtrees)}.")
    similar = functional.normalize(subtrees, dim=1) @ functional.normalize(texts, dim=1).T
    own = owner[similar.argmax(1)] == owner
    return AlignmentMeasures(
        subtrees=len(subtrees),
        subtree_deviation=float(subtrees.std(0).mean()),
        text_deviation=float(texts.std(0).mean()),
        distance=float((subtrees - texts).square().mean()),
        retrieval=float(own.double().mean()),
        chance=float((owner.unsqueeze(1) == owner).double().mean()),
        entropy=float(torch.cat(entropies).mean()),
        near_numbers=float(torch.cat(near).nanmean()),
    )
