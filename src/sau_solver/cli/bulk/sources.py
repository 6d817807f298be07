"""A file, URL or pipe -> its problems from any line on.

The formats are text, CSV, JSON lines and Parquet. Files may be compressed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Literal

from sau_solver.data.compressed import DAMAGES, compression_of, unpacked
from sau_solver.data.parquet_rows import SUFFIX as PARQUET
from sau_solver.data.parquet_rows import parquet_columns, parquet_records
from sau_solver.data.remote_files import name_of, open_binary, shown, size_of
from sau_solver.errors import CorpusError, InputError
from sau_solver.text.lists.problem_lines import TEXT_KEYS, ProblemLine, problem_of
from sau_solver.text.lists.problem_lists import GivenFormat, format_of, read_file

PIPE = "-"
SourceFormat = GivenFormat | Literal["parquet"]

_OTHER_KEYS = ("id", "lang", "language")  # columns of a Parquet file that are read beside the problems


@dataclass(frozen=True, slots=True)
class Source:
    """A file, URL or pipe with problems, and its format."""

    path: str
    form: SourceFormat = "auto"
    column: str = ""

    @property
    def name(self) -> str:
        """Its name for messages."""
        return "standard input" if self.path == PIPE else shown(self.path)

    @property
    def chosen(self) -> SourceFormat:
        """The format, from the name if none is given. A pipe has JSON lines."""
        if self.form != "auto":
            return self.form
        if self.path == PIPE:
            return "csv" if self.column else "jsonl"
        name = name_of(self.path)
        name = name[: len(name) - len(compression_of(name))]
        if name.lower().endswith(PARQUET):
            return "parquet"
        return "csv" if self.column else format_of(name)

    def check(self) -> None:
        """Raise InputError if there is no such file."""
        if self.path != PIPE and size_of(self.path) is None:
            raise InputError(
                f"{self.name}: no such file. Give a file with problems: .txt, .csv, .jsonl or .parquet, or a folder."
            )

    def problems(self) -> Iterator[ProblemLine]:
        """Yield the problems."""
        with self.opened() as opened:
            yield from opened.lines(1)

    @contextmanager
    def opened(self) -> Iterator[OpenSource]:
        """Open the file, or take standard input."""
        if self.path == PIPE:
            yield OpenSource(self, sys.stdin.buffer)
            return
        try:
            file = open_binary(self.path)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error}). Check the path.") from None
        with file:
            yield OpenSource(self, file)


class OpenSource:
    """The open file of a source."""

    def __init__(self, source: Source, file: BinaryIO) -> None:
        self._source, self._file = source, file
        self._seekable = source.path != PIPE and file.seekable()
        self._share: float | None = None  # of the rows of a Parquet file that are read

    def lines(self, start: int) -> Iterator[ProblemLine]:
        """Yield the problems from a line number on; an error about the whole file names the file."""
        source = self._source
        try:
            if self._seekable:
                self._file.seek(0)
            if source.chosen == "parquet":
                yield from self._rows(start)
            else:
                plain = unpacked(self._file, "" if source.path == PIPE else name_of(source.path))
                yield from read_file(plain, source.chosen, source.column, start)
        except InputError as error:
            raise InputError(f"{source.name}: {error.message}", error.hint, error.code) from None
        except CorpusError as error:
            raise InputError(str(error)) from None
        except DAMAGES as error:
            reason = str(error) or type(error).__name__
            raise InputError(f"{source.name}: cannot be read to its end ({reason}). Copy the file again.") from None

    def position(self) -> int:
        """Return how many bytes of the file are read; 0 if that is not known."""
        if self._share is not None:
            return int(self._share * (size_of(self._source.path) or 0))
        return self._file.tell() if self._seekable else 0

    def _rows(self, start: int) -> Iterator[ProblemLine]:
        if not self._seekable:
            raise InputError("Parquet cannot be read from a pipe. Give a file.")
        columns, rows = parquet_columns(self._file, self._source.name)
        wanted = [self._source.column] if self._source.column else TEXT_KEYS
        text = next((name for name in wanted if name in columns), None)
        if text is None:
            known = ", ".join(columns[:12])
            raise InputError(f"There is no column {' or '.join(wanted)}.", f"Name one with --column: {known}.")
        others = [name for name in _OTHER_KEYS if name in columns and name != text]
        for number, fields in parquet_records(self._file, columns=[text, *others], name=self._source.name):
            self._share = number / rows
            if number >= start:
                yield problem_of({"text": fields.pop(text)} | fields, number)
