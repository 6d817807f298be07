"""Lines of problems -> lines of answers, in order and in constant memory; a killed run continues where it stopped.

Every record has the number of its input line. Records are appended to the output, so its last complete line says how
far an earlier run got. An incomplete line after it is cut off.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import UnsupportedOperation
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from sau_solver.errors import InputError, SauError
from sau_solver.files import behind_links, lock, sync
from sau_solver.solution import Solution
from sau_solver.text.lists.problem_lines import ProblemLine, read_lines

WINDOW = 256  # lines held in memory at a time
MAX_REPEATED = 2_000  # characters of a text that the record of an error repeats
BEGINNING = b'{"line": '  # every record begins like this
BLOCK = 1 << 16  # bytes read at a time from the end of an output

ReadLines = Callable[[BinaryIO, int], Iterator[ProblemLine]]  # the problems from a line number on
SolveLines = Callable[[Sequence[ProblemLine]], Iterator[Solution | SauError]]
ModelOf = Callable[[str], str]  # the name of the model of a language
Record = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """The counts of this run, and how many lines earlier runs had done."""

    earlier: int = 0  # number of the last line done by earlier runs
    solved: int = 0
    abstained: int = 0
    bad: int = 0
    position: int = 0  # bytes of the input that are done, estimated within a window

    @property
    def lines(self) -> int:
        """The number of lines that this run has answered."""
        return self.solved + self.abstained + self.bad

    def count(self, result: Solution | SauError | None) -> None:
        """Add the result of one more line."""
        if isinstance(result, Solution):
            self.solved += not result.abstained
            self.abstained += result.abstained
        else:
            self.bad += 1


Listener = Callable[[ProblemLine, Record, Tally], None]  # is called for every answered line


@dataclass(frozen=True, slots=True)
class Done:
    """The output of an earlier run: its first and last record, and the size of all complete lines."""

    first: Record
    last: Record
    size: int


def solve_file(
    source: Path,
    output: Path,
    solve: SolveLines,
    hear: Listener,
    read: ReadLines = read_lines,
    model_of: ModelOf | None = None,
) -> Tally:
    """Answer the lines of a file that are not yet in the output; with `model_of`, refuse answers of another model."""
    output = behind_links(output)
    new = not output.exists()
    with source.open("rb") as file, output.open("x+b" if new else "r+b") as sink:
        if new:
            sync(output.parent)
        if not lock(sink, wait=False):  # a second run would append the same answers
            raise InputError(f"Another run is writing to {output}. Wait for it, or give another --output.")
        done = find_done(sink, output)
        if done is not None:
            _check_belongs(file, done, read)
            if model_of is not None:
                _check_model(done, model_of)
            file.seek(0)
        sink.truncate(done.size if done else 0)
        sink.seek(0, 2)
        return solve_stream(file, sink, solve, hear, read, done.last["line"] if done else 0)


def solve_stream(
    source: BinaryIO, sink: BinaryIO, solve: SolveLines, hear: Listener, read: ReadLines = read_lines, earlier: int = 0
) -> Tally:
    """Answer every line after the first `earlier` ones.

    Lines are solved in windows that begin at the same lines in every run, so that a continued run has the same
    batches, and hence the same digits, as an uninterrupted one.
    """
    tally = Tally(earlier)
    lines = read(source, earlier // WINDOW * WINDOW + 1)
    for _, group in groupby(lines, key=lambda line: (line.number - 1) // WINDOW):
        window = list(group)
        begin, end = tally.position, source.tell() if source.seekable() else 0
        tally.position = end
        if window[-1].number <= earlier:
            continue
        for count, (line, result) in enumerate(_answered(window, solve), start=1):
            tally.position = begin + (end - begin) * count // len(window)
            if line.number > earlier:
                record = to_record(line, result)
                sink.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
                tally.count(result)
                hear(line, record, tally)
        _keep(sink)
    return tally


def _keep(sink: BinaryIO) -> None:
    """Write what is buffered; a file is on disk afterwards, so that a power cut costs one window at most."""
    sink.flush()
    try:
        handle = sink.fileno()
    except UnsupportedOperation:  # it is in memory
        return
    if stat.S_ISREG(os.fstat(handle).st_mode):  # pipes and devices cannot be synchronized
        os.fsync(handle)


def _answered(
    window: Sequence[ProblemLine], solve: SolveLines
) -> Iterator[tuple[ProblemLine, Solution | SauError | None]]:
    """Yield each line with its result, or with None for a bad line; the good lines are solved together."""
    results = solve([line for line in window if not line.error])
    for line in window:
        yield line, None if line.error else next(results)


def to_record(line: ProblemLine, result: Solution | SauError | None) -> Record:
    """Return the record of a line: its number, its id, and the documented object or an error."""
    record: Record = {"line": line.number}
    if line.id is not None:
        record["id"] = line.id
    if isinstance(result, Solution):
        return record | result.as_json()
    if line.text and len(line.text) <= MAX_REPEATED:
        record["problem"] = line.text
    return record | {"error": line.error or str(result)}


def find_done(output: BinaryIO, name: Path) -> Done | None:
    """Return what an earlier run has done, or None. Raise InputError if the output is some other file."""
    end = _end_of_lines(output, output.seek(0, 2))
    output.seek(0)
    if output.read(len(BEGINNING)) not in (BEGINNING, b""):
        raise _something_else(name)
    if end == 0:
        return None
    start = _end_of_lines(output, end - 1)
    output.seek(start)
    last = _read_record(output.read(end - start), name)
    output.seek(0)
    return Done(_read_record(output.readline(), name), last, end)


def _end_of_lines(file: BinaryIO, end: int) -> int:
    """Return the position after the last line break before `end`, or 0."""
    while end > 0:
        start = max(0, end - BLOCK)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _read_record(raw: bytes, output: Path) -> Record:
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict) and isinstance(record.get("line"), int):
        return record
    raise _something_else(output)


def _something_else(output: Path) -> InputError:
    return InputError(
        f"{output} was not written by an earlier run of this command, so it is not overwritten. Give another --output."
    )


def _check_belongs(source: BinaryIO, done: Done, read: ReadLines) -> None:
    """Refuse an output whose first or last record does not match its line of the input."""
    for record in (done.first, done.last):
        source.seek(0)
        line = next(read(source, record["line"]), None)
        if line is None or line.number != record["line"] or not _belongs(record, line):
            raise InputError(
                f"The output has answers to another input: line {record['line']} differs. To continue it, give its "
                "own input. To start again, remove the output or give another --output."
            )


def _check_model(done: Done, model_of: ModelOf) -> None:
    """Refuse an output whose first or last record names another model; records of errors name none."""
    for record in (done.first, done.last):
        named = record.get("model")
        if named and named != (present := model_of(record.get("language", ""))):
            raise InputError(
                f"The output was started with the model {named}, but the model is now {present or 'none'}. To continue "
                "it, give its own --model. To start again, remove the output or give another --output."
            )


def _belongs(record: Record, line: ProblemLine) -> bool:
    if record.get("id") != line.id:
        return False
    if line.error:
        return bool(record.get("error") == line.error)
    return str(record.get("problem", line.text)).strip() == line.text.strip()
