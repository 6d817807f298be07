"""`sau train`: one network, on all folds but one, a whole corpus or a mixture; resumed where it was interrupted."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import complain, duration, output, training_progress
from sau_solver.experiments.config import load_config
from sau_solver.experiments.training_runs import RUNS, TrainingRun
from sau_solver.experiments.training_runs import train as train_network


def train(
    config: Annotated[Path, typer.Argument(help="An experiment's TOML file, such as configs/paper/sau-hmwp.toml.")],
    fold: Annotated[
        int | None, typer.Option(min=0, help="Hold this fold out, for testing; without it all problems are learned.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, help="The first of the experiment's seeds if not given.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Replace a setting, such as training.epochs=5.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from where an interrupted training stood.")] = False,
    runs: Annotated[Path, typer.Option(help="Checkpoints, logs and model go to a folder in here.")] = RUNS,
) -> None:
    """Train a network; its folder holds checkpoints to resume from, TensorBoard logs, and in the end the model."""
    experiment = load_config(config, settings or ())
    run = TrainingRun(experiment, fold, experiment.seeds[0] if seed is None else seed, runs)
    run.check(resume)
    state = run.state()
    if resume and state == "new":
        complain(f"{run.folder}: nothing to resume from; training starts from the beginning.")
    started = time.perf_counter()
    try:
        with training_progress() as shown:
            reading = ", ".join(experiment.mixture.sources) if experiment.mixture else experiment.corpus
            shown.waiting(f"{run.name}: reading {reading}")
            problems = train_network(run, resume, shown.report)
    except KeyboardInterrupt:
        complain(f"Interrupted. To go on from the last checkpoint in {run.folder}, run the same command with --resume.")
        raise typer.Exit(130) from None
    if state == "finished":
        told = f"{run.name} is trained already; to train it again, remove {run.folder}."
    else:
        told = f"{run.name}: trained on {problems:,} problems in {duration(time.perf_counter() - started)}."
    data = "FILE or another corpus" if fold is None else experiment.corpus
    for line in (
        told,
        f"Model:    {run.model}",
        f"Curves:   tensorboard --logdir {run.folder / 'logs'}",
        f"Evaluate: sau evaluate {run.model} --data {data}",
    ):
        output().print(line, markup=False, soft_wrap=True)
