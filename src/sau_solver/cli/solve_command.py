"""`sau solve`: a word problem, or a file of them, to exact answers with their equations, tree and reasons."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.bulk.solve_files import PIPE, show_file, solve_files
from sau_solver.cli.solution_screen import show_solution
from sau_solver.cli.terminal import NO_ANSWER, complain, language_of, output, print_json
from sau_solver.cli.writing import write_text
from sau_solver.equations.drawing import draw_svg
from sau_solver.errors import InputError
from sau_solver.solution import Solution

MAX_INPUT = 1 << 20  # bytes of standard input that are read; far more than a problem may have
USAGE = 'sau solve "TEXT", or sau solve --input problems.jsonl --output answers.jsonl'


def solve(
    text: Annotated[str | None, typer.Argument(help="A math word problem; '-' reads standard input.")] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--input", metavar="FILE", help="Problems, one a line: .jsonl with a text each, or .txt; '-' too."
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="Their answers as JSON lines; without it they are shown here."),
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the problems: auto, zh or en.")] = "auto",
    model: Annotated[
        str | None, typer.Option(metavar="DIR", help="A model's folder; the shipped models if not given.")
    ] = None,
    beam: Annotated[int, typer.Option(min=1, max=50, help="Candidates that the search keeps.")] = 5,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    tree: Annotated[
        Path | None, typer.Option(metavar="OUT.svg", help="Draw the universal expression tree to this SVG file.")
    ] = None,
) -> None:
    """Solve math word problems: sau solve "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？"

    Exit code 0 where the problem is solved, 3 without a confident answer, 2 for what is no problem. A file's exit code
    is 0 once all its lines are answered; run again after an interruption, it goes on where it stopped.
    """
    language = None if lang == "auto" else language_of(lang, "auto, zh or en")
    if source is not None or target is not None:
        if text is not None or tree is not None:
            raise InputError(f"TEXT and --tree are for one problem, --input and --output for files; use {USAGE}.")
        if source is None:
            raise InputError(f"--output is for the answers to a file; use {USAGE}.")
        if target is None and not json:
            show_file(source, model, language, beam)
        else:
            solve_files(source, target or PIPE, model, language, beam)
        return
    from sau_solver.solver import load  # here, because the help needs none of it

    if text is None:
        raise InputError(f"A problem was expected, nothing came; use {USAGE}.")
    solution = load(model).solve(sys.stdin.buffer.read(MAX_INPUT) if text == "-" else text, language, beam)
    if tree is not None:
        _draw(solution, tree)
    if json:
        print_json(solution.as_json())
    else:
        show_solution(output(), solution)
    if solution.abstained:
        raise typer.Exit(NO_ANSWER)


def _draw(solution: Solution, path: Path) -> None:
    if solution.tree is None:
        complain(f"No tree was found, so {path} was not written.")
        return
    write_text(path, draw_svg(solution.tree, [number.value for number in solution.text.numbers]))
