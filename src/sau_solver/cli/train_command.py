"""`sau train`: train one network on all folds but one, on a whole corpus or on a mixture of corpora."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import TrainingBars, complain, duration, output, progress
from sau_solver.experiments.config import load_config
from sau_solver.experiments.runs import RUNS, Run
from sau_solver.experiments.training_runs import check_training, training_state
from sau_solver.experiments.training_runs import train as train_network


def train(
    config: Annotated[Path, typer.Argument(help="TOML file of an experiment, such as configs/paper/sau-hmwp.toml.")],
    fold: Annotated[
        int | None, typer.Option(min=0, help="Fold to hold out for testing. Default: train on all problems.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, help="Random seed. Default: the first seed of the experiment.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Override a setting, such as training.epochs=5. Repeatable.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the last checkpoint.")] = False,
    runs: Annotated[Path, typer.Option(help="Folder for the checkpoints, logs and models of all runs.")] = RUNS,
) -> None:
    """Train a network. Writes checkpoints, TensorBoard logs and, at the end, the model to a folder."""
    experiment = load_config(config, settings or ())
    run = Run(experiment, fold, experiment.seeds[0] if seed is None else seed, runs)
    check_training(run, resume)
    state = training_state(run)
    if resume and state == "new":
        complain(f"{run.folder} has no checkpoint. Training starts from the beginning.")
    started = time.perf_counter()
    try:
        with progress() as bars:
            shown = TrainingBars(bars)
            reading = ", ".join(experiment.mixture.sources) if experiment.mixture else experiment.corpus
            shown.waiting(f"{run.name}: reading {reading}")
            problems = train_network(run, resume, shown.report)
    except KeyboardInterrupt:
        complain(f"Interrupted. To continue from the last checkpoint in {run.folder}, add --resume to the command.")
        raise typer.Exit(130) from None
    if state == "finished":
        summary = f"{run.name} is already trained. To train it again, remove {run.folder}."
    else:
        summary = f"{run.name}: trained on {problems:,} problems in {duration(time.perf_counter() - started)}."
    data = "FILE or another corpus" if fold is None else experiment.corpus
    for line in (
        summary,
        f"Model:    {run.model}",
        f"Curves:   tensorboard --logdir {run.folder / 'logs'}",
        f"Evaluate: sau evaluate {run.model} --data {data}",
    ):
        output().print(line, markup=False, soft_wrap=True)
