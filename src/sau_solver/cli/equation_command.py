"""`sau equation`: parse, solve exactly, show the steps; needs no model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sau_solver.cli.solution_screen import MAX_DRAWN
from sau_solver.cli.terminal import NO_ANSWER, language_of, output, print_json
from sau_solver.cli.writing import write_text
from sau_solver.equations.drawing import draw_svg, draw_text
from sau_solver.equations.expressions import Statements
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.explaining.moves import value_text
from sau_solver.explaining.worked import Worked, work
from sau_solver.phrases import say
from sau_solver.solving import DEADLINE_SECONDS, Outcome


def equation(
    text: Annotated[str, typer.Argument(help="Equations, ';' between them; '-' reads standard input.")],
    lang: Annotated[str, typer.Option(help="Language of the steps: en or zh.")] = "en",
    deadline: Annotated[
        float, typer.Option(min=0.1, help="Seconds for what needs the symbolic solver.")
    ] = DEADLINE_SECONDS,
    tree: Annotated[Path | None, typer.Option(help="Draw the universal expression tree to this SVG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Solve equations exactly, without any model: sau equation "x*(50-2*x)=300".

    Exit code 0 where they are solved, 3 where there is no solution, infinitely many, or none was found in time.
    """
    language = language_of(lang, "en or zh")
    worked = work(sys.stdin.read() if text == "-" else text, language, deadline)
    if tree is not None:
        write_text(tree, draw_svg(Uet.from_equations(worked.statements.equations)))
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
            for solution in solved.solutions:
                values = ",  ".join(f"{name} = {value_text(value)}" for name, value in solution.items())
                console.print(Text(f"  {values}", style="bold green"))
        case _:
            found = say(worked.language, f"label_{solved.outcome}", reason=worked.reason)
            console.print(Text(f"  {found}", style="bold yellow"))


def _drawn(statements: Statements) -> str:
    try:
        tree = Uet.from_equations(statements.equations)
    except NotATreeError:  # functions have no place in a tree
        return ""
    return draw_text(tree) if len(tree) <= MAX_DRAWN else ""
