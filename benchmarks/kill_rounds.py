"""Kill a job again and again, start it again each time, and compare what it has written in the end.

Tests and benchmarks/kills.py use this. A job is anything that starts a process; `Forked` starts `sau` without waiting
for its imports, in a process group of its own, so that a kill ends the processes that it has started, too.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

_TIMES = ("seconds", "seconds_by_stage")  # fields of a result that differ from run to run
_LEFT_OUT = ("logs", ".lock")  # TensorBoard's logs have times; a lock has no content
_CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate")
_COUNT = struct.Struct("!Q")


class Running(Protocol):
    """A process that was started; leaving its context waits for its end."""

    @property
    def returncode(self) -> int | None:
        """Return the exit code, or None while it runs."""

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""

    def kill(self) -> None:
        """Send SIGKILL."""

    def communicate(self) -> tuple[str, str]:
        """Wait for the end; return output and messages."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


Start = Callable[[], Running]
Wait = Callable[[Running], None]  # returns when the process is to be killed, or has ended


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A job that was killed and is complete now."""

    kills: int
    printed: str  # messages of the last process
    seconds: float  # that the last process took


def kill_and_resume(start: Start, waits: Iterable[tuple[Start, Wait]] | Iterable[Wait]) -> Interrupted:
    """Start a job, kill it when each wait is over, and let it end at last. It may also end before a kill.

    A wait can have its own function that starts the job. Raise AssertionError if the job fails.
    """
    kills = 0
    for one in waits:
        begin, wait = one if isinstance(one, tuple) else (start, one)
        started = time.perf_counter()
        with begin() as process:
            wait(process)
            process.kill()
            _, printed = process.communicate()
        if process.returncode == 0:
            return Interrupted(kills, printed, time.perf_counter() - started)
        assert process.returncode == -signal.SIGKILL, f"exit code {process.returncode}:\n{printed}"
        kills += 1
    started = time.perf_counter()
    with start() as process:
        _, printed = process.communicate()
    assert process.returncode == 0, f"exit code {process.returncode}:\n{printed}"
    return Interrupted(kills, printed, time.perf_counter() - started)


def after(seconds: float) -> Wait:
    """Return a wait of some seconds."""

    def wait(process: Running) -> None:
        end = time.perf_counter() + seconds
        while process.poll() is None and (left := end - time.perf_counter()) > 0:
            time.sleep(min(left, 0.005))

    return wait


def until_it_ends(process: Running) -> None:
    """Wait for the end of a process."""
    process.communicate()


def after_progress(is_new: Callable[[], bool], seconds: float) -> Wait:
    """Return a wait until something is new, and some seconds more."""

    def wait(process: Running) -> None:
        while process.poll() is None and not is_new():
            time.sleep(0.002)
        after(seconds)(process)

    return wait


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files below a folder by path, hidden ones included; times are left out of results."""
    found = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part in _LEFT_OUT for part in parts):
            content = path.read_bytes()
            found["/".join(parts)] = _without_times(content) if path.suffix == ".json" else content
    return found


def _without_times(content: bytes) -> bytes:
    fields = json.loads(content)
    if "runs" not in fields:
        return content
    for run in fields["runs"]:
        for name in _TIMES:
            run.pop(name)
    return json.dumps(fields).encode()


def different(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the paths whose bytes differ, or that only one has."""
    return sorted(path for path in {*one, *other} if one.get(path) != other.get(path))


class Forked:
    """`sau ARGUMENTS` in a fork of this process, which has imported the package already; see `Running`."""

    def __init__(self, arguments: Iterable[str], folder: Path, environment: Mapping[str, str], die_at: int = 0) -> None:
        """Start it; with `die_at`, it kills itself just before that change of a file or folder below `folder`."""
        self._open = ExitStack()
        self._out, self._err = (self._open.enter_context(tempfile.TemporaryFile()) for _ in range(2))  # noqa: SIM115
        self.returncode: int | None = None
        self._changes = self._open.enter_context(mmap.mmap(-1, _COUNT.size))  # the fork shares it
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            self._become(list(arguments), folder, environment, die_at)
        with suppress(ProcessLookupError, PermissionError):  # the fork does the same; one of both comes first
            os.setpgid(self.pid, self.pid)

    def _become(self, arguments: list[str], folder: Path, environment: Mapping[str, str], die_at: int) -> None:
        code: object = 1
        try:
            os.setpgid(0, 0)
            for number, stream in enumerate((self._out, self._err), start=1):
                os.dup2(stream.fileno(), number)
            os.chdir(folder)
            os.environ.update(environment)
            sys.argv = ["sau", *arguments]
            vars(sys.modules["__main__"]).pop("__file__", None)  # processes that it spawns do not import this one
            die_before_change(die_at, folder, self._changes)
            from sau_solver.cli import main

            main()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        except Exception:  # noqa: BLE001 - as the interpreter does
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code if isinstance(code, int) else 1)

    @property
    def changes(self) -> int:
        """Return how often it has created, renamed or deleted a file or folder, or opened a file for writing."""
        return int(_COUNT.unpack(self._changes[:])[0])

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._wait(os.WNOHANG)

    def kill(self) -> None:
        """Kill it with all processes that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def communicate(self) -> tuple[str, str]:
        """Wait for the end; return output and messages."""
        self._wait(0)
        return self._read(self._out), self._read(self._err)

    def _wait(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
                self.kill()  # what it has started and left
        return self.returncode

    @staticmethod
    def _read(file: IO[bytes]) -> str:
        file.seek(0)
        return file.read().decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:
            self.kill()
        self._wait(0)
        self._open.close()


def die_before_change(number: int, root: Path, counted: mmap.mmap | None = None) -> None:
    """Kill this process group, if it has one, just before its change of that number; 0 only counts the changes.

    A change creates, renames or deletes a file or folder, or opens a file below `root` for writing.
    """
    count = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in _CHANGES or (event == "open" and _opens_for_writing(arguments, root)):
            count += 1
            if counted:
                counted[:] = _COUNT.pack(count)
            if count == number:
                if os.getpgrp() == os.getpid():
                    os.killpg(0, signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _opens_for_writing(arguments: tuple[Any, ...], root: Path) -> bool:
    path, mode, flags = arguments
    writes = any(letter in mode for letter in "wxa+") if isinstance(mode, str) else bool(flags & 3)
    return writes and isinstance(path, str | bytes) and Path(os.fsdecode(path)).absolute().is_relative_to(root)
