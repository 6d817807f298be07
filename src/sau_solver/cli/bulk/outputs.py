"""The outputs of records: a file that a later run can continue, a pipe, or a file behind a URL.

A file behind a URL cannot be continued. It is made in a local temporary file and uploaded as a whole.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from pathlib import Path
from typing import BinaryIO

from sau_solver.cli.bulk.earlier_answers import LinesFrom, ModelOf, check_belongs, check_model, find_done
from sau_solver.cli.bulk.sources import PIPE
from sau_solver.data.remote_files import download, is_url, size_of, upload
from sau_solver.errors import InputError
from sau_solver.files import behind_links, lock, sync


class Output:
    """An open output. `finish` is called when all records are written."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name = file, name

    def resume(self, lines: LinesFrom, model_of: ModelOf | None) -> int:
        """Return the number of the last line that an earlier run has answered; here 0."""
        return 0

    def keep(self) -> None:
        """Write the buffered records to disk, so that a power cut loses one window at most."""
        self.file.flush()
        try:
            handle = self.file.fileno()
        except UnsupportedOperation:  # it is in memory
            return
        if stat.S_ISREG(os.fstat(handle).st_mode):  # pipes and devices cannot be synchronized
            os.fsync(handle)

    def finish(self) -> None:
        """Make the records visible, if they are not yet."""

    def give_up(self) -> None:
        """Clean up after a run that could not start."""


class ContinuedOutput(Output):
    """A file whose last complete line says how far an earlier run got. An incomplete line after it is cut off."""

    def resume(self, lines: LinesFrom, model_of: ModelOf | None) -> int:
        """Check that the records belong to the input and the model, and return the number of the last line."""
        done = find_done(self.file, self.name)
        if done is not None:
            check_belongs(done, lines)
            if model_of is not None:
                check_model(done, model_of)
        self.file.truncate(done.size if done else 0)
        self.file.seek(0, 2)
        return int(done.last["line"]) if done else 0

    def give_up(self) -> None:
        """Remove the file if it is empty."""
        path = behind_links(Path(self.name))
        if path.is_file() and not path.stat().st_size:
            path.unlink()


class UploadedOutput(ContinuedOutput):
    """A temporary local file that is uploaded to a URL at the end."""

    def finish(self) -> None:
        """Upload the records, unless an earlier run did."""
        self.file.flush()
        if self.file.tell() != size_of(self.name):
            self.file.seek(0)
            upload(self.file, self.name)

    def give_up(self) -> None:
        """Do nothing: the file behind the URL stays as it is."""


@contextmanager
def open_output(target: str) -> Iterator[Output]:
    """Open an output; raise InputError if another run writes to it."""
    if target == PIPE:
        yield Output(sys.stdout.buffer, "standard output")
    elif is_url(target):
        with tempfile.TemporaryFile(prefix="sau-") as file:
            if size_of(target) is not None:
                download(target, file)
            yield UploadedOutput(file, target)
    elif is_device(Path(target)):
        with Path(target).open("wb") as sink:
            yield Output(sink, target)
    else:
        path = behind_links(Path(target))
        new = not path.exists()
        with path.open("x+b" if new else "r+b") as sink:
            if new:
                sync(path.parent)
            if not lock(sink, wait=False):  # a second run would append the same answers
                raise InputError(f"Another run is writing to {target}. Wait for it, or give another --output.")
            yield ContinuedOutput(sink, target)


def is_device(path: Path) -> bool:
    """Return whether a path is a device or a named pipe, which has no earlier answers to continue."""
    return path.exists() and not path.is_file()
