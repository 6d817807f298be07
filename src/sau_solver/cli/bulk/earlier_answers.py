"""The output of an earlier run -> how far it got, or an error if it is another file or has other answers.

Every record has the number of its input line. Records are appended to the output, so its last complete line says how
far an earlier run got. After a power cut, parts of the last window may be missing: file systems fill them with zeros.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from sau_solver.errors import InputError
from sau_solver.text.lists.problem_lines import ProblemLine

BEGINNING = b'{"line": '  # every record begins like this
BLOCK = 1 << 16  # bytes read at a time from the end of an output
UNSAFE = 256  # lines that are written before the file is synchronized with the disk: a window of streaming.py
SECTOR = 512  # bytes that are missing at least if a power cut takes the beginning of a file
MAX_LOST = 1 << 24  # bytes of a file that may consist of one window with a missing beginning

LinesFrom = Callable[[int], Iterator[ProblemLine]]  # the problems of an input from a line number on
ModelOf = Callable[[str], str]  # the name of the model of a language
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """The output of an earlier run: its first and last record, and the size of all complete lines."""

    first: Record
    last: Record
    size: int


def find_done(output: BinaryIO, name: str) -> Done | None:
    """Return what an earlier run has done, or None. Raise InputError if the output is some other file."""
    size = output.seek(0, 2)
    output.seek(0)
    head = output.read(SECTOR)
    if head == bytes(min(size, SECTOR)) and size <= MAX_LOST:  # also if it is empty
        return None
    if not head.startswith(BEGINNING):
        raise _something_else(name)
    tail, end = _last_lines(output, size, UNSAFE + 1)
    start, last = end - len(tail), None
    for line in tail.split(b"\n")[:-1]:
        if b"\0" in line:  # no record has a zero byte
            break
        last = _read_record(line, name)
        start += len(line) + 1
    if last is None:
        if start:
            raise _something_else(name)
        return None
    output.seek(0)
    return Done(_read_record(output.readline(), name), last, start)


def _last_lines(file: BinaryIO, end: int, count: int) -> tuple[bytes, int]:
    """Return at least the last `count` complete lines, or all, and the position after them."""
    found, start = b"", end
    while start > 0 and found.count(b"\n") <= count:
        start, before = max(0, start - BLOCK), start
        file.seek(start)
        found = file.read(before - start) + found
    lines = found[: found.rfind(b"\n") + 1]
    return lines[lines.find(b"\n") + 1 :] if start else lines, start + len(lines)


def _read_record(raw: bytes, output: str) -> Record:
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict) and isinstance(record.get("line"), int):
        return record
    raise _something_else(output)


def _something_else(output: str) -> InputError:
    return InputError(
        f"{output} was not written by an earlier run of this command, so it is not overwritten. Give another --output."
    )


def check_belongs(done: Done, lines: LinesFrom) -> None:
    """Refuse an output whose first or last record does not match its line of the input."""
    for record in (done.first, done.last):
        line = next(lines(record["line"]), None)
        if line is None or line.number != record["line"] or not _belongs(record, line):
            raise InputError(
                f"The output has answers to another input: line {record['line']} differs. To continue it, give its "
                "own input. To start again, remove the output or give another --output."
            )


def check_model(done: Done, model_of: ModelOf) -> None:
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
