"""The command line `sau`: one module per command. This one lists them and turns errors into exit codes."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from sau_solver import __version__
from sau_solver.cli.command_classes import MARKUP, SERVER_VARIABLES, Group, Listed
from sau_solver.errors import SauError

# Name, place and first sentence of the help of each command. A test compares the sentences with the functions.
COMMANDS = (
    ("solve", "solve_command:solve", "Solve math word problems in Chinese or English."),
    ("equation", "equation_command:equation", "Solve equations exactly and show the steps."),
    (
        "generate",
        "generate_command:generate_problems",
        "Make word problems with exact answers, equations and worked steps.",
    ),
    (
        "train",
        "train_command:train",
        "Train a network. Writes checkpoints, TensorBoard logs and, at the end, the model to a folder.",
    ),
    ("evaluate", "evaluate_command:evaluate", "Measure the accuracy of a model on a corpus or on your own problems."),
    (
        "benchmark",
        "benchmark_command:benchmark",
        "Test a model, or any program, on the test problems of every corpus that you have, and write one report.",
    ),
    ("crossval", "crossval_command:crossval", "Cross-validate experiments."),
    ("report", "report_command:report", "Make the paper's tables from stored results."),
    (
        "errors",
        "errors_command:errors",
        "Group the wrong predictions of an experiment, or the wrong answers of a model, by cause.",
    ),
    ("serve", "serve_command:serve", "Start the HTTP server and its web page."),
    ("doctor", "doctor_command:doctor", "Check the installation."),
    ("data", "data_commands:app", "List, download, convert, count and check corpora."),
)


class _Commands(Group):
    """The group of all commands. Ctrl+C exits with 130 and a message, a closed pipe with 141."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, place, summary in COMMANDS:
            variables = SERVER_VARIABLES if name == "serve" else ""
            self.commands[name] = Listed(name, f"{__name__}.{place}", summary, variables)

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # at the end of the process, Python would print a warning about a closed pipe
        except KeyboardInterrupt:
            _complain("Interrupted.")
            raise typer.Exit(130) from None
        except BrokenPipeError:  # the reader of the output, such as `head`, has closed it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # takes what is still in the buffer
            raise typer.Exit(141) from None


app = typer.Typer(
    cls=_Commands,
    name="sau",
    help="Solve math word problems in Chinese and English, and train and evaluate the models that do it.",
    no_args_is_help=True,
    rich_markup_mode=MARKUP,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _complain(message: str) -> None:
    from sau_solver.cli.terminal import complain  # imports Rich, which most errors do not need

    complain(message)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sau-solver {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run `sau`. Exit codes: 0 solved, 3 no confident answer, 2 bad input, 130 interrupted, 141 closed pipe."""
    try:
        app()
    except SauError as error:
        _complain(str(error))
        sys.exit(2)
