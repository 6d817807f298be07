"""The classes of commands: their help shows flags as flags, their errors say what a number must be.

A `Listed` command knows its name and the first sentence of its help. Its module is imported when the command is used,
so that `sau --help` imports no command, and `sau equation` only its own.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sau_solver.errors import InputError

SERVER_VARIABLES = "SAU_SERVER"  # the names of variables that set the options of `sau serve` begin with it
MARKUP: Any = "markdown"  # joins the lines of a paragraph; Any: Typer has its own type for it


def _plain_flags(parameters: list[Any]) -> list[Any]:
    """Show flags such as --json in help texts without a type, and no variables: the text of `sau serve` names them."""
    for parameter in parameters:
        parameter.show_envvar = False
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
    return parameters


class Command(TyperCommand):
    """A command whose help shows flags as flags, and which says what a number must be and what it got."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with flags as flags."""
        return _plain_flags(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; raise InputError for a number outside its limits."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            option: Any = error.param
            values, _, _ = self.make_parser(ctx).parse_args(args=given)
            wanted = "" if option is None else wanted_by(option)
            if wanted and option.name in values:
                raise InputError(f"{option.opts[0]} must be {wanted}, got {values[option.name]}.") from None
            if wanted and ctx.auto_envvar_prefix:
                variable = f"{ctx.auto_envvar_prefix}_{option.name.upper()}"
                if variable in os.environ:
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


class Group(TyperGroup):
    """A group of commands whose help shows flags as flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with flags as flags."""
        return _plain_flags(super().get_params(ctx))


class Listed(TyperCommand):
    """A command in the list of commands, before its module is imported."""

    def __init__(self, name: str, place: str, summary: str, variables: str = "") -> None:
        """Create the entry of a command.

        `place` is module:name of its function, or of the Typer app of a group. `variables` is what the names of
        environment variables begin with that set its options.
        """
        super().__init__(name, help=summary, rich_markup_mode=MARKUP)
        self.place, self.variables = place, variables

    def load(self) -> Any:
        """Import the command's module and return the command itself."""
        module, _, name = self.place.partition(":")
        found: Any = getattr(import_module(module), name)
        if isinstance(found, typer.Typer):
            command = typer.main.get_command(found)
        else:
            alone = typer.Typer(rich_markup_mode=MARKUP, pretty_exceptions_enable=False, add_completion=False)
            settings = {"auto_envvar_prefix": self.variables} if self.variables else {}
            alone.command(self.name, cls=Command, context_settings=settings)(found)
            command = typer.main.get_command(alone)
        command.name = self.name
        return command

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Return the context of the command itself, which parses the arguments and runs."""
        return self.load().make_context(*args, **kwargs)
