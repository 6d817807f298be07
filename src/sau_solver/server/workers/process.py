"""A worker process as the event loop sees it: it starts, answers and is killed without blocking the loop."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sau_solver.errors import SauError
from sau_solver.server.refusals import Refusal

START_SECONDS = 120.0  # to import the runtime and load the weights on a busy machine
END_SECONDS = 1.0  # for a worker to end after its input is closed
LONGEST_LINE = 64 << 20  # bytes per reply
LONGEST_MESSAGE = 300  # characters of a line that a worker writes to standard error

_log = logging.getLogger(__name__)


class WorkerError(SauError):
    """A worker process did not start, or ended while it was working."""


class NotAskedError(WorkerError):
    """A worker process had ended before it was asked, so that no item can be the cause."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one item: status and body of the response, and values for metrics and log."""

    status: int
    body: bytes
    counted: dict[str, Any] = field(default_factory=dict)  # language, abstained, outcome; `cause` of an internal error


def refused(refusal: Refusal, item: Mapping[str, Any], **counted: str) -> Answer:
    """Return the answer to an item that is refused, in the language that its client reads."""
    return Answer(refusal.status, refusal.body(item.get("messages") or item.get("lang")), counted)


class WorkerProcess:
    """A worker process and its replacements, all started with the same command."""

    def __init__(self, command: Sequence[str], threads: int = 1) -> None:
        self.command = tuple(command)
        # Threads of each network operation, unless the operator has set them.
        self.environment = {"OMP_NUM_THREADS": str(threads)} | os.environ
        self._process: Process | None = None
        self._logging: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the running process, or None."""
        return self._process.pid if self._process and self._process.returncode is None else None

    @property
    def stopped(self) -> bool:
        """Whether the process is stopped, as by SIGSTOP. False on systems that cannot tell."""
        if self.pid is None or not hasattr(os, "waitid"):
            return False
        try:
            return os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # it has just ended
            return False

    async def start(self) -> list[str]:
        """Start a process, wait until it is ready, and return the names of its models."""
        self._process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self.environment,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl+C reaches only the server, and a kill reaches all that a worker started
        )
        self._logging = asyncio.create_task(self._log_messages(self._process))
        try:
            async with asyncio.timeout(START_SECONDS):
                head, _ = await self._read()
        except TimeoutError:
            self.kill()
            raise WorkerError(f"A worker process was not ready within {START_SECONDS:g} s.") from None
        if not head.get("ready"):
            raise WorkerError(str(head.get("message")))
        return list(head["models"])

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        """Yield the place and answer of each item as it arrives. Raise WorkerError if the process ends too early."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"items": items}).encode() + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise NotAskedError("The input of the worker process is closed.") from error
        for _ in items:
            head, body = await self._read()
            yield head.pop("place"), Answer(head.pop("status"), body, head)

    async def ended(self) -> None:
        """Wait until the process has ended."""
        assert self._process is not None
        await self._process.wait()

    def kill(self) -> None:
        """Kill the process and all that it has started. A pending `ask` raises WorkerError."""
        if self.pid is None or self._process is None:
            return
        with suppress(ProcessLookupError):  # it has ended, and the event loop has not been told yet
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    async def close(self) -> None:
        """Close the input of the process, and kill it if it does not end."""
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
        if self._logging is not None:
            self._logging.cancel()

    @staticmethod
    async def _log_messages(process: Process) -> None:
        """Log what a worker writes to standard error, so that the log has JSON lines only."""
        assert process.stderr is not None
        rest = b""
        while part := await process.stderr.read(1 << 16):
            *lines, rest = (rest + part).split(b"\n")
            rest = rest[:LONGEST_MESSAGE]
            for line in filter(None, (*lines,)):
                message = line[:LONGEST_MESSAGE].decode("utf-8", "replace")
                _log.warning("worker message", extra={"worker": process.pid, "line": message})

    async def _read(self) -> tuple[dict[str, Any], bytes]:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:  # longer than the limit
            self.kill()
            line = b""
        if not line.endswith(b"\n"):
            await self._process.wait()
            raise WorkerError(
                f"A worker process ended with exit code {self._process.returncode} before it had answered."
            )
        head, _, body = line[:-1].partition(b"\t")
        return json.loads(head), body
