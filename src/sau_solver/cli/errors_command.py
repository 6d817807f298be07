"""`sau errors`: group the wrong predictions of stored results by cause."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.cli.terminal import one_of, output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.error_causes import CAUSES, Cause, Mistake, mistakes
from sau_solver.experiments.report.merging import Experiment, merge
from sau_solver.experiments.rescoring import prepared_for
from sau_solver.experiments.results import ResultStore

MAX_TEXT = 200  # characters of a problem that are shown


def errors(
    result: Annotated[Path, typer.Argument(help="The result file of an experiment, such as results/sau-hmwp.json.")],
    run: Annotated[str | None, typer.Option(help="Only this run, such as fold0-seed0.")] = None,
    protocol: Annotated[str, typer.Option(help="Metric: reference, strict, answer or annotated.")] = "answer",
    examples: Annotated[int, typer.Option(min=0, help="Number of examples per cause.")] = 3,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with all problem ids.")] = False,
) -> None:
    """Group the wrong predictions of an experiment by cause, with examples."""
    one_of("--protocol", protocol, PROTOCOLS)
    with progress(f"Reading {result}"):
        experiment = _experiment(result, run)
        prepared = prepared_for(experiment.runs[0], experiment.name)
        tested = [(prepared[one.id], one) for own in experiment.runs for one in experiment.judged(own)]
        groups: dict[Cause, list[Mistake]] = {cause: [] for cause in CAUSES}
        for mistake in mistakes(tested, protocol):
            groups[mistake.cause].append(mistake)
    if json:
        print_json(_fields(experiment, protocol, len(tested), groups, examples))
    else:
        _show(experiment, protocol, len(tested), groups, examples)


def _experiment(path: Path, name: str | None) -> Experiment:
    if not path.is_file() or path.suffix != ".json":
        raise InputError(f"{path} is not a result file. Give one such as results/sau-hmwp.json.")
    store = ResultStore(path.parent, path.name.removesuffix(".json"))
    stored = store.runs()
    runs = [run for run in stored if name in (None, run.name)]
    if not runs:
        raise InputError(f"--run must be one of {', '.join(run.name for run in stored)}, got {name!r}.")
    return merge(store, runs, None)


def _show(
    experiment: Experiment, protocol: str, tested: int, groups: dict[Cause, list[Mistake]], examples: int
) -> None:
    console = output()
    wrong = sum(map(len, groups.values()))
    console.print(f"{experiment.name}: {wrong:,} of {tested:,} predictions are wrong by {protocol}.", markup=False)
    table = Table(box=None, pad_edge=False)
    for column in ("cause", "predictions", "% of wrong", "% of all"):
        table.add_column(column, justify="left" if column == "cause" else "right")
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    for cause, own in ordered:
        shares = (100 * len(own) / max(1, total) for total in (wrong, tested))
        table.add_row(cause, f"{len(own):,}", *(f"{share:.1f}" for share in shares))
    console.print(table)
    for cause, own in ordered:
        if own and examples:
            console.print(f"\n{cause}", style="bold", markup=False)
        for mistake in own[:examples]:
            for name, value in _example(mistake).items():
                console.print(f"  {name:<10} {value}", markup=False, soft_wrap=True)
            console.print()


def _example(mistake: Mistake) -> dict[str, str]:
    problem = mistake.prepared.problem
    text = problem.text if len(problem.text) <= MAX_TEXT else problem.text[:MAX_TEXT] + " …"
    return {
        "id": problem.id,
        "text": text,
        "gold": "; ".join(problem.equations),
        "predicted": mistake.predicted or "nothing",
        "annotated": ", ".join(map(str, problem.answers)) or "nothing",
        "given": ", ".join(mistake.given) or (mistake.chosen.outcome if mistake.chosen else "nothing"),
    }


def _fields(
    experiment: Experiment, protocol: str, tested: int, groups: dict[Cause, list[Mistake]], examples: int
) -> dict[str, Any]:
    return {
        "experiment": experiment.name,
        "runs": [run.name for run in experiment.runs],
        "protocol": protocol,
        "problems": tested,
        "wrong": sum(map(len, groups.values())),
        "causes": {
            cause: {
                "predictions": len(own),
                "ids": [mistake.prepared.problem.id for mistake in own],
                "examples": [_example(mistake) for mistake in own[:examples]],
            }
            for cause, own in groups.items()
        },
    }
