"""`sau solve --input … --output …`: solve the problems of a file, with progress and a message for every bad line."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import typer
from rich.progress import Progress
from rich.text import Text

from sau_solver import solver
from sau_solver.cli.bulk.streaming import ModelOf, Record, SolveLines, Tally, solve_file, solve_stream
from sau_solver.cli.solution_screen import show_solution
from sau_solver.cli.terminal import complain, language_of, output, printable, progress
from sau_solver.errors import InputError
from sau_solver.problem import Language
from sau_solver.server.workers.memory import keep_memory_level
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.lists.problem_lines import ProblemLine, read_lines

MAX_REPORTED = 20  # bad lines that are reported one by one
PIPE = "-"


def solve_files(source: str, target: str, model: str | None, language: Language | None, beam: int) -> None:
    """Solve the problems of a file or pipe and write the answers to a file or pipe."""
    _check(source, target)
    keep_memory_level()  # a large file would otherwise grow the process by hundreds of megabytes
    name = "standard input" if source == PIPE else source
    tally: Tally | None = None
    with progress(in_bytes=True) as bars:
        listener = _Listener(bars, name, None if source == PIPE else Path(source).stat().st_size)
        try:
            tally = _stream(source, target, solver.load(model), language, beam, listener)
        except KeyboardInterrupt:
            tally = None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(f"{error.filename or target}: {error.strerror or error}.") from None
    if tally is None:
        advice = "" if PIPE in (source, target) else " To continue, run the same command again."
        complain(f"Interrupted after {listener.answered} lines.{advice}")
        raise typer.Exit(130)
    for line in listener.summary(tally, target):
        complain(line)


def show_file(source: str, model: str | None, language: Language | None, beam: int) -> None:
    """Solve the problems of a file or pipe and show them one after the other."""
    if source != PIPE and not Path(source).is_file():
        raise InputError(f"{source}: no such file. Give a file with one problem per line.")
    solve = _solve_lines(solver.load(model), language, beam)
    with ExitStack() as opened:
        reading = sys.stdin.buffer if source == PIPE else opened.enter_context(Path(source).open("rb"))
        for line in read_lines(reading, source.endswith(".txt")):
            output().rule(style="dim")
            found = line.error or next(iter(solve([line])))
            if isinstance(found, Solution):
                show_solution(output(), found)
            else:
                complain(f"{source}:{line.number}: {found}")


def _check(source: str, target: str) -> None:
    if source != PIPE:
        path = Path(source)
        if not path.is_file():
            raise InputError(f"{source}: no such file. Give a file with one problem per line.")
        if target != PIPE and Path(target).exists() and path.samefile(target):
            raise InputError(f"{target} is the input file. Give another --output.")
    if target == PIPE:
        return
    if source == PIPE and Path(target).exists() and Path(target).stat().st_size:
        raise InputError(f"{target} is not empty, and a pipe cannot continue it. Give another --output.")
    if not Path(target).parent.is_dir():
        raise InputError(f"The folder {Path(target).parent} does not exist. Create it, or give another --output.")
    if Path(target).is_dir():
        raise InputError(f"{target} is a folder. Give a file as --output.")


def _stream(
    source: str, target: str, loaded: Solver, language: Language | None, beam: int, listener: _Listener
) -> Tally:
    plain = source.endswith(".txt")
    solve = _solve_lines(loaded, language, beam)
    if PIPE not in (source, target):
        return solve_file(Path(source), Path(target), solve, listener, plain, _model_of(loaded))
    with ExitStack() as opened:
        reading = sys.stdin.buffer if source == PIPE else opened.enter_context(Path(source).open("rb"))
        writing = sys.stdout.buffer if target == PIPE else opened.enter_context(Path(target).open("wb"))
        return solve_stream(reading, writing, solve, listener, plain)


def _model_of(loaded: Solver) -> ModelOf:
    def name(language: str) -> str:
        try:
            return loaded.model(language_of(language, "en or zh")).name
        except InputError:  # the solver has no model of this language
            return ""

    return name


def _solve_lines(loaded: Solver, language: Language | None, beam: int) -> SolveLines:
    return lambda lines: loaded.solve_many(
        ((line.text, line.language) for line in lines), reader=language, beam=beam, errors="return"
    )


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

    def summary(self, tally: Tally, target: str) -> list[str]:
        """Return the lines of the summary."""
        name = "standard output" if target == PIPE else target
        if tally.earlier and not tally.lines:
            return [f"All lines of {self.source} are already answered in {name}."]
        begin = [f"Continued after line {tally.earlier:,}, where an earlier run had stopped."] if tally.earlier else []
        counts = f"{tally.solved:,} solved, {tally.abstained:,} without a confident answer, {tally.bad:,} bad"
        return [*begin, f"{tally.lines:,} lines: {counts}. Answers: {name}"]
