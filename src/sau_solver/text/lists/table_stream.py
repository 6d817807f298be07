"""A large CSV file -> its problems, row by row in bounded memory.

The beginning of the file decides about its delimiter and the column of the problems.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from sau_solver.errors import InputError
from sau_solver.phrases import say
from sau_solver.text.lists.problem_lines import ProblemLine
from sau_solver.text.lists.tables import Row, find_layout, parsed_rows

BEGINNING = 1 << 20  # bytes that decide
MAX_ROW = 1 << 18  # characters of a row; the module csv has a smaller limit for each field


def stream_table(beginning: bytes, rest: BinaryIO, encoding: str, column: str = "") -> Iterator[ProblemLine]:
    """Yield the problems of a table whose beginning is read already; raise InputError if it cannot be read on.

    A row with bytes of another encoding becomes an error in its place.
    """
    # Bytes that cannot be decoded become halves of surrogate pairs, so that their row is lost and not the file.
    text = io.TextIOWrapper(io.BufferedReader(_Rejoined(beginning, rest)), encoding, errors="surrogateescape")
    # A character has at most four bytes, so this much text is there without the rest.
    sample = text.read(len(beginning) // 4)
    layout, _ = find_layout(sample, column, "en", whole=False)
    lines = _Lines(sample, text)
    try:
        for place, row in enumerate(parsed_rows(lines, layout.delimiter, "en")):
            lines.row_ended()
            if place or not layout.has_header:
                bad = ProblemLine(row[0], error=say("en", "list_row_encoding"))
                yield layout.problem(row) if _is_text(row) else bad
    except UnicodeDecodeError:
        raise InputError.phrased("en", "list_encoding") from None


class _Lines:
    """The lines of a text whose beginning is read already. It refuses rows that have no end."""

    def __init__(self, sample: str, text: io.TextIOWrapper) -> None:
        self._sample, self._text = io.StringIO(sample), text
        self._size = 0  # characters of the present row
        self._number = 0

    def row_ended(self) -> None:
        """Count the characters of a new row."""
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._line():
            self._number += 1
            self._size += len(line)
            if self._size > MAX_ROW:
                raise InputError.phrased("en", "list_long_row", line=self._number, limit=MAX_ROW)
            yield line

    def _line(self) -> str:
        line = self._sample.readline(MAX_ROW + 1)
        if line.endswith("\n") or len(line) > MAX_ROW:
            return line
        return line + self._text.readline(MAX_ROW + 1)


class _Rejoined(io.RawIOBase):
    """A file whose beginning was read already. Closing it leaves the file open."""

    def __init__(self, beginning: bytes, rest: BinaryIO) -> None:
        self._beginning, self._rest = io.BytesIO(beginning), rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        part = self._beginning.read(len(view)) or self._rest.read(len(view))
        view[: len(part)] = part
        return len(part)


def _is_text(row: Row) -> bool:
    try:
        "".join(row[1]).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
