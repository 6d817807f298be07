"""Tell whether the alignment of trained networks has collapsed, and how often a subtree finds the text of its problem.

    sau train configs/choices/g3-alg-infonce-10.toml --fold 0
    python scripts/alignment_measures.py configs/choices/g3-alg-infonce-10.toml

Measures the networks that `sau train` wrote to runs/, on the problems that they learned from and on those held out.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from sau_solver.data.prepared.examples import examples_of
from sau_solver.errors import InputError, SauError
from sau_solver.experiments.config import load_config
from sau_solver.experiments.material import gather
from sau_solver.experiments.report.rendering import markdown_rows
from sau_solver.experiments.report.table import Cell, Code, Compared
from sau_solver.experiments.runs import RUNS, Run
from sau_solver.models.checkpoint import load_predictor
from sau_solver.models.sau.alignment_measures import AlignmentMeasures, measure_alignment
from sau_solver.models.sau.sau_network import SauNetwork

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
