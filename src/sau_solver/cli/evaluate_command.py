"""`sau evaluate`: one model on one corpus or file, all protocols."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.cli.data_commands import load_named
from sau_solver.cli.terminal import model_folder, output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.evaluation import Evaluation, evaluate_trained
from sau_solver.experiments.evaluation import evaluate as evaluate_model
from sau_solver.experiments.judging import METRICS
from sau_solver.models.base import BEAM
from sau_solver.models.options import DeviceName


def evaluate(
    model: Annotated[
        Path,
        typer.Argument(help="The model folder of `sau train`, or the TOML file of a model that needs no training."),
    ],
    data: Annotated[str, typer.Option(help="A corpus from `sau data list`, or a file.")],
    fold: Annotated[
        int | None, typer.Option(help="With a TOML file: test this fold of its own corpus, learn on the rest.")
    ] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, help=f"Candidates for each problem; {BEAM}, or what the TOML file says.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where a network runs: auto, cpu or cuda.")] = "auto",
    protocol: Annotated[str, typer.Option(help="all, reference, strict or answer.")] = "all",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Accuracy of a model on a corpus or on your own problems; what it learned from is never tested."""
    if protocol not in ("all", *PROTOCOLS):
        raise InputError(f"--protocol takes all, {', '.join(PROTOCOLS)}; {protocol!r} came.")
    place = _device(device)
    config = None if model.is_dir() else _config(model, fold, beam)
    if config is None and fold is not None:
        raise InputError("--fold is for a TOML file: a trained network knows the fold that it held out; leave it out.")
    corpus = load_named(data)
    with progress() as bars:
        task = bars.add_task(f"{model.name} on {corpus.name}", total=None)

        def advance(done: int, problems: int) -> None:
            bars.update(task, completed=done, total=problems)

        if config is None:
            result = evaluate_trained(model_folder(model), corpus, beam or BEAM, place, advance)
        else:
            result = evaluate_model(config, corpus, fold, advance)
    if json:
        print_json(dataclasses.asdict(result))
    else:
        _show(result, METRICS if protocol == "all" else (protocol,))


def _device(name: str) -> DeviceName:
    if name in ("auto", "cpu", "cuda"):
        return name  # type: ignore[return-value]
    raise InputError(f"--device takes auto, cpu or cuda; {name!r} came.")


def _config(path: Path, fold: int | None, beam: int | None) -> ExperimentConfig:
    """The configuration of a model that needs no training."""
    if not path.exists():
        raise InputError(f"{path}: no such file; the model folder of `sau train` or an experiment's TOML is expected.")
    config = load_config(path)
    config.one_corpus()
    if config.training:
        raise InputError(
            f"{path}: {config.name} is a network, which is trained before it is evaluated. Run\n"
            f"  sau train {path} --fold {fold or 0}\n"
            "and then the command that it ends with; or sau crossval for all folds."
        )
    return config if beam is None else dataclasses.replace(config, beam=beam)


def _show(result: Evaluation, metrics: tuple[str, ...]) -> None:
    part = {
        "all": f"all {result.problems:,} problems"
        + (f" but {result.learned:,} that it learned from" if result.learned else ""),
        "fold": f"the {result.problems:,} problems of fold {result.fold}, which were held out in training",
        "validation": f"the {result.problems:,} problems that fold {result.fold} held back for validation",
    }[result.tested]
    output().print(f"{result.model} on {result.data}: {part}. Per cent:", markup=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for column in ("", "problems", *metrics):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("all", f"{result.problems:,}", *(f"{100 * result.metrics[m]:.2f}" for m in metrics))
    for groups in (result.by_type, result.by_size):
        for name, row in groups.items():
            table.add_row(name, f"{row['problems']:,}", *(f"{100 * row[m]:.2f}" for m in metrics), style="dim")
    output().print(table)
