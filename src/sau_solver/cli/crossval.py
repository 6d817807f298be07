"""`sau crossval`: every fold and seed of an experiment, resumed where it was interrupted."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from sau_solver.cli.screen import output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.config import load_config
from sau_solver.experiments.crossval import Progress
from sau_solver.experiments.crossval import crossval as run_folds
from sau_solver.experiments.report import breakdown, overview
from sau_solver.experiments.runs import RESULTS


def crossval(
    config: Annotated[Path, typer.Argument(help="An experiment's TOML file, such as configs/retrieval-hmwp.toml.")],
    folds: Annotated[int | None, typer.Option(min=1, help="Only the first so many folds.")] = None,
    engine: Annotated[str, typer.Option(help="local: processes of this machine.")] = "local",
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 1,
    results: Annotated[Path, typer.Option(help="Where result files are kept.")] = RESULTS,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Cross-validate; runs that already have a result are not repeated."""
    if engine != "local":
        raise InputError(f"--engine takes local; {engine!r} came.")
    experiment = load_config(config)
    chosen = experiment.folds if folds is None else experiment.folds[:folds]
    with progress() as bars:
        task = bars.add_task(experiment.name, total=len(chosen) * len(experiment.seeds))

        def advance(step: Progress) -> None:
            reference = 100 * step.result.metrics["reference"]
            bars.update(task, completed=step.done, description=f"{experiment.name}: last run {reference:.2f} %")

        summary = run_folds(experiment, chosen, jobs, advance, results)
    if json:
        print_json(dataclasses.asdict(summary))
        return
    console = output()
    console.print(Markdown(overview([summary])))
    for group in ("by_type", "by_size"):
        console.print(Markdown(breakdown(summary, group)))
