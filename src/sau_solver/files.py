"""The one atomic writer: a file or folder appears complete under its name, or not at all.

The content goes to a hidden name in the same folder, is synchronized with the disk and renamed into place, so that a
kill or a power cut leaves the old version or the new one, never half of one. The next writer reuses or removes what a
killed one has left.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from sau_solver.errors import InputError, StorageError

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


@contextmanager
def storing(path: Path, advice: str) -> Iterator[None]:
    """Turn the operating system's errors in a long job, such as a full disk, into a StorageError that ends in advice.

    `path` is named if the error names no file. Errors of connections and pipes pass.
    """
    try:
        yield
    except (ConnectionError, TimeoutError):
        raise
    except OSError as error:
        if error.errno is None:
            raise
        place = error.filename or path
        raise StorageError(
            f"{place}: {error.strerror or error}. Check the path and the space left on the disk. {advice}".rstrip()
        ) from None


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
    handle, temporary = _locked_file(_beside(target, "writing"))
    file = os.fdopen(handle, "wb")
    try:
        yield file
        file.flush()
        os.fsync(handle)
        if fcntl is None:
            file.close()  # Windows cannot rename an open file
        temporary.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o644)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            if fcntl is None:
                file.close()
        temporary.unlink(missing_ok=True)  # before the lock ends: then the name may be another writer's
        raise
    finally:
        file.close()
    sync(target.parent)


def _locked_file(path: Path) -> tuple[int, Path]:
    """Open an empty file for writing and lock it, after all who write to it; return it with its path.

    A killed process leaves the file without a lock. Where there are no locks, the name is unique instead.
    """
    while fcntl is not None:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except PermissionError:  # left by a process that was killed after it had set the permissions of the target
            path.unlink()
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            os.close(handle)
            path.unlink(missing_ok=True)
            break
        if _is_named(handle, path):
            os.ftruncate(handle, 0)
            return handle, path
        os.close(handle)  # it was renamed or deleted by the writer before
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    return handle, Path(name)


def _is_named(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def move_into_place(written: Path, path: Path) -> None:
    """Give a complete file, which lies on the same disk, the name of the path; its folder is made if necessary."""
    make_folder(path.parent)
    sync(written)
    written.replace(path)
    sync(path.parent)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the path's place on success and disappears on an error.

    An existing folder is first renamed to `replaced_folder(path)` and deleted last. A kill between the two renames
    leaves the old folder under that name, where `existing_folder` finds it.
    """
    target = path.resolve()
    make_folder(target.parent)
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


def make_folder(path: Path) -> None:
    """Make a folder and those above it where they are missing; their names are on disk afterwards."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in reversed(missing):
        sync(folder.parent)


def replaced_folder(path: Path) -> Path:
    """Return the hidden name under which `replacing_folder` keeps the old folder while the new one takes its place."""
    return _beside(path.resolve(), "replaced")


def existing_folder(path: Path) -> Path | None:
    """Return the folder that holds the path's last complete content, or None if there is none."""
    return next((folder for folder in (path.resolve(), replaced_folder(path)) if folder.is_dir()), None)


def remove(folder: Path) -> None:
    """Delete a folder so that a kill never leaves half of it under its name."""
    deleting = _beside(folder, "deleting")
    shutil.rmtree(deleting, ignore_errors=True)  # left by a process that was killed here
    if folder.exists():
        folder.rename(deleting)
        shutil.rmtree(deleting)


def is_being_removed(folder: Path) -> bool:
    """Return whether `remove` has begun to delete a folder, or was killed meanwhile."""
    return _beside(folder, "deleting").exists()


def lock(file: IO[bytes], wait: bool = True) -> bool:
    """Lock an open file until it is closed; without `wait`, return False if it is locked. Does nothing on Windows."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


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
