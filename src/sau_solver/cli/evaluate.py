"""`sau evaluate`: one model on one corpus or file, all protocols."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from sau_solver.cli.data import load_named
from sau_solver.cli.screen import output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.config import load_config
from sau_solver.experiments.evaluation import Evaluation
from sau_solver.experiments.evaluation import evaluate as evaluate_model
from sau_solver.experiments.judging import METRICS
from sau_solver.protocols import PROTOCOLS


def evaluate(
    model: Annotated[Path, typer.Argument(help="An experiment's TOML file, such as configs/retrieval-hmwp.toml.")],
    data: Annotated[str, typer.Option(help="A corpus from `sau data list`, or a file.")],
    fold: Annotated[
        int | None, typer.Option(help="Test this fold of the model's own corpus, learn on the rest.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="all, reference, strict or answer.")] = "all",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Accuracy of a model on a corpus or on your own problems."""
    if protocol not in ("all", *PROTOCOLS):
        raise InputError(f"--protocol takes all, {', '.join(PROTOCOLS)}; {protocol!r} came.")
    config = load_config(model)
    corpus = load_named(data)
    with progress() as bars:
        bars.add_task(f"{config.name} on {corpus.name}", total=None)
        result = evaluate_model(config, corpus, fold)
    if json:
        print_json(dataclasses.asdict(result))
    else:
        _show(result, METRICS if protocol == "all" else (protocol,))


def _show(result: Evaluation, metrics: tuple[str, ...]) -> None:
    table = Table(box=None, pad_edge=False, title=f"{result.model} on {result.data}, per cent")
    for column in ("", "problems", *metrics):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("all", f"{result.problems:,}", *(f"{100 * result.metrics[m]:.2f}" for m in metrics))
    for groups in (result.by_type, result.by_size):
        for name, row in groups.items():
            table.add_row(name, f"{row['problems']:,}", *(f"{100 * row[m]:.2f}" for m in metrics), style="dim")
    output().print(table)
