"""Tell whether the alignment of trained networks has collapsed, and how often a subtree finds the text of its problem.

    sau train configs/choices/g3-alg-infonce-10.toml --fold 0
    python scripts/alignment_measures.py configs/choices/g3-alg-infonce-10.toml

Measures the networks that `sau train` wrote to runs/, on the problems that they learned from and on those held out.
Eq. 10 is smallest where all subtrees and texts have one meaning. Then the deviations are 0 and a subtree finds the text
of its problem no more often than by chance.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import torch
from torch.nn import functional

from sau_solver.data.prepared.examples import examples_of
from sau_solver.errors import InputError, SauError
from sau_solver.experiments.config import load_config
from sau_solver.experiments.material import gather
from sau_solver.experiments.report.rendering import markdown_rows
from sau_solver.experiments.report.table import Cell, Code, Compared
from sau_solver.experiments.runs import RUNS, Run
from sau_solver.models.checkpoint import load_predictor
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


_NAMES = [item.name for item in fields(AlignmentMeasures)]


def measured(run: Run) -> list[tuple[Cell, ...]]:
    """Return one row for the problems that a network learned from and one for those held out."""
    assert run.fold is not None
    solver = load_predictor(run.model)
    if not isinstance(solver.network, SauNetwork):
        raise InputError(f"{run.model} must be a SAU-Solver, got {solver.name}.")
    division = gather(run.config).divide(run.fold, run.config.test)
    rows: list[tuple[Cell, ...]] = []
    for part, prepared in (("learned", division.train), ("held out", division.test)):
        found = measure_alignment(solver.network, [solver.encode(example) for example in examples_of(prepared)])
        figures = (Compared(float(getattr(found, name)), digits=0 if name == "subtrees" else 3) for name in _NAMES)
        rows.append((Code(run.name), part, *figures))
    return rows


def main() -> None:
    """Print one table of all configurations."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("configs", nargs="+", type=Path, metavar="CONFIG", help="the configuration of a network")
    arguments.add_argument("--fold", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--runs", type=Path, default=RUNS, help="the folder of trained networks")
    options = arguments.parse_args()
    try:
        runs = [Run(load_config(path), options.fold, options.seed, options.runs) for path in options.configs]
        rows = [row for run in runs for row in measured(run)]
    except SauError as error:
        sys.exit(str(error))
    print(markdown_rows(("network", "problems", *(name.replace("_", " ") for name in _NAMES)), rows), end="")


if __name__ == "__main__":
    main()
