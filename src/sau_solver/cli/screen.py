"""What every command shares: the two consoles, JSON lines, progress, and how a complaint looks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

NO_ANSWER = 3  # exit code
PIPE_WIDTH = 140


def output() -> Console:
    """Where results go; a file or pipe gets lines wide enough for every table."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def complain(message: str) -> None:
    """Say what went wrong, on standard error, as plain text."""
    printable = "".join(c if c.isprintable() or c == "\n" else "·" for c in message)
    Console(stderr=True, highlight=False).print(printable, markup=False, soft_wrap=True)


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress display on standard error; silent where that is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        yield bars
