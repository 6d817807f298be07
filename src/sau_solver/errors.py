"""Every error that this package raises on purpose.

    SauError
    ├── EquationError        text that is not an equation: points at the column
    ├── TooLargeError        an equation or a number past the limits that keep solving safe
    ├── NotATreeError        symbols that do not form one complete expression tree
    ├── CorpusError          something about a corpus
    │   ├── UnknownCorpusError   no corpus of that name
    │   ├── MissingCorpusError   known, but its file is not on this machine
    │   ├── ChecksumError        a fetched file is not the published one
    │   └── RowError             one row that cannot be read: file and line
    ├── CheckpointError      a checkpoint that is missing, damaged, of another version or of another model
    ├── OutOfMemoryError     a model and a batch that the device's memory does not hold
    └── InputError           a wrong argument, option or file given by the user

A message says what was expected, what came, and what to do.
"""

from __future__ import annotations


class SauError(Exception):
    """Base class: catching it catches every error raised on purpose."""


class EquationError(SauError):
    """Text that does not read as equations; `column` counts characters from 0."""

    def __init__(self, message: str, text: str, column: int) -> None:
        super().__init__(message)
        self.text = text
        self.column = column

    def __str__(self) -> str:
        start = max(0, self.column - 30)
        window = "".join(c if c.isprintable() else "·" for c in self.text[start : self.column + 30])
        return f"{self.args[0]} (column {self.column + 1})\n  {window}\n  {' ' * (self.column - start)}^"


class TooLargeError(SauError):
    """Larger than the limits that keep parsing and solving within time and memory."""


class NotATreeError(SauError):
    """A sequence of symbols that is not the prefix form of one complete tree."""


class CorpusError(SauError):
    """Something about a corpus."""


class UnknownCorpusError(CorpusError):
    """No corpus of that name is registered."""


class MissingCorpusError(CorpusError):
    """The corpus is known, but its file is not on this machine."""


class ChecksumError(CorpusError):
    """A file that was fetched is not the one that was published."""


class RowError(CorpusError):
    """One row of a corpus file that cannot be read."""

    def __init__(self, message: str, file: str, line: int) -> None:
        super().__init__(message)
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.args[0]}"


class CheckpointError(SauError):
    """A checkpoint that is missing, damaged, written by another version, or not of this model."""


class OutOfMemoryError(SauError):
    """The device's memory does not hold the model and a batch."""


class InputError(SauError):
    """A wrong argument, option or file given by the user."""
