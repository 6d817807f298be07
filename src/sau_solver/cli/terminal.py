"""What every command shares: the two consoles, JSON lines, progress, --lang, model folders, and complaints."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from sau_solver.errors import InputError
from sau_solver.problem import Language

if TYPE_CHECKING:
    from sau_solver.training.trainer import EpochReport

NO_ANSWER = 3  # exit code
PIPE_WIDTH = 140


def output() -> Console:
    """Where results go; a file or pipe gets lines wide enough for every table."""
    console = _Output(highlight=False)
    return console if console.is_terminal else _Output(highlight=False, width=PIPE_WIDTH)


class _Output(Console):
    """Leaves a broken pipe to the command line, which ends all commands alike."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def complain(message: str) -> None:
    """Say what went wrong, on standard error, as plain text."""
    Console(stderr=True, highlight=False).print(printable(message), markup=False, soft_wrap=True)


def printable(text: str) -> str:
    """The text with a dot for each character that would steer a terminal instead of being shown; equally long."""
    return "".join(c if c.isprintable() or c == "\n" else "·" for c in text)


def language_of(text: str, choices: str) -> Language:
    """What --lang names; `choices` says what it takes."""
    if text in ("zh", "en"):
        return text  # type: ignore[return-value]
    raise InputError(f"--lang takes {choices}, not {text!r}.")


def model_folder(given: Path) -> Path:
    """The folder of a training stands for the model in it."""
    return given / "model" if (given / "model").is_dir() else given


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


class TrainingBars:
    """A bar for each training: loss, accuracy, problems a second, time left."""

    def __init__(self, bars: Progress) -> None:
        self.bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._waiting: TaskID | None = None

    def waiting(self, what: str) -> None:
        """Show what goes on before the first epoch has ended."""
        self._waiting = self.bars.add_task(escape(what), total=None)

    def report(self, epoch: EpochReport) -> None:
        """Show how an epoch went."""
        if self._waiting is not None:
            self.bars.remove_task(self._waiting)
            self._waiting = None
        if epoch.run not in self._tasks:
            self._tasks[epoch.run] = self.bars.add_task(epoch.run, total=epoch.epochs)
        # Rich's own estimate of the time left forgets what is older than half a minute: an epoch may take longer.
        told = (
            f"{epoch.run}: loss {epoch.loss:.3f}, accuracy {100 * epoch.accuracy:.1f} %, "
            f"{epoch.problems_per_second:,.0f} problems/s, {duration(epoch.seconds_left)} left"
        )
        self.bars.update(self._tasks[epoch.run], completed=epoch.epoch + epoch.part, description=told)

    def ended(self, run: str, told: str) -> None:
        """Put a line that stays in the place of a run's bar; a file or pipe gets it, too."""
        if run in self._tasks:
            self.bars.remove_task(self._tasks.pop(run))
        self.bars.console.print(f"{run}: {told}", markup=False, highlight=False, soft_wrap=True)


def duration(seconds: float) -> str:
    """Seconds in words: 40 s, 12 min, 3 h 05 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


@contextmanager
def training_progress() -> Iterator[TrainingBars]:
    """The same with a bar for each training."""
    with progress() as bars:
        yield TrainingBars(bars)


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


@contextmanager
def byte_progress() -> Iterator[Progress]:
    """The same for a file that is read: bytes of it, percent, time left."""
    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        yield bars
