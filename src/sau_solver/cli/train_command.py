"""`sau train`: train one network on all folds but one, on a whole corpus or on a mixture of corpora."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import TrainingBars, complain, duration, output, progress
from sau_solver.cli.training_ends import explaining_ends
from sau_solver.experiments.config import load_config
from sau_solver.experiments.runs import RUNS, Run
from sau_solver.experiments.training_runs import check_training, training_state
from sau_solver.experiments.training_runs import train as train_network
from sau_solver.files import storing
from sau_solver.training.processes import Processes


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
    processes = Processes.launched()
    with explaining_ends(processes) as ends, processes.connected(ends.stop):
        experiment = processes.agreed(lambda: load_config(config, settings or ()))
        run = Run(experiment, fold, experiment.seeds[0] if seed is None else seed, runs)
        ends.advice = f"To continue from the last checkpoint in {run.folder}, add --resume to the command."
        with storing(run.folder, ends.advice):
            _train(run, resume, processes)


def _train(run: Run, resume: bool, processes: Processes) -> None:
    """Train with progress bars, and say where the model is."""
    processes.from_first(lambda: check_training(run, resume))
    training, mixture = run.config.training, run.config.mixture
    assert training is not None
    if not processes.first:
        with processes.on(training.device):
            train_network(run, resume, processes=processes)
        return
    state = training_state(run)
    if resume and state == "new":
        complain(f"{run.folder} has no checkpoint. Training starts from the beginning.")
    started = time.perf_counter()
    with processes.on(training.device), progress() as bars:
        shown = TrainingBars(bars)
        reading = ", ".join(mixture.sources) if mixture else run.config.corpus
        shown.waiting(f"{run.name}: reading {reading}")
        problems = train_network(run, resume, shown.report, processes, shown.rejected)
    if state == "finished":
        summary = f"{run.name} is already trained. To train it again, remove {run.folder}."
    else:
        together = f" by {processes.size} processes" if processes.size > 1 else ""
        took = duration(time.perf_counter() - started)
        summary = f"{run.name}: trained on {problems:,} problems{together} in {took}."
    data = "FILE or another corpus" if run.fold is None else run.config.corpus
    for line in (
        summary,
        f"Model:    {run.model}",
        f"Curves:   tensorboard --logdir {run.folder / 'logs'}",
        f"Evaluate: sau evaluate {run.model} --data {data}",
    ):
        output().print(line, markup=False, soft_wrap=True)
