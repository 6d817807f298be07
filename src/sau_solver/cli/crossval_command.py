"""`sau crossval`: every fold and seed of an experiment, resumed where it was interrupted."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from sau_solver.cli.terminal import duration, output, print_json, training_progress
from sau_solver.errors import InputError
from sau_solver.experiments.config import load_config
from sau_solver.experiments.crossval import Progress, crossval_all
from sau_solver.experiments.crossval_report import breakdown, overview
from sau_solver.experiments.runs import RESULTS
from sau_solver.experiments.training_runs import RUNS


def crossval(
    configs: Annotated[
        list[Path], typer.Argument(help="Experiments' TOML files, such as configs/paper/retrieval-hmwp.toml.")
    ],
    folds: Annotated[int | None, typer.Option(min=1, help="Only the first so many folds.")] = None,
    engine: Annotated[str, typer.Option(help="local: this machine.")] = "local",
    jobs: Annotated[
        int, typer.Option(min=1, help="Runs at a time: processes, or on a GPU networks that train as one.")
    ] = 1,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Replace a setting, such as training.epochs=5.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Where result files are kept.")] = RESULTS,
    checkpoints: Annotated[
        Path, typer.Option(help="Where to keep what an interrupted training resumes from; removed where it ends.")
    ] = RUNS,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object an experiment.")] = False,
) -> None:
    """Cross-validate; runs that already have a result are not repeated."""
    if engine != "local":
        raise InputError(f"--engine takes local; {engine!r} came.")
    experiments = [load_config(path, settings or ()) for path in configs]
    first = [experiment.folds if folds is None else experiment.folds[:folds] for experiment in experiments]
    experiments = [dataclasses.replace(one, folds=chosen) for one, chosen in zip(experiments, first, strict=True)]
    name = ", ".join(experiment.name for experiment in experiments)
    with training_progress() as shown:
        task = shown.bars.add_task(name, total=sum(len(one.folds) * len(one.seeds) for one in experiments))

        def advance(step: Progress) -> None:
            shown.bars.update(task, completed=step.done)
            shown.ended(step.run, f"{100 * step.result.metrics['reference']:.2f} % reference, {_how_long(step)}")

        summaries = crossval_all(experiments, None, jobs, advance, results, shown.report, checkpoints)
    if json:
        for summary in summaries:
            print_json(dataclasses.asdict(summary))
        return
    console = output()
    console.print(Markdown(overview(summaries)))
    for summary in summaries:
        for group in ("by_type", "by_size"):
            console.print(Markdown(breakdown(summary, group)))


def _how_long(step: Progress) -> str:
    return f"{duration(step.result.seconds)} ({step.done} of {step.runs})" if step.new else "done before"
