"""The command line `sau`: one module per command. This one collects them and turns errors into exit codes."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from sau_solver import __version__
from sau_solver.cli import (
    benchmark_command,
    crossval_command,
    data_commands,
    doctor_command,
    equation_command,
    errors_command,
    evaluate_command,
    generate_command,
    report_command,
    serve_command,
    server_config,
    solve_command,
    train_command,
)
from sau_solver.cli.terminal import complain
from sau_solver.errors import InputError, SauError


def _plain_flags(parameters: list[Any]) -> list[Any]:
    """Show flags such as --json in help texts without a type, and no variables: the text of `sau serve` names them."""
    for parameter in parameters:
        parameter.show_envvar = False
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
    return parameters


class _Command(TyperCommand):
    """A command whose help shows flags as flags, and which says what a number must be and what it got."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain_flags(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            option: Any = error.param
            values, _, _ = self.make_parser(ctx).parse_args(args=given)
            wanted = "" if option is None else wanted_by(option)
            if wanted and option.name in values:
                raise InputError(f"{option.opts[0]} must be {wanted}, got {values[option.name]}.") from None
            if wanted and (variable := server_config.given_by(ctx, option.name)) in os.environ:
                raise InputError(f"{variable} must be {wanted}, got {os.environ[variable]!r}.") from None
            raise


def wanted_by(parameter: Any) -> str:
    """Return what the value of an option must be, such as `between 1 and 50`; empty if it has no limits."""
    if getattr(parameter, "is_flag", False):
        return "true or false"
    own = parameter if hasattr(parameter, "min") else getattr(parameter, "type", None)
    least, most = getattr(own, "min", None), getattr(own, "max", None)
    if least is not None and most is not None:
        return f"between {least:,} and {most:,}"
    return f"at least {least:,}" if least is not None else f"at most {most:,}" if most is not None else ""


class _Group(TyperGroup):
    """A group of commands whose help shows flags as flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain_flags(super().get_params(ctx))


class _Commands(_Group):
    """The group of all commands. Ctrl+C exits with 130 and a message, a closed pipe with 141."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # at the end of the process, Python would print a warning about a closed pipe
        except KeyboardInterrupt:
            complain("Interrupted.")
            raise typer.Exit(130) from None
        except BrokenPipeError:  # the reader of the output, such as `head`, has closed it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # takes what is still in the buffer
            raise typer.Exit(141) from None


app = typer.Typer(
    cls=_Commands,
    name="sau",
    help="Solve math word problems in Chinese and English, and train and evaluate the models that do it.",
    no_args_is_help=True,
    rich_markup_mode="markdown",  # joins the lines of a paragraph
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


app.command("solve", cls=_Command)(solve_command.solve)
app.command("equation", cls=_Command)(equation_command.equation)
app.command("generate", cls=_Command)(generate_command.generate_problems)
app.add_typer(data_commands.app, name="data", cls=_Group)
for _registered in data_commands.app.registered_commands:
    _registered.cls = _Command
app.command("train", cls=_Command)(train_command.train)
app.command("evaluate", cls=_Command)(evaluate_command.evaluate)
app.command("benchmark", cls=_Command)(benchmark_command.benchmark)
app.command("crossval", cls=_Command)(crossval_command.crossval)
app.command("report", cls=_Command)(report_command.report)
app.command("errors", cls=_Command)(errors_command.errors)
app.command("serve", cls=_Command, context_settings={"auto_envvar_prefix": server_config.PREFIX})(serve_command.serve)
app.command("doctor", cls=_Command)(doctor_command.doctor)


def main() -> None:
    """Run `sau`. Exit codes: 0 solved, 3 no confident answer, 2 bad input, 130 interrupted, 141 closed pipe."""
    try:
        app()
    except SauError as error:
        complain(str(error))
        sys.exit(2)
