"""Lines of problems -> lines of answers, in order and in constant memory; what was killed goes on where it stopped.

Every record carries the number of its input line. The output is appended record by record, so its last whole line says
how far an earlier run came; half a line behind it is cut off.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from sau_solver.cli.bulk.problem_lines import ProblemLine, read_lines
from sau_solver.errors import InputError, SauError
from sau_solver.solution import Solution

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

WINDOW = 256  # lines that are held at a time
MAX_REPEATED = 2_000  # characters of a text that an error's record repeats
BEGINNING = b'{"line": '  # of every record
BLOCK = 1 << 16  # bytes read at a time from the end of an output

SolveLines = Callable[[Sequence[ProblemLine]], Iterator[Solution | SauError]]
ModelOf = Callable[[str], str]  # the name of the model that answers problems of a language
Record = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """How the lines of this run ended, and how many the runs before had done."""

    earlier: int = 0  # the number of the last line that was done before
    solved: int = 0
    abstained: int = 0
    bad: int = 0
    position: int = 0  # bytes of the input that have been read

    @property
    def lines(self) -> int:
        """How many lines this run has answered."""
        return self.solved + self.abstained + self.bad

    def count(self, result: Solution | SauError | None) -> None:
        """Add the result of one more line."""
        if isinstance(result, Solution):
            self.solved += not result.abstained
            self.abstained += result.abstained
        else:
            self.bad += 1


Listener = Callable[[ProblemLine, Record, Tally], None]  # hears of every line that is answered


@dataclass(frozen=True, slots=True)
class Done:
    """What an earlier run has left in an output: its first and its last record, and the size of all whole lines."""

    first: Record
    last: Record
    size: int


def solve_file(
    source: Path,
    output: Path,
    solve: SolveLines,
    hear: Listener,
    plain: bool = False,
    model_of: ModelOf | None = None,
) -> Tally:
    """Answer the lines of a file that the output does not hold yet.

    With `model_of`, an output that was begun with another model is refused.
    """
    with source.open("rb") as file, output.open("r+b" if output.exists() else "x+b") as sink:
        _lock(sink, output)
        done = find_done(sink, output)
        if done is not None:
            _check_belongs(file, done, plain)
            if model_of is not None:
                _check_model(done, model_of)
            file.seek(0)
        sink.truncate(done.size if done else 0)
        sink.seek(0, 2)
        return solve_stream(file, sink, solve, hear, plain, done.last["line"] if done else 0)


def _lock(sink: BinaryIO, output: Path) -> None:
    """Keep a second run away: both would append the same answers. Where there are no such locks, nothing happens."""
    if fcntl is None:
        return
    try:
        fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{output}: another run is writing to it; wait for it, or give another --output.") from None


def solve_stream(
    source: BinaryIO, sink: BinaryIO, solve: SolveLines, hear: Listener, plain: bool = False, earlier: int = 0
) -> Tally:
    """Answer every line behind the `earlier` first ones.

    Lines are solved in windows that begin at the same line in every run: a run that goes on gives the same batches to
    the network, and so the same digits, as one that was never stopped.
    """
    tally = Tally(earlier)
    lines = read_lines(source, plain, start=earlier // WINDOW * WINDOW + 1)
    for _, group in groupby(lines, key=lambda line: (line.number - 1) // WINDOW):
        window = list(group)
        tally.position = source.tell() if source.seekable() else 0
        if window[-1].number <= earlier:
            continue
        for line, result in _answered(window, solve):
            if line.number > earlier:
                record = to_record(line, result)
                sink.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
                tally.count(result)
                hear(line, record, tally)
        sink.flush()
    return tally


def _answered(
    window: Sequence[ProblemLine], solve: SolveLines
) -> Iterator[tuple[ProblemLine, Solution | SauError | None]]:
    """Each line with its result, None where the line itself is bad; the good ones are solved together."""
    results = solve([line for line in window if not line.error])
    for line in window:
        yield line, None if line.error else next(results)


def to_record(line: ProblemLine, result: Solution | SauError | None) -> Record:
    """What the output says of one line: its number, its id, and the documented object or an error."""
    record: Record = {"line": line.number}
    if line.id is not None:
        record["id"] = line.id
    if isinstance(result, Solution):
        return record | result.as_json()
    if line.text and len(line.text) <= MAX_REPEATED:
        record["problem"] = line.text
    return record | {"error": line.error or str(result)}


def find_done(output: BinaryIO, name: Path) -> Done | None:
    """What is done already; None for an output without a whole line. An output whose lines are not ours is refused."""
    end = _end_of_lines(output, output.seek(0, 2))
    output.seek(0)
    if not BEGINNING.startswith(output.read(len(BEGINNING))):
        raise _something_else(name)
    if end == 0:
        return None
    start = _end_of_lines(output, end - 1)
    output.seek(start)
    last = _read_record(output.read(end - start), name)
    output.seek(0)
    return Done(_read_record(output.readline(), name), last, end)


def _end_of_lines(file: BinaryIO, end: int) -> int:
    """Where the last line break before `end` stops; 0 where there is none."""
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
        f"{output}: a new file, or one that an earlier run of this command has written, was expected; its lines are "
        "something else. Give another --output."
    )


def _check_belongs(source: BinaryIO, done: Done, plain: bool) -> None:
    """Refuse an output whose first or last record is of another text than that line of the input."""
    for record in (done.first, done.last):
        source.seek(0)
        line = next(read_lines(source, plain, start=record["line"]), None)
        if line is None or line.number != record["line"] or not _belongs(record, line):
            raise InputError(
                f"The output holds answers already, but not of this input: line {record['line']} differs. To go on, "
                "give the input that it was begun with; to start anew, remove the output or give another --output."
            )


def _check_model(done: Done, model_of: ModelOf) -> None:
    """Refuse an output whose first or last record is of another model; an error, or what is no problem, has none."""
    for record in (done.first, done.last):
        named = record.get("model")
        if named and named != (present := model_of(record.get("language", ""))):
            raise InputError(
                f"The output was begun with the model {named}, but the model is now {present or 'none'}. To go on, "
                "give the --model that it was begun with; to start anew, remove the output or give another --output."
            )


def _belongs(record: Record, line: ProblemLine) -> bool:
    if record.get("id") != line.id:
        return False
    if line.error:
        return bool(record.get("error") == line.error)
    return str(record.get("problem", line.text)).strip() == line.text.strip()
