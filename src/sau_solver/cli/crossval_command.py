"""`sau crossval`: train and test every fold and seed of an experiment."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from sau_solver.cli.engine_options import AddressOption, EngineOption, engine_place
from sau_solver.cli.terminal import TrainingBars, duration, output, print_json, progress
from sau_solver.experiments.config import load_config
from sau_solver.experiments.crossval import Progress, RunOptions, crossval_all
from sau_solver.experiments.results import RESULTS
from sau_solver.experiments.runs import RUNS
from sau_solver.experiments.summary import breakdown, overview
from sau_solver.files import storing
from sau_solver.training.processes import refuse_torchrun


def crossval(
    configs: Annotated[
        list[Path], typer.Argument(help="TOML files of experiments, such as configs/paper/retrieval-hmwp.toml.")
    ],
    folds: Annotated[int | None, typer.Option(min=1, help="Run only the first N folds.")] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of runs at a time: processes, or networks that train together on a GPU. Default: 1, or with "
            "Ray as many as the cluster has CPUs.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Override a setting, such as training.epochs=5. Repeatable.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder of the result files.")] = RESULTS,
    checkpoints: Annotated[Path, typer.Option(help="Folder of the checkpoints of unfinished runs.")] = RUNS,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per experiment.")] = False,
    engine: EngineOption = "local",
    address: AddressOption = None,
) -> None:
    """Cross-validate experiments.

    Runs that already have a result are not repeated, and an interrupted run continues from its last checkpoint.
    """
    refuse_torchrun("sau crossval", "Start it without torchrun. --jobs says how many runs are done at a time.")
    place = engine_place(engine, address, jobs)
    experiments = [load_config(path, settings or ()) for path in configs]
    first = [experiment.folds if folds is None else experiment.folds[:folds] for experiment in experiments]
    experiments = [dataclasses.replace(one, folds=chosen) for one, chosen in zip(experiments, first, strict=True)]
    name = ", ".join(experiment.name for experiment in experiments)
    with progress() as bars:
        shown = TrainingBars(bars)
        task = bars.add_task(name, total=sum(len(one.folds) * len(one.seeds) for one in experiments))

        def advance(step: Progress) -> None:
            bars.update(task, completed=step.done)
            took = f"{duration(step.result.seconds)} ({step.done} of {step.runs})" if step.new else "already done"
            shown.ended(step.run, f"{100 * step.result.metrics['reference']:.2f} % reference, {took}")

        options = RunOptions(results, checkpoints, place.jobs, shown.report, place.engine, place.address)
        with storing(results, "To continue, run the same command again."):
            summaries = crossval_all(experiments, options, advance)
    if json:
        for summary in summaries:
            print_json(dataclasses.asdict(summary))
        return
    console = output()
    console.print(Markdown(overview(summaries)))
    for summary in summaries:
        for group in ("by_type", "by_size"):
            console.print(Markdown(breakdown(summary, group)))
