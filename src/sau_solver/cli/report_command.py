"""`sau report`: make the paper's tables and figures from stored results."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.model_option import HUB_HELP, named_model
from sau_solver.cli.terminal import complain, print_json, progress, write_file
from sau_solver.errors import CheckpointError, InputError
from sau_solver.experiments.report.build import collect
from sau_solver.experiments.results import RESULTS
from sau_solver.files import user_path
from sau_solver.hub.model_names import NamedModel
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.text.numbers import detect_language

CONFIGS = Path("configs")


def report(
    results: Annotated[Path, typer.Option(help="Folder of the result files.")] = RESULTS,
    configs: Annotated[Path, typer.Option(help="Folder of the experiments' TOML files.")] = CONFIGS,
    write: Annotated[
        Path | None,
        typer.Option("--output", metavar="FOLDER", help="Write report.md, .tex, .json and figures to this folder."),
    ] = None,
    figures: Annotated[bool, typer.Option(help="With --output: draw figures if matplotlib is installed.")] = True,
    model: Annotated[
        str | None,
        typer.Option(
            help=f"With figures: model whose attention is drawn, a folder or {HUB_HELP}. Default: the shipped models."
        ),
    ] = None,
    problem: Annotated[
        str | None, typer.Option(help="With figures: the problem that attention is drawn for. Default: an example.")
    ] = None,
    docs: Annotated[
        Path | None,
        typer.Option(help="Replace the tables between `<!-- sau report: NAME -->` marks in this Markdown file."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all tables as one JSON object.")] = False,
) -> None:
    """Make the paper's tables from stored results.

    Each table shows our figures beside those of the paper. The report also has significance tests and a list of
    missing runs.
    """
    if (model or problem) and (write is None or not figures):
        raise InputError("--model and --problem need figures. Add --output FOLDER and leave --no-figures out.")
    named = named_model(model) if model else None  # fails before the long work
    with progress("Reading the results"):
        found = collect(results, configs)
    if write is not None:
        with user_path(write), progress(f"Writing {write}"):
            written = found.write(write)
            if figures and (model or problem or find_spec("matplotlib")):
                from sau_solver.experiments.report.figures import draw_all  # needs matplotlib

                written += draw_all(found.experiments, write / "figures")
                written += _draw_attention(named, problem, write / "figures")
            elif figures:  # not asked for explicitly
                complain(
                    "Figures are left out: matplotlib is not installed. Run in a checkout: pip install '.[report]'"
                )
            for path in written:
                complain(f"Wrote {path}")
    if docs is not None:
        page = found.put_into(_read(docs))
        write_file(docs, page)
        complain(f"Wrote {docs}")
    if json:
        print_json(found.fields())
    elif write is None and docs is None:
        typer.echo(found.markdown(), nl=False)  # not through Rich, which would cut lines at the width of the terminal


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The Markdown file {path} cannot be read ({error}). Check the path.") from None


def _draw_attention(model: NamedModel | None, problem: str | None, folder: Path) -> list[Path]:
    """Draw the attention of a model, or of the shipped models, and the alignment if the model has kept it."""
    from sau_solver.experiments.attention_examples import attention_of_model
    from sau_solver.experiments.report.figures import draw_attention

    drawn = []
    if model is not None:
        for language, given in model.distinct.items():
            if language is None or problem is None or detect_language(problem) == language:
                name = "-".join(filter(None, (_figure_name(model), language)))
                drawn += draw_attention(name, attention_of_model(given, problem), folder)
        return drawn
    for language in LANGUAGES:
        if problem is None or detect_language(problem) == language:
            try:
                looks = attention_of_model(shipped_folder(language), problem)
            except (CheckpointError, InputError) as error:  # no weights, or no torch
                complain(f"The attention of the {LANGUAGES[language]} model is left out: {error}")
                continue
            drawn += draw_attention(f"shipped-{language}", looks, folder)
    return drawn


def _figure_name(model: NamedModel) -> str:
    """Return the last two parts of a folder's path, or the name of a model of the Hub, for names of files."""
    parts = Path(model.pinned).parts[-2:] if Path(model.pinned).is_dir() else model.name.split("/")
    return "-".join(part for part in parts if part != "/")
