"""Run `sau` as a user does, in a process of its own, without waiting for its imports; see tests/command_server.py."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from tests.command_server import LENGTH, ROOT

START_SECONDS = 120


@cache
def address() -> Path:
    """Start the server of this process on first use; return its socket."""
    folder = Path(tempfile.mkdtemp(prefix="sau-commands-"))
    server = subprocess.Popen(
        [sys.executable, "-P", str(ROOT / "tests" / "command_server.py"), str(folder / "socket")],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip

    def stop() -> None:
        assert server.stdin
        server.stdin.close()
        server.wait()
        shutil.rmtree(folder)

    atexit.register(stop)
    end = time.monotonic() + START_SECONDS
    while not (folder / "socket").exists():
        assert server.poll() is None, "the server of commands has ended"
        assert time.monotonic() < end, "the server of commands does not start"
        time.sleep(0.05)
    return folder / "socket"


class Command:
    """A command that runs. Leaving its context waits for its end."""

    def __init__(
        self,
        *arguments: str,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        given: str | None = None,
        before: str = "",
    ) -> None:
        """Start `sau ARGUMENTS`; `given` is its standard input, and `before` are statements that run first."""
        self._open = ExitStack()
        source, self._out, self._err = (self._open.enter_context(tempfile.TemporaryFile()) for _ in range(3))  # noqa: SIM115
        source.write((given or "").encode())
        source.seek(0)
        asked = {
            "arguments": arguments,
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
            "before": before,
        }
        self._connection = self._open.enter_context(socket.socket(socket.AF_UNIX))
        self._connection.connect(str(address()))
        streams = [one.fileno() for one in (source, self._out, self._err)]
        payload = json.dumps(asked).encode()
        socket.send_fds(self._connection, [LENGTH.pack(len(payload))], streams)
        self._connection.sendall(payload)
        (self.pid,) = LENGTH.unpack(self._connection.recv(LENGTH.size, socket.MSG_WAITALL))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code if the command has ended."""
        return self._ended(0.0)

    def kill(self) -> None:
        """Kill the command."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self, timeout: float = 240) -> tuple[str, str]:
        """Wait for the end; return output and messages."""
        if self._ended(timeout) is None:
            self.kill()
            raise TimeoutError(f"sau runs longer than {timeout} s")
        return self._read(self._out), self._read(self._err)

    def _ended(self, seconds: float) -> int | None:
        if self.returncode is None:
            self._connection.settimeout(seconds)
            try:
                (self.returncode,) = struct.unpack("!q", self._connection.recv(8, socket.MSG_WAITALL))
            except (BlockingIOError, TimeoutError):
                return None
        return self.returncode

    @staticmethod
    def _read(file: IO[bytes]) -> str:
        file.seek(0)
        return file.read().decode().replace("\r\n", "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:
            self.kill()
        self._ended(240)
        self._open.close()


def sau(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: str | None = None,
    before: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run `sau ARGUMENTS` to its end."""
    with Command(*arguments, folder=folder, environment=environment, given=given, before=before) as command:
        out, err = command.communicate()
        return subprocess.CompletedProcess(["sau", *arguments], command.returncode or 0, out, err)


CLIENT = """
import json, os, socket, struct, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    asked = {{"arguments": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ), "before": ""}}
    payload = json.dumps(asked).encode()
    socket.send_fds(connection, [struct.pack("!Q", len(payload))], [0, 1, 2])
    connection.sendall(payload)
    connection.recv(8, socket.MSG_WAITALL)
    (code,) = struct.unpack("!q", connection.recv(8, socket.MSG_WAITALL))
sys.exit(code if code >= 0 else 128 - code)
"""


def write_program(path: Path) -> None:
    """Write a program that runs `sau` with its arguments, for shells."""
    client = address().with_name("client.py")
    client.write_text(CLIENT.format(address=str(address())), encoding="utf-8")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{client}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
