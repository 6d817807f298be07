"""`sau report`: the paper's tables and figures from results/, ours beside the paper's."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import complain, model_folder, print_json
from sau_solver.cli.writing import writable, write_text
from sau_solver.errors import CheckpointError, InputError
from sau_solver.experiments.report.build import Report, collect
from sau_solver.experiments.runs import RESULTS
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.text.numbers import detect_language

CONFIGS = Path("configs")


def report(
    results: Annotated[Path, typer.Option(help="Where result files are kept.")] = RESULTS,
    configs: Annotated[Path, typer.Option(help="Where the experiments' TOML files are.")] = CONFIGS,
    write: Annotated[
        Path | None,
        typer.Option("--output", help="Write report.md, report.tex, report.json and figures into this folder."),
    ] = None,
    figures: Annotated[
        bool, typer.Option(help="With --output: draw the figures, where matplotlib is installed.")
    ] = True,
    model: Annotated[
        Path | None,
        typer.Option(help="With figures: the trained SAU-Solver whose attention is drawn; else those of the package."),
    ] = None,
    problem: Annotated[
        str | None, typer.Option(help="The problem that it is drawn for; else an example of the model's language.")
    ] = None,
    readme: Annotated[
        Path | None, typer.Option(help="Renew the table of configurations between the marks of this Markdown file.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the merged tables as one JSON object.")] = False,
) -> None:
    """Regenerate the paper's tables from stored results, with significance and the runs that are missing."""
    if (model or problem) and (write is None or not figures):
        raise InputError("--model and --problem are for figures; add --output FOLDER, and leave --no-figures out.")
    found = collect(results, configs)
    if write is not None:
        with writable(write):
            _tell(found.write(write))
            if figures and (model or problem or find_spec("matplotlib")):
                _tell([*_draw(found, write), *_draw_looks(model, problem, write)])
            elif figures:  # nobody has asked for them by name
                complain("no figures are drawn: they need matplotlib, pip install 'sau-solver[report]'")
    if readme is not None:
        write_text(readme, found.put_into(_read(readme)))
        complain(f"wrote {readme}")
    if json:
        print_json(found.fields())
    elif write is None and readme is None:
        typer.echo(found.markdown(), nl=False)  # as it is: a terminal's width would cut figures off


def _tell(written: list[Path]) -> None:
    for path in written:
        complain(f"wrote {path}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: a Markdown file was expected ({error}).") from None


def _draw(found: Report, folder: Path) -> list[Path]:
    from sau_solver.experiments.report.gallery import draw_all  # matplotlib, only where figures are drawn

    return draw_all(found.experiments, folder / "figures")


def _draw_looks(model: Path | None, problem: str | None, folder: Path) -> list[Path]:
    """Attention, and alignment where a model has kept it; without a model those of the package that are there."""
    from sau_solver.experiments.report.gallery import draw_looks
    from sau_solver.experiments.report.looks import look_into

    if model is not None:
        given = model_folder(model)
        name = "-".join(part for part in (given.parent if given != model else given).parts[-2:] if part != "/")
        return draw_looks(name, look_into(given, problem), folder / "figures")
    drawn = []
    for language in LANGUAGES:
        if problem is None or detect_language(problem) == language:
            try:
                looks = look_into(shipped_folder(language), problem)
            except (CheckpointError, InputError) as error:  # a package without weights, or without torch
                complain(f"no attention of the {LANGUAGES[language]} model is drawn: {error}")
                continue
            drawn += draw_looks(f"shipped-{language}", looks, folder / "figures")
    return drawn
