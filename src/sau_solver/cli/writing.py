"""A text -> a file, whole or not at all; what cannot be written is bad input, and not a traceback."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sau_solver.errors import InputError


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Inside, what the system says against writing to the path becomes an InputError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}); give another name.") from None


def write_text(path: Path, text: str) -> None:
    """Write beside the file, then put that in its place; a device or pipe gets the text at once."""
    with writable(path):
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        target = path.resolve()  # where a link points to, so that the link stays
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            beside.write_text(text, encoding="utf-8")
            if target.exists():
                shutil.copymode(target, beside)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
