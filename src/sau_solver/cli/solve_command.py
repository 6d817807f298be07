"""`sau solve`: solve a word problem, or a file of word problems."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from sau_solver import solver
from sau_solver.cli.bulk.shards import find_shards, goes_to_folder, make_folders
from sau_solver.cli.bulk.show_files import show_file, write_sheet
from sau_solver.cli.bulk.solve_files import Solving, solve_all, solve_file
from sau_solver.cli.bulk.sources import PIPE, Source, SourceFormat
from sau_solver.cli.engine_options import AddressOption, EngineOption, engine_place
from sau_solver.cli.model_option import ModelOption, pinned_model
from sau_solver.cli.solution_screen import show_solution
from sau_solver.cli.terminal import (
    BAD_INPUT,
    NO_ANSWER,
    AnswersOption,
    complain,
    completing,
    one_of,
    output,
    print_json,
    progress,
    write_file,
)
from sau_solver.engines.engine import Place
from sau_solver.equations.drawing import draw_svg
from sau_solver.errors import InputError
from sau_solver.models.base import BEAM
from sau_solver.phrases import say
from sau_solver.sheets.sheet import Answers
from sau_solver.sheets.sheet_formats import sheet_format
from sau_solver.solution import Solution
from sau_solver.solver import MAX_BEAM
from sau_solver.text.language import detect_language
from sau_solver.text.lists.problem_lists import GivenFormat

MAX_INPUT = 1 << 20  # bytes of standard input that are read; far more than a problem has
FORMATS: tuple[SourceFormat, ...] = (*get_args(GivenFormat), "parquet")
LANGUAGES: tuple[Literal["auto", "zh", "en"], ...] = ("auto", "zh", "en")
USAGE = 'sau solve "TEXT", or sau solve --input problems.txt --output answers.jsonl'


def solve(
    text: Annotated[str | None, typer.Argument(help="A math word problem. '-' reads standard input.")] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="FILE",
            help="Problems: a numbered list or one per line (.txt), a table (.csv, .parquet), JSON lines (.jsonl), "
            "also compressed (.gz, .bz2, .xz, .zst); a folder, pattern or URL (s3://…) of such files. Repeatable. "
            "'-' reads JSON lines from standard input.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="A worksheet (.html, .md, .csv, .tex), or JSON lines for any other name. A folder or URL of several "
            "inputs gets one file of JSON lines for each. Default: the screen.",
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="How the problems of --input are written: auto, list, txt, csv, jsonl or parquet.",
            autocompletion=completing(*FORMATS),
        ),
    ] = "auto",
    column: Annotated[
        str,
        typer.Option(metavar="NAME", help="Column of a CSV or Parquet file with the problems. Default: find it."),
    ] = "",
    answers: AnswersOption = "inline",
    lang: Annotated[
        str,
        typer.Option(
            help="Language of the steps: auto (that of the problem), zh or en.",
            autocompletion=completing(*LANGUAGES),
        ),
    ] = "auto",
    model: ModelOption = None,
    beam: Annotated[
        int, typer.Option(min=1, max=MAX_BEAM, help="Beam size: the number of candidates that the search keeps.")
    ] = BEAM,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per problem.")] = False,
    tree: Annotated[
        Path | None, typer.Option(metavar="OUT.svg", help="Draw the expression tree to this SVG file.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Number of processes for --output. Default: 1, or with Ray all CPUs of the cluster."),
    ] = None,
    engine: EngineOption = "local",
    address: AddressOption = None,
) -> None:
    """Solve math word problems in Chinese or English.

    Example: sau solve "Tom has 3 apples and buys 5 more. How many apples does he have?"

    Exit codes: 0 solved, 3 no confident answer, 2 not a problem. With --input, the exit code is 2 if no line has a
    problem, and 0 otherwise. After an interruption, run the same command again: it continues where it stopped.
    """
    chosen = one_of("--lang", lang, LANGUAGES)
    language = None if chosen == "auto" else chosen
    place = engine_place(engine, address, jobs)
    if inputs or target is not None:
        if text is not None or tree is not None:
            raise InputError(f"TEXT and --tree are for one problem, --input and --output are for files. Use {USAGE}.")
        if not inputs:
            raise InputError(f"--output needs --input. Use {USAGE}.")
        solving = Solving(pinned_model(model), language, beam)
        chosen_form = one_of("--format", form, FORMATS)
        if goes_to_folder(inputs, target):
            assert target is not None
            shards = find_shards(inputs, target, chosen_form, column)
            make_folders(shards)
            solve_all(shards, target, solving, place)
        elif len(inputs) > 1:
            raise InputError("Several inputs need a folder as --output. Use --output answers/.")
        else:
            _solve_file(Source(inputs[0], chosen_form, column), target, solving, (answers, json), place)
        return
    if place != Place():
        raise InputError(f"--engine, --address and --jobs are for files. Use {USAGE}.")
    if text is None:
        raise InputError(f"There is no problem to solve. Use {USAGE}.")
    given = sys.stdin.buffer.read(MAX_INPUT).rstrip(b"\r\n") if text == "-" else text
    shown = given if isinstance(given, str) else given.decode(errors="replace")
    model = pinned_model(model)
    with progress(say(language or detect_language(shown), "label_solving")):
        solution = solver.load(model).solve(given, beam=beam, reader=language)
    not_a_problem = solution.reason == say(solution.read_in, "nothing")
    if tree is not None:
        _draw(solution, tree)
    if json:
        print_json(solution.as_json())
    elif not_a_problem:
        complain(solution.reason)
    else:
        show_solution(output(), solution)
    if solution.abstained:
        raise typer.Exit(BAD_INPUT if not_a_problem else NO_ANSWER)


def _solve_file(source: Source, target: str | None, solving: Solving, shown: tuple[str, bool], place: Place) -> None:
    """Solve a file to the screen, to a worksheet, or to JSON lines; `shown` are --answers and --json."""
    answers, json = one_of("--answers", shown[0], get_args(Answers)), shown[1]
    sheet = sheet_format(target or "")
    if target is None and not json:
        show_file(source, solving)
    elif target is not None and sheet is not None:
        write_sheet(source, target, solving, sheet, answers)
    else:
        solve_file(source, target or PIPE, solving, place)


def _draw(solution: Solution, path: Path) -> None:
    if solution.tree is None:
        complain(f"The problem has no tree, so {path} was not written.")
        return
    write_file(path, draw_svg(solution.tree, [number.value for number in solution.text.numbers]))
