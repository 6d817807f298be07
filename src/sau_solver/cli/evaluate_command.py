"""`sau evaluate`: measure the accuracy of a model on a corpus or file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.table import Table

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.cli.data_commands import corpus_names, load_named
from sau_solver.cli.model_option import HUB_HELP, title_of, trained_model
from sau_solver.cli.terminal import one_of, output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.evaluation import Evaluation, evaluate_trained
from sau_solver.experiments.evaluation import evaluate as evaluate_model
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.user_evaluation import SUREST, GroupFigures, UserFigures
from sau_solver.models.base import BEAM
from sau_solver.models.options import DeviceName


def evaluate(
    model: Annotated[
        str,
        typer.Argument(
            help=f"Model folder written by `sau train`, zh or en for a shipped model, {HUB_HELP}, or TOML file of a "
            "model that needs no training."
        ),
    ],
    data: Annotated[
        str, typer.Option(help="Name of a corpus (see `sau data list`), or a file.", autocompletion=corpus_names)
    ],
    split: Annotated[
        str | None, typer.Option(help="Test only on this published split of the corpus, for example test.")
    ] = None,
    fold: Annotated[
        int | None, typer.Option(help="For a TOML file: test on this fold of its corpus and train on the others.")
    ] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, help=f"Candidates per problem. Default: {BEAM}, or the value in the TOML file.")
    ] = None,
    device: Annotated[str, typer.Option(help="Device of the network: auto, cpu or cuda.")] = "auto",
    protocol: Annotated[str, typer.Option(help="Metric to show: all, reference, strict, answer or annotated.")] = "all",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure the accuracy of a model on a corpus or on your own problems.

    Problems from the training data of the model are left out.
    """
    one_of("--protocol", protocol, ("all", *PROTOCOLS))
    place = one_of("--device", device, get_args(DeviceName))
    named = trained_model(model)
    config = _config(Path(model), fold, beam) if named is None else None
    if config is None and fold is not None:
        raise InputError("--fold works only with a TOML file: a trained network knows its held-out fold. Omit it.")
    corpus = load_named(data) if split is None else load_named(data).part(split)
    with progress() as bars:
        task = bars.add_task(f"{Path(model).name} on {corpus.name}", total=None)

        def advance(done: int, problems: int) -> None:
            bars.update(task, completed=done, total=problems)

        if named is not None:
            folder = named.folder(corpus.problems[0].language)
            result = evaluate_trained(folder, corpus, beam or BEAM, place, advance, title_of(model, named))
        elif config is not None:
            result = evaluate_model(config, corpus, fold, advance)
    if json:
        print_json(dataclasses.asdict(result))
    else:
        _show(result, METRICS if protocol == "all" else (protocol,))
        if result.for_users is not None:
            _show_for_users(result.for_users)


def _config(path: Path, fold: int | None, beam: int | None) -> ExperimentConfig:
    if not path.exists():
        raise InputError(f"{path}: no such file. Give a model folder written by `sau train`, or a TOML file.")
    config = load_config(path)
    config.one_corpus()
    if config.training:
        raise InputError(
            f"{path}: {config.name} is a network, which must be trained before it is evaluated. Run\n"
            f"  sau train {path} --fold {fold or 0}\n"
            "and then the command that it prints at the end, or run sau crossval for all folds."
        )
    return config if beam is None else dataclasses.replace(config, beam=beam)


def _show(result: Evaluation, metrics: tuple[str, ...]) -> None:
    metrics = tuple(metric for metric in metrics if metric in result.metrics)
    if not metrics:
        raise InputError(f"{result.data} has answers but no equations. Use --protocol answer, or all.")
    part = {
        "all": f"all {result.problems:,} problems"
        + (f", without {result.learned:,} from its training data" if result.learned else ""),
        "fold": f"the {result.problems:,} problems of the held-out fold {result.fold}",
        "validation": f"the {result.problems:,} validation problems of fold {result.fold}",
    }[result.tested]
    output().print(f"{result.model} on {result.data}: {part}. Accuracy in percent:", markup=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for column in ("", "problems", *metrics):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("all", f"{result.problems:,}", *(f"{100 * result.metrics[m]:.2f}" for m in metrics))
    for label, groups in (("type", result.by_type), ("nodes", result.by_size)):
        for name, row in groups.items():
            cells = (f"{row['problems']:,}", *(f"{100 * row[m]:.2f}" for m in metrics))
            table.add_row(f"{label} {name}", *cells, style="dim")
    output().print(table)
    if result.by_size:
        output().print("nodes: the number of symbols in the tree of the published equations", style="dim")


def _show_for_users(figures: UserFigures) -> None:
    """Print what users of the model get."""
    lines = (
        f"As `sau solve` answers ({figures.problems:,} problems with annotated answers):",
        f"  right, guesses included   {100 * figures.answer:.2f} %",
        f"  answered                  {100 * figures.answered:.2f} %, the others are only guesses",
        f"  right of answered         {100 * figures.right_of_answered:.2f} %",
        f"  right of the surest {100 * SUREST:.0f} %  {100 * figures.right_of_surest:.2f} %",
        f"  mean confidence of these  {100 * figures.mean_confidence:.2f} %",
        f"  calibration error         {100 * figures.calibration_error:.2f} points",
    )
    for line in lines:
        output().print(line, markup=False, soft_wrap=True)
    if figures.unneeded is not None:
        output().print(f"  with unneeded numbers     {_group(figures.unneeded)}", markup=False, soft_wrap=True)
    for title, groups in (("contrast", figures.by_contrast), ("skill", figures.by_skill)):
        for name, group in groups.items():
            output().print(f"{title} {name}: {_group(group)}", style="dim", markup=False, soft_wrap=True)


def _group(group: GroupFigures) -> str:
    return f"{100 * group.right / group.problems:.1f} % of {group.problems:,}"
