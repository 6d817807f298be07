"""The problems of files -> answers as JSON lines, by the engine that the user chooses, with progress and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

import typer
from rich.progress import Progress
from rich.text import Text

from sau_solver import solver
from sau_solver.cli.bulk.sources import PIPE, Source
from sau_solver.cli.bulk.streaming import (
    WINDOW,
    Answer,
    AnswerWindows,
    Lines,
    Shard,
    Solved,
    SolveLines,
    Tally,
    answer_lines,
    solve_shards,
)
from sau_solver.cli.terminal import BAD_INPUT, complain, one_of, progress
from sau_solver.data.remote_files import is_url, shown, size_of
from sau_solver.engines.engine import Place, open_engine
from sau_solver.errors import InputError
from sau_solver.files import behind_links, user_path
from sau_solver.problem import Language
from sau_solver.server.workers.memory import keep_memory_level
from sau_solver.sheets.sheet import printable
from sau_solver.solver import Solver

MAX_REPORTED = 20  # bad lines that are reported one by one


@dataclass(frozen=True, slots=True)
class Solving:
    """How problems are solved."""

    model: str | None
    reader: Language | None  # language of the steps
    beam: int

    def lines(self, loaded: Solver) -> SolveLines:
        """Return the function that solves lines; the lines of one language are one batch, sorted by length."""
        return lambda lines: loaded.solve_many(
            ((line.text, line.language) for line in lines),
            batch_size=WINDOW,
            reader=self.reader,
            beam=self.beam,
            errors="return",
        )


class AnswerWindow:
    """Answers the lines of a window. In another process, it loads the models with the first window."""

    def __init__(self, solving: Solving, loaded: Solver | None = None) -> None:
        self._solving, self._loaded = solving, loaded

    def __call__(self, window: Lines) -> list[Answer]:
        """Return the answers of a window."""
        return list(self.one_by_one(window))

    def one_by_one(self, window: Lines) -> Iterator[Answer]:
        """Yield the answers of a window, so that each can be written at once."""
        if self._loaded is None:
            keep_memory_level()
            self._loaded = solver.load(self._solving.model)
        yield from answer_lines(window, self._solving.lines(self._loaded))

    def __reduce__(self) -> tuple[type[AnswerWindow], tuple[Solving]]:
        return AnswerWindow, (self._solving,)


def solve_file(source: Source, target: str, solving: Solving, place: Place | None = None) -> None:
    """Solve the problems of a file or pipe and write the answers to a file or pipe as JSON lines."""
    check_file(source, target)
    solve_all([Shard(source, target)], target, solving, place)


def solve_all(shards: Sequence[Shard], target: str, solving: Solving, place: Place | None = None) -> None:
    """Solve the problems of all shards, and write the answers of each to its output as JSON lines."""
    keep_memory_level()  # a large file would otherwise grow the process by hundreds of megabytes
    solved: list[Solved] | None = None
    place = place or Place()
    here = place.engine == "local" and place.jobs in (None, 1)
    loaded = solver.load(solving.model)
    with progress(in_bytes=True) as bars:
        listener = _Listener(bars, shards, target)
        try:
            with open_engine(place) as engine:
                answer = AnswerWindow(solving, loaded)
                answers: AnswerWindows = partial(engine.in_order, answer.one_by_one if here else answer)
                ended = solve_shards(shards, answers, listener.hear, partial(_model_of, loaded))
                solved = [listener.end(one) for one in ended]
        except KeyboardInterrupt:
            solved = None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(
                f"{error.filename or target}: {error.strerror or error}. Check the path and the space left."
            ) from None
    if solved is None:
        pipes = any(PIPE in (shard.source.path, shard.target) for shard in shards)
        advice = "" if pipes else " To continue, run the same command again."
        complain(f"Interrupted after {listener.answered} lines.{advice}")
        raise typer.Exit(130)
    if len(shards) == 1 and (unread := solved[0].error):
        raise unread
    for line in listener.summary(solved):
        complain(line)
    if any(one.error for one in solved):
        raise typer.Exit(BAD_INPUT)
    exit_if_all_bad(_total(solved))


def exit_if_all_bad(tally: Tally) -> None:
    """End the command with the code for bad input if no line had a problem."""
    if tally.bad and tally.bad == tally.lines and not tally.earlier:
        raise typer.Exit(BAD_INPUT)


def check_file(source: Source, target: str) -> None:
    """Raise InputError if the input is missing, or if the output cannot be written or continued."""
    source.check()
    if target == PIPE or is_url(target):
        return
    with user_path(Path(target)):
        given = Path(target)
        path = behind_links(given) if given.is_symlink() else given
    local = source.path != PIPE and not is_url(source.path)
    if local and path.exists() and Path(source.path).samefile(path):
        raise InputError(f"{target} is the input file. Give another --output.")
    if source.path == PIPE and path.exists() and path.stat().st_size:
        raise InputError(f"{target} is not empty, and a pipe cannot continue it. Give another --output.")
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or give another --output.")
    if path.is_dir():
        raise InputError(f"{target} is a folder. Give a file as --output.")


def _model_of(loaded: Solver, language: str) -> str:
    try:
        return loaded.model(one_of("language", language, get_args(Language))).name
    except InputError:  # the solver has no model of this language
        return ""


def _total(solved: Sequence[Solved]) -> Tally:
    total = Tally()
    for one in solved:
        total.earlier += one.tally.earlier
        total.solved += one.tally.solved
        total.abstained += one.tally.abstained
        total.bad += one.tally.bad
    return total


class BadLines:
    """Reports the first bad lines, above the progress bars."""

    def __init__(self, bars: Progress) -> None:
        self._bars, self._count = bars, 0

    def report(self, message: str) -> None:
        """Report one more bad line, unless there are many."""
        self._count += 1
        if self._count <= MAX_REPORTED:
            self.say(message)
        elif self._count == MAX_REPORTED + 1:
            self.say("Further bad lines are only counted here; the output has them all.")

    def say(self, message: str) -> None:
        """Print a message."""
        self._bars.console.print(Text(printable(message)), soft_wrap=True)


class _Listener:
    """Shows the progress, reports the first bad lines and files, and summarizes the run."""

    def __init__(self, bars: Progress, shards: Sequence[Shard], target: str) -> None:
        self.answered = 0
        self._bars, self._shards = bars, shards
        self._target = "standard output" if target == PIPE else shown(target)
        sizes = [None if shard.source.path == PIPE else size_of(shard.source.path) or 0 for shard in shards]
        self._sizes = dict(zip(shards, sizes, strict=True))
        self._name = shards[0].source.name if len(shards) == 1 else f"{len(shards):,} files"
        self._task = bars.add_task(self._name, total=None if None in sizes else sum(size or 0 for size in sizes))
        self._ended = 0  # bytes of the shards that are done
        self._bad = BadLines(bars)

    def hear(self, shard: Shard, answer: Answer, tally: Tally) -> None:
        """Count one more answer."""
        self.answered += 1
        self._bars.update(self._task, completed=self._ended + tally.position)
        if answer.outcome == "bad":
            self._bad.report(f"{shard.source.name}:{answer.line}: {answer.error}")

    def end(self, solved: Solved) -> Solved:
        """Report the error of a shard, if it has one and is not the only one."""
        self._ended += self._sizes[solved.shard] or 0
        self._bars.update(self._task, completed=self._ended)
        if solved.error is not None and len(self._shards) > 1:
            self._bad.say(str(solved.error))
        return solved

    def summary(self, solved: Sequence[Solved]) -> list[str]:
        """Return the lines of the summary."""
        total = _total(solved)
        errors = sum(one.error is not None for one in solved)
        if total.earlier and not total.lines and not errors:
            return [f"All lines of {self._name} are already answered in {self._target}."]
        return [
            *self._earlier(solved),
            summary_line(total, self._target),
            *([f"{errors:,} of {self._name} could not be read to the end; see above."] if errors else []),
        ]

    def _earlier(self, solved: Sequence[Solved]) -> list[str]:
        if len(solved) == 1:
            earlier = solved[0].tally.earlier
            return [f"Resumed after line {earlier:,}, where an earlier run stopped."] if earlier else []
        begun = sum(one.tally.earlier > 0 for one in solved)
        return [f"Resumed: {begun:,} of {len(solved):,} files were already started or finished."] if begun else []


def summary_line(tally: Tally, name: str, things: str = "lines") -> str:
    """Return the counts of a run as a sentence."""
    counts = f"{tally.solved:,} solved, {tally.abstained:,} without a confident answer, {tally.bad:,} bad"
    return f"{tally.lines:,} {things}: {counts}. Answers: {name}"
