"""The problems of a file -> answers on the screen, as JSON lines, or as a worksheet, with progress and a summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, get_args

import typer
from rich.progress import Progress
from rich.text import Text

from sau_solver import solver
from sau_solver.cli.bulk.streaming import ReadLines, Record, SolveLines, Tally, solve_file, solve_stream
from sau_solver.cli.bulk.streaming import to_record as record_of
from sau_solver.cli.solution_screen import show_solution
from sau_solver.cli.terminal import BAD_INPUT, complain, one_of, output, progress, write_file
from sau_solver.errors import InputError
from sau_solver.files import behind_links, user_path
from sau_solver.problem import Language
from sau_solver.server.workers.memory import keep_memory_level
from sau_solver.sheets.sheet import Answers, item_of, make_sheet, printable
from sau_solver.sheets.sheet_formats import SHEET_FORMATS, SheetFormat
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.lists.problem_lines import ProblemLine
from sau_solver.text.lists.problem_lists import MAX_PROBLEMS, GivenFormat, format_of, read_file

MAX_REPORTED = 20  # bad lines that are reported one by one
PIPE = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A file or pipe with problems, and how they are written."""

    path: str
    form: GivenFormat = "auto"
    column: str = ""

    @property
    def name(self) -> str:
        """Its name for messages."""
        return "standard input" if self.path == PIPE else self.path

    @property
    def reader(self) -> ReadLines:
        """The function that reads it. Without a format, a pipe has JSON lines."""
        form = self.form
        if form == "auto":
            form = "csv" if self.column else "jsonl" if self.path == PIPE else format_of(self.path)
        return lambda file, start: self._named(read_file(file, form, self.column, start))

    def _named(self, lines: Iterator[ProblemLine]) -> Iterator[ProblemLine]:
        """Yield the lines; an error about the whole file names the file."""
        try:
            yield from lines
        except InputError as error:
            raise InputError(f"{self.name}: {error.message}", error.hint, error.code) from None

    def check(self) -> None:
        """Raise InputError if there is no such file."""
        if self.path != PIPE and not Path(self.path).is_file():
            raise InputError(f"{self.path}: no such file. Give a file with problems: .txt, .csv or .jsonl.")

    def problems(self) -> Iterator[ProblemLine]:
        """Yield the problems."""
        with ExitStack() as opened:
            yield from self.reader(self.opened(opened), 1)

    def opened(self, stack: ExitStack) -> BinaryIO:
        """Open the file, or return standard input."""
        return sys.stdin.buffer if self.path == PIPE else stack.enter_context(Path(self.path).open("rb"))


@dataclass(frozen=True, slots=True)
class Solving:
    """How problems are solved."""

    model: str | None
    reader: Language | None  # language of the steps
    beam: int

    def lines(self, loaded: Solver) -> SolveLines:
        """Return the function that solves lines."""
        return lambda lines: loaded.solve_many(
            ((line.text, line.language) for line in lines), reader=self.reader, beam=self.beam, errors="return"
        )


def solve_files(source: Source, target: str, solving: Solving) -> None:
    """Solve the problems of a file or pipe and write the answers to a file or pipe as JSON lines."""
    _check(source, target)
    keep_memory_level()  # a large file would otherwise grow the process by hundreds of megabytes
    tally: Tally | None = None
    with progress(in_bytes=True) as bars:
        size = None if source.path == PIPE else Path(source.path).stat().st_size
        listener = _Listener(bars, source.name, size)
        try:
            tally = _stream(source, target, solving, listener)
        except KeyboardInterrupt:
            tally = None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(
                f"{error.filename or target}: {error.strerror or error}. Check the path and the space left."
            ) from None
    if tally is None:
        advice = "" if PIPE in (source.path, target) else " To continue, run the same command again."
        complain(f"Interrupted after {listener.answered} lines.{advice}")
        raise typer.Exit(130)
    for line in listener.summary(tally, target):
        complain(line)
    _exit_if_all_bad(tally)


def show_file(source: Source, solving: Solving) -> None:
    """Solve the problems of a file or pipe and show them one after the other."""
    source.check()
    solve = solving.lines(solver.load(solving.model))
    tally = Tally()
    for line in source.problems():
        output().rule(style="dim")
        found = line.error or next(iter(solve([line])))
        tally.count(found if isinstance(found, Solution) else None)
        if isinstance(found, Solution):
            show_solution(output(), found)
        else:
            complain(f"{source.path}:{line.number}: {found}")
    _exit_if_all_bad(tally)


def write_sheet(source: Source, target: str, solving: Solving, form: SheetFormat, answers: Answers) -> None:
    """Solve the problems of a file or pipe and write a worksheet."""
    _check(source, target)
    lines = list(source.problems())
    if len(lines) > MAX_PROBLEMS:
        raise InputError.phrased("en", "list_many", count=len(lines), limit=MAX_PROBLEMS)
    tally = Tally()
    items = []
    with progress() as bars:
        listener = _Listener(bars, source.name, len(lines))
        solved = solving.lines(solver.load(solving.model))([line for line in lines if not line.error])
        for line in lines:
            result = None if line.error else next(solved)
            tally.count(result if isinstance(result, Solution) else None)
            tally.position += 1
            record = record_of(line, result)
            if isinstance(result, Solution):
                record["step_kinds"] = [step.kind for step in result.steps]
            items.append(item_of(record, line.text, line.label))
            listener(line, record, tally)
    text = SHEET_FORMATS[form].write(make_sheet(items, answers, solving.reader))
    write_file(Path(target), text)
    for said in listener.summary(tally, target, "problems"):
        complain(said)
    _exit_if_all_bad(tally)


def _exit_if_all_bad(tally: Tally) -> None:
    if tally.bad and tally.bad == tally.lines and not tally.earlier:
        raise typer.Exit(BAD_INPUT)


def _check(source: Source, target: str) -> None:
    source.check()
    if target == PIPE:
        return
    with user_path(Path(target)):
        given = Path(target)
        path = behind_links(given) if given.is_symlink() else given
    if source.path != PIPE and path.exists() and Path(source.path).samefile(path):
        raise InputError(f"{target} is the input file. Give another --output.")
    if source.path == PIPE and path.exists() and path.stat().st_size:
        raise InputError(f"{target} is not empty, and a pipe cannot continue it. Give another --output.")
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or give another --output.")
    if path.is_dir():
        raise InputError(f"{target} is a folder. Give a file as --output.")


def _stream(source: Source, target: str, solving: Solving, listener: _Listener) -> Tally:
    loaded = solver.load(solving.model)
    solve = solving.lines(loaded)
    if PIPE not in (source.path, target) and not _is_device(Path(target)):
        model_of = partial(_model_of, loaded)
        return solve_file(Path(source.path), Path(target), solve, listener, source.reader, model_of)
    with ExitStack() as stack:
        reading = source.opened(stack)
        writing = sys.stdout.buffer if target == PIPE else stack.enter_context(Path(target).open("wb"))
        return solve_stream(reading, writing, solve, listener, source.reader)


def _is_device(path: Path) -> bool:
    """Return whether a path is a device or a named pipe, which has no earlier answers to continue."""
    return path.exists() and not path.is_file()


def _model_of(loaded: Solver, language: str) -> str:
    try:
        return loaded.model(one_of("language", language, get_args(Language))).name
    except InputError:  # the solver has no model of this language
        return ""


class _Listener:
    """Shows the progress, reports the first bad lines, and summarizes the run."""

    def __init__(self, bars: Progress, source: str, size: int | None) -> None:
        self.bars = bars
        self.source = source
        self.answered = 0
        self._task = bars.add_task(source, total=size)

    def __call__(self, line: ProblemLine, record: Record, tally: Tally) -> None:
        self.answered = tally.lines
        self.bars.update(self._task, completed=tally.position)
        if "error" not in record:
            return
        if tally.bad <= MAX_REPORTED:
            self._say(f"{self.source}:{line.number}: {record['error']}")
        elif tally.bad == MAX_REPORTED + 1:
            self._say("Further bad lines are only counted here; the output has them all.")

    def _say(self, message: str) -> None:
        self.bars.console.print(Text(printable(message)), soft_wrap=True)

    def summary(self, tally: Tally, target: str, things: str = "lines") -> list[str]:
        """Return the lines of the summary."""
        name = "standard output" if target == PIPE else target
        if tally.earlier and not tally.lines:
            return [f"All lines of {self.source} are already answered in {name}."]
        begin = [f"Continued after line {tally.earlier:,}, where an earlier run had stopped."] if tally.earlier else []
        counts = f"{tally.solved:,} solved, {tally.abstained:,} without a confident answer, {tally.bad:,} bad"
        return [*begin, f"{tally.lines:,} {things}: {counts}. Answers: {name}"]
