"""The output of an earlier run -> how far it got, or an error if it is another file or has other answers.

Every record has the number of its input line. Records are appended to the output, so its last complete line says how
far an earlier run got.
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
