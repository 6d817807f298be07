"""Every error that this package raises on purpose. A message says what is wrong and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from sau_solver.phrases import Language, hint_for, say


class SauError(Exception):
    """Base class of all errors raised on purpose."""


class PhrasedError(SauError):
    """An error with a code, whose message and hint exist in Chinese and English; `language` chooses one."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values
        self.language: Language = "en"

    @property
    def message(self) -> str:
        """What is wrong."""
        return say(self.language, self.code, **self.values)

    @property
    def hint(self) -> str:
        """What to do about it; may be empty."""
        return hint_for(self.language, self.code, **self.values)

    def __str__(self) -> str:
        return _joined(self.message, self.hint)


class EquationError(PhrasedError):
    """Text that cannot be read as equations; `column` counts characters from 0."""

    def __init__(self, code: str, text: str, column: int, **values: object) -> None:
        super().__init__(code, **values)
        self.text = text
        self.column = column

    @property
    def message(self) -> str:
        """What is wrong, in which column."""
        place = say(self.language, "at_column", column=self.column + 1) if self.text.strip() else ""
        return super().message + place

    @property
    def hint(self) -> str:
        """What equations look like."""
        return say(self.language, "write_equations")

    def __str__(self) -> str:
        if not self.text.strip():
            return self.message
        start = max(0, self.column - 30)
        window = "".join(c if c.isprintable() else "·" for c in self.text[start : self.column + 30])
        return f"{self.message}\n  {window}\n  {' ' * (self.column - start)}^"


class TooLargeError(PhrasedError):
    """Input beyond the limits that keep parsing and solving within time and memory."""


class NotATreeError(SauError):
    """A sequence of symbols that is not the prefix form of one complete tree."""


class CorpusError(SauError):
    """An error about a corpus."""


class UnknownCorpusError(CorpusError):
    """No corpus is registered under that name."""


class MissingCorpusError(CorpusError):
    """The corpus is known, but its file is not on this machine."""


class ChecksumError(CorpusError):
    """A downloaded file differs from the published one."""


class RowError(CorpusError):
    """A row of a corpus file that cannot be read."""

    def __init__(self, message: str, file: str, line: int) -> None:
        super().__init__(message)
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.args[0]}"


class FamilyError(SauError):
    """A family of problems that cannot be read, or a skill that does not exist."""


class CheckpointError(SauError):
    """A checkpoint that is missing, damaged, written by another version, or of another model."""


class OutOfMemoryError(SauError):
    """The model and a batch do not fit into the device's memory."""


class ProcessLostError(SauError):
    """Another process of the same training has ended or cannot be reached."""


class WorkerLostError(SauError):
    """A process that did jobs for this one was killed, or its machine is lost."""


class StorageError(SauError):
    """A file of a long job cannot be written or read: the disk is full, broken or read-only."""


class ToldElsewhereError(SauError):
    """Another process of the same training has stopped with an error and shows it."""


class InputError(SauError):
    """A wrong argument, option or file given by the user: what is wrong, what to do, and a code for programs."""

    def __init__(self, message: str, hint: str = "", code: str = "input") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.values: dict[str, object] | None = None  # of a phrase

    @classmethod
    def phrased(cls, language: Language, code: str, **values: object) -> InputError:
        """Return the error of a code, with its message and hint in that language."""
        error = cls(say(language, code, **values), hint_for(language, code, **values), code)
        error.values = values
        return error

    def translated(self, language: Language | None) -> InputError:
        """Return the error in another language, if its sentences exist in both."""
        return InputError.phrased(language, self.code, **self.values) if language and self.values is not None else self

    def __str__(self) -> str:
        return _joined(self.message, self.hint)


class SettingError(InputError):
    """A setting that is out of range. `setting` is its name; whoever read it can name its option or variable."""

    def __init__(self, setting: str, wanted: str) -> None:
        super().__init__(f"{setting} must be {wanted}.")
        self.setting = setting
        self.wanted = wanted


def did_you_mean(name: str, known: Collection[str], cutoff: float = 0.5) -> str:
    """Return a sentence that suggests the most similar known name, with a space before it; empty if none is similar."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=cutoff)
    return f" Did you mean {near[0]}?" if near else ""


def _joined(message: str, hint: str) -> str:
    """Join a message and a hint; Chinese needs no space between them."""
    return f"{message}{'' if message.endswith('。') else ' '}{hint}" if hint else message
