"""The command line, `sau`: one file per command; this one puts them together and turns our errors into exit code 2."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from sau_solver.cli import (
    crossval_command,
    data_commands,
    doctor_command,
    equation_command,
    errors_command,
    evaluate_command,
    report_command,
    serve_command,
    solve_command,
    train_command,
)
from sau_solver.cli.terminal import complain
from sau_solver.errors import SauError


class _Commands(TyperGroup):
    """Ends an interrupted command with a word and a broken pipe without one: what comes out of here Typer takes."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # the end of the process would complain of a pipe
        except KeyboardInterrupt:
            complain("Interrupted.")
            raise typer.Exit(130) from None
        except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still in the buffer
            raise typer.Exit(141) from None


app = typer.Typer(
    cls=_Commands,
    name="sau",
    help="Math word problems: exact answers with their equations, tree and reasons; and the laboratory behind them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("solve")(solve_command.solve)
app.command("equation")(equation_command.equation)
app.add_typer(data_commands.app, name="data")
app.command("train")(train_command.train)
app.command("evaluate")(evaluate_command.evaluate)
app.command("crossval")(crossval_command.crossval)
app.command("report")(report_command.report)
app.command("errors")(errors_command.errors)
app.command("serve")(serve_command.serve)
app.command("doctor")(doctor_command.doctor)


def main() -> None:
    """Run `sau`. Exit codes: 0 solved, 3 no confident answer, 2 bad input, 130 interrupted, 141 nobody reads on."""
    try:
        app()
    except SauError as error:
        complain(str(error))
        sys.exit(2)
