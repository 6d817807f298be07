"""`sau benchmark`: test a model, or any program, on every corpus, and write one report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.table import Table

from sau_solver.cli.data_commands import corpus_names
from sau_solver.cli.model_option import HUB_HELP, named_model
from sau_solver.cli.terminal import complain, one_of, output, print_json, progress
from sau_solver.errors import InputError
from sau_solver.experiments.benchmark.benchmark_report import read_report, write_report
from sau_solver.experiments.benchmark.benchmark_tables import FAR, as_json
from sau_solver.experiments.benchmark.learned_data import told
from sau_solver.experiments.benchmark.measuring import Benchmark, run_benchmark
from sau_solver.experiments.benchmark.tested_systems import TIMEOUT, OwnModel, Program, System
from sau_solver.files import user_path
from sau_solver.models.base import BEAM
from sau_solver.models.loading import LANGUAGES, model_folder, shipped_folder
from sau_solver.models.options import DeviceName
from sau_solver.solver import MAX_BEAM

OUTPUT = Path("benchmark")


def benchmark(
    model: Annotated[
        str | None,
        typer.Argument(
            help=f"Model folder written by `sau train`, {HUB_HELP}, zh or en. Default: both shipped models."
        ),
    ] = None,
    program: Annotated[
        str | None,
        typer.Option(help="Test this program instead. It reads problems and writes replies as JSON lines."),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="Only this corpus, or part such as gsm8k/test; repeatable.", autocompletion=corpus_names),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Draw at most this many problems of each part, for a quick look.")
    ] = None,
    write: Annotated[
        Path, typer.Option("--output", metavar="FOLDER", help="Write report.md, .html, .json and figures here.")
    ] = OUTPUT,
    name: Annotated[str | None, typer.Option(help="Name of the system in the report.")] = None,
    beside: Annotated[
        list[Path] | None, typer.Option(help="report.json of another benchmark to show beside this one; repeatable.")
    ] = None,
    near_copies: Annotated[
        bool, typer.Option(help="Count the problems with a near copy in the training data. Takes a minute or two.")
    ] = True,
    learned_from: Annotated[
        list[str] | None,
        typer.Option(help="With --program: a corpus that it learned from; repeatable.", autocompletion=corpus_names),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="With --program: stop it after so many seconds without a reply.")
    ] = TIMEOUT,
    beam: Annotated[int, typer.Option(min=1, max=MAX_BEAM, help="Candidates per problem of a model.")] = BEAM,
    device: Annotated[str, typer.Option(help="Device of the network: auto, cpu or cuda.")] = "auto",
    json: Annotated[bool, typer.Option("--json", help="Print all figures as one JSON object.")] = False,
) -> None:
    """Test a model, or any program, on the test problems of every corpus that you have, and write one report.

    The report has all protocols, accuracy without near copies of training problems, by type and by skill, calibration
    and speed.
    """
    if program is not None and model is not None:
        raise InputError(f"Give a model or --program, not both, got {model!r} and {program!r}.")
    if learned_from and program is None:
        raise InputError("--learned-from is only for --program: a model folder knows what it learned from. Omit it.")
    for path in beside or ():
        read_report(path)  # fail before the long work
    place = one_of("--device", device, get_args(DeviceName))
    if program is not None:
        title = name or program
        systems: list[System] = [Program(program, title, learned=told(learned_from or ()), timeout=timeout)]
    else:
        systems, title = _models(model, beam, place, name)
    with progress() as bars:
        tasks = {"Reading the corpora": bars.add_task("Reading the corpora", total=None)}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                bars.remove_task(tasks.popitem()[1])
                tasks[what] = bars.add_task(what, total=None)
            bars.update(tasks[what], completed=done, total=total or None)

        found = run_benchmark(title, systems, data or (), limit, near_copies, advance)
    with user_path(write):
        written, remark = write_report(found, write, limit, beside or ())
    if json:
        print_json(as_json(found, limit))
    else:
        _show(found)
    for line in (*found.notes, *(note for one in found.systems for note in one.get("notes", ())), remark):
        if line:
            complain(line)
    complain(f"Wrote {', '.join(str(path) for path in written if path.parent == write)}")


def _models(model: str | None, beam: int, device: DeviceName, name: str | None) -> tuple[list[System], str]:
    """Return the model that is named, or the shipped ones, and the name of the report."""
    if model is None:
        shipped = [OwnModel.load(shipped_folder(one), f"sau-{one}", beam, device) for one in LANGUAGES]
        return [*shipped], name or "shipped models"
    found = named_model(model)
    title = name or found.name
    if Path(model).is_dir() and name is None:
        folder = model_folder(Path(model)).resolve()
        title = "/".join(part for part in folder.parts[-3:] if part != "model")
    systems: list[System] = []
    for language, folder in found.distinct.items():
        loaded = OwnModel.load(folder, title if language is None else f"{title}/{language}", beam, device)
        systems.append(loaded if language is None else replace(loaded, languages=(language,)))
    return systems, title


def _show(found: Benchmark) -> None:
    """Print the most important figures."""
    table = Table(box=None, pad_edge=False)
    for column in ("problems of", "problems", "answer", f"answer, {FAR}", "reference", "answered", "right of answered"):
        table.add_column(column, justify="left" if column == "problems of" else "right")
    for part in found.parts:
        figures = (
            part.metrics["answer"],
            (part.copies or {}).get("answer"),
            part.metrics["reference"],
            part.calibration["answered"],
            part.calibration["precision"],
        )
        cells = ("–" if one is None else f"{100 * one:.1f}" for one in figures)
        table.add_row(part.name, f"{part.problems:,}", *cells)
    output().print(table)
