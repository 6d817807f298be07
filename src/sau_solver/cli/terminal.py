"""What several commands use: the consoles, messages, JSON lines, files, options with choices, and progress.

Progress goes to standard error: bars on a terminal, otherwise a plain line now and then.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column

from sau_solver.errors import InputError, RowError, did_you_mean
from sau_solver.files import user_path, write_atomically
from sau_solver.sheets.sheet import Answers, printable

if TYPE_CHECKING:
    from sau_solver.training.trainer import EpochReport

Named = TypeVar("Named", bound=str)

NO_ANSWER, BAD_INPUT = 3, 2  # exit codes
PIPE_WIDTH = 140
MAX_DRAWN = 60  # largest tree that the terminal shows, in symbols
MAX_REJECTED = 20  # rows of a corpus that are reported one by one
FIRST_LINE, NEXT_LINE = 2.0, 10.0  # seconds before a line of progress, if standard error is not a terminal


def output() -> Console:
    """Return the console for results; a file or pipe gets lines wide enough for every table."""
    console = _Output(highlight=False)
    return console if console.is_terminal else _Output(highlight=False, width=PIPE_WIDTH)


class _Output(Console):
    """A console that raises BrokenPipeError, so that all commands end the same way."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def complain(message: str) -> None:
    """Print a message to standard error as plain text."""
    _errors().print(printable(message), markup=False, soft_wrap=True)


def rejected_rows(name: str, rejected: Sequence[RowError]) -> list[str]:
    """Return the messages about rows of a corpus that cannot be read; many rows are only counted."""
    lines = [f"Skipped {error}" for error in rejected[:MAX_REJECTED]]
    more = len(rejected) - MAX_REJECTED
    return [*lines, f"Skipped {more:,} more rows of {name}."] if more > 0 else lines


def restore_cursor() -> None:
    """Show the cursor again, before a process with a progress bar ends at once."""
    _errors().show_cursor(True)


def _errors() -> Console:
    return Console(stderr=True, highlight=False)


def one_of(option: str, given: str, choices: Sequence[Named]) -> Named:
    """Return the value of an option; raise InputError if it is not one of the choices."""
    if given in choices:
        return choices[choices.index(given)]
    raise InputError(f"{option} must be one of {', '.join(choices)}, got {given!r}.{did_you_mean(given, choices)}")


def completing(*values: str) -> Callable[[str], list[str]]:
    """Return the function that completes an option with these values in a shell."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


AnswersOption = Annotated[
    str,
    typer.Option(
        help="Answers and steps of a worksheet: inline, separate (on a page of their own) or none.",
        autocompletion=completing(*get_args(Answers)),
    ),
]


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def write_file(path: Path, text: str) -> None:
    """Write a file that the user has named; raise InputError if that fails."""
    with user_path(path):
        write_atomically(path, text)


class TrainingBars:
    """A progress bar for each training run: loss, accuracy, problems per second, time left."""

    def __init__(self, bars: Progress) -> None:
        self.bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._waiting: TaskID | None = None
        self._rejected: set[str] = set()  # corpora whose bad rows are reported

    def rejected(self, corpus: str, rows: Sequence[RowError]) -> None:
        """Report the rows of a corpus that cannot be read; every round of a training reads them again."""
        if corpus not in self._rejected:
            self._rejected.add(corpus)
            for line in rejected_rows(corpus, rows):
                self.bars.console.print(printable(line), markup=False, soft_wrap=True)

    def waiting(self, what: str) -> None:
        """Show what happens before the end of the first epoch."""
        self._waiting = self.bars.add_task(what, total=None)

    def report(self, epoch: EpochReport) -> None:
        """Show the result of an epoch."""
        if self._waiting is not None:
            self.bars.remove_task(self._waiting)
            self._waiting = None
        if epoch.run not in self._tasks:
            self._tasks[epoch.run] = self.bars.add_task(epoch.run, total=epoch.epochs)
        # Rich estimates the time left from the last half minute only; an epoch may take longer.
        description = (
            f"{epoch.run}: loss {epoch.loss:.3f}, accuracy {100 * epoch.accuracy:.1f} %, "
            f"{epoch.problems_per_second:,.0f} problems/s, {duration(epoch.seconds_left)} left"
        )
        self.bars.update(self._tasks[epoch.run], completed=epoch.epoch + epoch.part, description=description)

    def ended(self, run: str, message: str) -> None:
        """Replace the bar of a run by a line that stays."""
        if run in self._tasks:
            self.bars.remove_task(self._tasks.pop(run))
        self.bars.console.print(f"{run}: {message}", markup=False, highlight=False, soft_wrap=True)


def duration(seconds: float) -> str:
    """Return a duration as text: 40 s, 12 min, 3 h 05 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


@contextmanager
def progress(task: str = "", in_bytes: bool = False) -> Iterator[Progress]:
    """Show the progress of tasks that count items or bytes; `task` adds one without a known length."""
    console = _errors()
    count = DownloadColumn() if in_bytes else MofNCompleteColumn()
    # On a narrow terminal the description takes several lines, and the bar stays.
    description = TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold"))
    columns = (description, BarColumn(bar_width=20, table_column=Column(no_wrap=True)), count)
    speed = TaskProgressColumn(show_speed=not in_bytes)
    everything = (*columns, speed, TimeRemainingColumn())
    with Progress(*everything, console=console, transient=True, disable=not console.is_terminal) as bars:
        if task:
            bars.add_task(task, total=None)
        if console.is_terminal:
            yield bars
            return
        ended = threading.Event()
        thread = threading.Thread(target=_print_lines, args=(bars, ended), daemon=True)
        thread.start()
        try:
            yield bars
        finally:
            ended.set()
            thread.join()


def _print_lines(bars: Progress, ended: threading.Event) -> None:
    """Print the state of the open tasks after two seconds, then every ten seconds."""
    pause = FIRST_LINE
    while not ended.wait(pause):
        pause = NEXT_LINE
        for task in bars.tasks:
            if not task.finished:
                bars.console.print(progress_line(task), markup=False, soft_wrap=True)


def progress_line(task: Task) -> str:
    """Return the state of a task as one line: [12 s] hmwp: 44 %."""
    share = "" if not task.total else f": {task.percentage:.0f} %"
    return f"[{duration(task.elapsed or 0)}] {printable(task.description)}{share}"
