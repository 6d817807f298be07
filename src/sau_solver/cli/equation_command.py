"""`sau equation`: solve equations exactly and show the steps. It needs no model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console
from rich.text import Text

from sau_solver.cli.terminal import MAX_DRAWN, NO_ANSWER, completing, one_of, output, print_json, progress, write_file
from sau_solver.equations.drawing import draw_svg, draw_text
from sau_solver.equations.expressions import Statements
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.explaining.derivation import value_text
from sau_solver.explaining.worked import Worked, work
from sau_solver.phrases import Language, say
from sau_solver.solving import DEADLINE_SECONDS, Assignment, Outcome


def equation(
    text: Annotated[str, typer.Argument(help="Equations, separated by ';'. '-' reads them from standard input.")],
    lang: Annotated[
        str, typer.Option(help="Language of the steps: en or zh.", autocompletion=completing("en", "zh"))
    ] = "en",
    deadline: Annotated[
        float, typer.Option(min=0.1, help="Time limit of the symbolic solver, in seconds.")
    ] = DEADLINE_SECONDS,
    tree: Annotated[
        Path | None, typer.Option(metavar="OUT.svg", help="Draw the expression tree to this SVG file.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Solve equations exactly and show the steps.

    Example: sau equation "x*(50-2*x)=300"

    Exit codes: 0 solved; 3 no solution, infinitely many or perhaps not all, or none found in time; 2 not an equation.
    """
    language = one_of("--lang", lang, get_args(Language))
    given = sys.stdin.read() if text == "-" else text
    with progress("Solving"):
        worked = work(given, language, deadline)
    if tree is not None:
        drawing = draw_svg(Uet.from_equations(worked.statements.equations))
        write_file(tree, drawing)
    if json:
        print_json(worked.as_json())
    else:
        _show(worked)
    if worked.solved.outcome is not Outcome.SOLVED:
        raise typer.Exit(NO_ANSWER)


def _show(worked: Worked) -> None:
    console = output()
    solved = worked.solved
    drawn = _drawn(worked.statements)
    if drawn:
        console.print(Text(drawn, style="cyan"), end="\n\n")
    for number, step in enumerate(worked.steps, start=1):
        console.print(Text.assemble((f"{number:>3}. ", "dim"), step.text))
    console.print()
    match solved.outcome:
        case Outcome.SOLVED:
            _show_values(console, solved.solutions)
        case _:
            _show_values(console, solved.solutions + solved.determined)
            found = say(worked.language, f"label_{solved.outcome}", reason=worked.reason)
            console.print(Text(f"  {found}", style="bold yellow"))


def _show_values(console: Console, assignments: Sequence[Assignment]) -> None:
    for one in assignments:
        values = ",  ".join(f"{name} = {value_text(value)}" for name, value in one.items())
        console.print(Text(f"  {values}", style="bold green"))


def _drawn(statements: Statements) -> str:
    try:
        tree = Uet.from_equations(statements.equations)
    except NotATreeError:  # trees cannot hold functions
        return ""
    return draw_text(tree) if len(tree) <= MAX_DRAWN else ""
