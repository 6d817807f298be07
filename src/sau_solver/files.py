"""The one atomic writer: a file or folder appears complete under its name, or not at all.

The content goes to a hidden temporary name in the same folder and is renamed into place, so that a crash or a kill
leaves the old version or the new one, never half of one.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sau_solver.errors import InputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def user_path(path: Path) -> Iterator[None]:
    """Turn the operating system's errors about writing to a user's path into an InputError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: cannot be written ({reason}). Give another path.") from None


def behind_links(path: Path) -> Path:
    """Return the path of the file behind symbolic links, whether it exists or not; raise OSError for a circle."""
    try:
        return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file with the given content; write directly if the path is a device or a pipe."""
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary file that takes the path's place on success and disappears on an error.

    A symbolic link stays a link, and an existing file keeps its permissions.
    """
    if path.exists() and not path.is_file():  # a device or a pipe has no old content to protect
        with path.open("wb") as file:
            yield file
        return
    target = behind_links(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        else:
            temporary.chmod(0o644)
        _rename(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def move_into_place(written: Path, path: Path) -> None:
    """Give a complete file, which lies on the same disk, the name of the path; its folder is made if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sync(written)
    _rename(written, path)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the path's place on success and disappears on an error.

    An existing folder is first renamed to `replaced_folder(path)` and deleted last. A kill between the two renames
    leaves the old folder under that name, where `existing_folder` finds it.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    writing, replaced = _beside(target, "writing"), replaced_folder(target)
    remove(writing)
    writing.mkdir()
    try:
        yield writing
        for path in [*writing.rglob("*"), writing]:
            sync(path)
        if target.exists():
            remove(replaced)
            target.rename(replaced)
        writing.rename(target)
        sync(target.parent)
    finally:
        remove(writing)
    remove(replaced)


def replaced_folder(path: Path) -> Path:
    """Return the hidden name under which `replacing_folder` keeps the old folder while the new one takes its place."""
    return _beside(path.resolve(), "replaced")


def existing_folder(path: Path) -> Path | None:
    """Return the folder that holds the path's last complete content, or None if there is none."""
    return next((folder for folder in (path.resolve(), replaced_folder(path)) if folder.is_dir()), None)


def remove(folder: Path) -> None:
    """Delete a folder so that a kill never leaves half of it under its name."""
    if folder.exists():
        deleting = _beside(folder, "deleting")
        shutil.rmtree(deleting, ignore_errors=True)
        folder.rename(deleting)
        shutil.rmtree(deleting)


def lock(file: IO[bytes], wait: bool = True) -> bool:
    """Lock an open file until it is closed; without `wait`, return False if it is locked. Does nothing on Windows."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _rename(written: Path, target: Path) -> None:
    written.replace(target)
    sync(target.parent)


def _beside(path: Path, role: str) -> Path:
    return path.with_name(f".{path.name.lstrip('.')}.{role}")


def sync(path: Path) -> None:
    """Wait until a file's content, or a folder's names, are on disk. Windows cannot open folders."""
    if fcntl is None and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
