"""The options of `sau serve` -> their values, and their sources: the command line, the environment or the defaults.

Each option has an environment variable: SAU_SERVER_MAX_TEXT for --max-text. typer reads it if the option is not given.
Several values are separated by spaces, a flag is true or false, and an empty variable counts as not set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from sau_solver.cli.command_classes import SERVER_VARIABLES
from sau_solver.cli.terminal import complain
from sau_solver.errors import InputError, SauError, SettingError, did_you_mean
from sau_solver.server.settings import Settings

PREFIX = SERVER_VARIABLES
API_KEYS = (f"{PREFIX}_API_KEY", "SAU_API_KEY")  # the key itself, which has no option: other users see command lines
NOT_SETTINGS = frozenset({"print_configuration"})
_SEVERAL = {"cors_origin": "cors_origins", "allowed_host": "allowed_hosts", "proxy": "proxies"}
_OPTIONS = {setting: option for option, setting in _SEVERAL.items()} | {"api_key": "api_key_file"}


def variable_of(option: str) -> str:
    """Return the environment variable of an option, which is named as in Python: max_text."""
    return f"{PREFIX}_{option.upper()}"


def given_by(context: typer.Context, option: str) -> str:
    """Return what an option or variable is called, depending on which one the user has set."""
    source = context.get_parameter_source(option)
    environment = source is not None and source.name == "ENVIRONMENT"
    return variable_of(option) if environment else f"--{option.replace('_', '-')}"


@contextmanager
def named_as_given(context: typer.Context, setting: str = "") -> Iterator[None]:
    """Let errors of settings name the option or variable that the user has set.

    With `setting`, every error is one of that setting.
    """
    try:
        yield
    except SettingError as error:
        name = given_by(context, _OPTIONS.get(error.setting, error.setting))
        raise InputError(f"{name} must be {error.wanted}.") from None
    except SauError as error:
        if setting and (name := given_by(context, setting)).startswith(PREFIX):
            raise InputError(f"{name}: {error}") from None
        raise


def api_key(file: Path | None) -> str:
    """Return the API key: that of the file, else that of the environment, else nothing."""
    if file is None:
        return next((key for name in API_KEYS if (key := os.environ.get(name, ""))), "")
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The API key file {file} cannot be read ({error}). Check the path.") from None
    if not key:
        raise InputError(f"The API key file {file} is empty. Write a key into it.")
    return key


def print_config(context: typer.Context, settings: Settings) -> None:
    """Print every setting with its value and where the value comes from. The API key itself is not shown."""
    rows = [("option", "variable", "from", "value")]
    rows += [
        (f"--{name.replace('_', '-')}", variable_of(name), _origin(context, name), _shown(name, value))
        for name, value in _values(context, settings).items()
    ]
    key_from = next((name for name in API_KEYS if os.environ.get(name)), "")
    used = bool(key_from) and context.params["api_key_file"] is None
    rows.append(("", key_from or API_KEYS[0], "environment" if used else "default", "set" if used else "none"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for *columns, value in rows:
        typer.echo("  ".join([*map(str.ljust, columns, widths), value]))


def warn_of_unknown_variables(context: typer.Context) -> None:
    """Warn about variables that belong to no setting: a misspelled name would silently mean the default."""
    known = {variable_of(name) for name in context.params if name not in NOT_SETTINGS} | set(API_KEYS)
    for name in sorted(set(os.environ) - known):
        if name.startswith(f"{PREFIX}_"):
            complain(f"{name} is not a setting of the server and is ignored.{did_you_mean(name, known)}")


def _values(context: typer.Context, settings: Settings) -> dict[str, Any]:
    """Return the value of each option in the order of the help text; a default may depend on the machine."""
    own = {field.name for field in fields(settings)}
    values = {}
    for option in (parameter.name for parameter in context.command.params):
        if option in context.params and option not in NOT_SETTINGS:
            setting = _SEVERAL.get(option, option)
            own_value = setting in own and option != "batch_wait"  # which has another unit than its option
            values[option] = getattr(settings, setting) if own_value else context.params[option]
    return values


def _origin(context: typer.Context, option: str) -> str:
    source = context.get_parameter_source(option)
    return {"COMMANDLINE": "option", "ENVIRONMENT": "environment"}.get(source.name if source else "", "default")


def _shown(option: str, value: object) -> str:
    if option == "model" and value is None:
        return "the shipped models"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return " ".join(value) or "none" if isinstance(value, tuple) else "none" if value is None else str(value)
