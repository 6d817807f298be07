"""The command line, `sau`: one file per command; this one puts them together and turns our errors into exit code 2."""

from __future__ import annotations

import sys

import typer

from sau_solver.cli import crossval, data, doctor, equation, errors, evaluate, report, serve, solve, train
from sau_solver.cli.screen import complain
from sau_solver.errors import SauError

app = typer.Typer(
    name="sau",
    help="Math word problems: exact answers with their equations, tree and reasons; and the laboratory behind them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("solve")(solve.solve)
app.command("equation")(equation.equation)
app.add_typer(data.app, name="data")
app.command("train")(train.train)
app.command("evaluate")(evaluate.evaluate)
app.command("crossval")(crossval.crossval)
app.command("report")(report.report)
app.command("errors")(errors.errors)
app.command("serve")(serve.serve)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run `sau`. Exit codes: 0 solved, 3 no confident answer, 2 bad input."""
    try:
        app()
    except SauError as error:
        complain(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        complain("Interrupted.")
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        sys.stderr.close()
        sys.exit(141)
